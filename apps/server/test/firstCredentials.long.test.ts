import { assert, it } from "@effect/vitest"
import { Snapshots } from "@headgate/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describePostgres, sealingKey } from "../../../packages/sql-adapter/test/support/postgres.ts"
import * as Crypto from "../src/access/Crypto.ts"
import { createFirstCredentials } from "../src/store/firstCredentials.ts"
import { openStore } from "../src/store/openStore.ts"
import { temporaryDirectory } from "./support/processes.ts"

describePostgres("first credentials", (postgres) => {
  it.live("are created once by servers that start at the same time over an empty database", () =>
    Effect.gen(function* () {
      const url = yield* (yield* postgres).createEmptyDatabase
      const key = join(yield* temporaryDirectory, "sealing.key")
      writeFileSync(key, Redacted.value(sealingKey))
      const options = { data: Option.none(), databaseUrl: Option.some(url), sealingKeyFile: Option.some(key) }
      const servers = yield* Effect.forEach(
        [1, 2, 3, 4],
        () => Layer.build(Layer.fresh(Layer.merge(openStore(options), Crypto.layer))),
        { concurrency: "unbounded" }
      )
      const created = yield* Effect.forEach(
        servers,
        (server) => Effect.provide(createFirstCredentials(Option.none(), Effect.void), server),
        { concurrency: "unbounded" }
      )
      const organizations = yield* Context.get(servers[0]!, Snapshots).organizations
      assert.deepStrictEqual(
        organizations.map(({ keys, tokens }) => ({ keys, tokens })),
        [{ keys: 1, tokens: 1 }]
      )
      assert.lengthOf(created.flat(), 1)
    }).pipe(Effect.scoped)
  )
})
