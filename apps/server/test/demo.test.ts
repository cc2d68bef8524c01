import { assert, describe, it } from "@effect/vitest"
import { OrganizationId, Snapshots } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { openStore } from "../src/store/openStore.ts"
import { refused, refusedIn } from "./support/commandLine.ts"
import { temporaryDirectory } from "./support/processes.ts"

describe("headgate-server --demo", () => {
  it.effect("is refused beyond loopback, as a gateway, with another warehouse and with another store", () =>
    Effect.gen(function* () {
      for (const [said, ...args] of [
        ["--host 0.0.0.0 is not a loopback address", "--host", "0.0.0.0", "--insecure-http"],
        ["a gateway stores no pipes", "--upstream", "https://api.example.com"],
        ["leave out --warehouse", "--warehouse", "http://127.0.0.1:8123"],
        ["leave out --warehouse", "--warehouse", "embedded:tables"],
        ["leave out --memory", "--memory"],
        ["leave out --memory and --database-url", "--database-url", "postgres://127.0.0.1/x"]
      ] as const) {
        const found = yield* refused("--demo", "--port", "0", ...args)
        assert.strictEqual(found.code, 2, found.said)
        assert.include(found.said, said)
      }
      const reader = { HEADGATE_QUERY_USER: "reader", HEADGATE_QUERY_PASSWORD: "p" }
      const directory = join(yield* temporaryDirectory, "demo")
      const withUser = yield* refusedIn(reader, "--demo", "--port", "0", "--data", directory)
      assert.deepStrictEqual([withUser.code, existsSync(directory)], [2, false], withUser.said)
      assert.include(withUser.said, "unset HEADGATE_QUERY_USER")
    })
  )

  it.effect("is refused over a store with other data, which stays as it is", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const store = Effect.provide(
        openStore({ data: Option.some(directory), databaseUrl: Option.none(), sealingKeyFile: Option.none() })
      )
      const id = OrganizationId.make("1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21")
      yield* store(Snapshots.use((snapshots) => snapshots.import({ organizations: [{ id, name: "Acme" }] })))
      const found = yield* refused("--demo", "--port", "0", "--data", directory)
      assert.strictEqual(found.code, 1)
      assert.include(found.said, `the one in ${directory} has the organization "Acme"`)
      assert.include(found.said, "pass --data with another directory, or leave out --demo")
      const { organizations } = yield* store(Snapshots.use((snapshots) => snapshots.export))
      assert.deepStrictEqual(
        organizations.map(({ keys = [], name }) => ({ name, keys: keys.length })),
        [{ name: "Acme", keys: 0 }]
      )
    })
  )
})
