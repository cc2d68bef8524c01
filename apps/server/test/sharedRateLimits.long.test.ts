import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { join } from "node:path"
import { describePostgres } from "../../../packages/sql-adapter/test/support/postgres.ts"
import { basic } from "./support/liveServer.ts"
import { readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"
import { keysPath } from "./support/environment.ts"

describePostgres("two servers over one Postgres", (postgres) => {
  it.live("share the rate limit of a key and the failed logins of an address", () =>
    Effect.gen(function* () {
      const { createEmptyDatabase } = yield* postgres
      const file = join(yield* temporaryDirectory, "credentials.json")
      const store = ["--database-url", Redacted.value(yield* createEmptyDatabase)]
      const limits = ["--rate-limit", "6/h", "--login-limit", "4/h"]
      const one = yield* serverProcess(...store, ...limits, "--credentials-file", file)
      const other = yield* serverProcess(...store, ...limits)
      const owner = readCredentials(file)[0]!
      const statusesOf = (secret: string) =>
        Effect.forEach([one, other, one, other, one, other, one, other], ({ url }) =>
          Effect.promise(async () => {
            const headers = { authorization: basic(owner.keyId, secret), "content-type": "application/json" }
            const path = keysPath(owner.organization.id)
            return (await fetch(`${url}${path}`, { method: "POST", headers, body: '{"name":"x"}' })).status
          })
        )
      assert.deepStrictEqual(yield* statusesOf(owner.keySecret), [200, 200, 200, 200, 200, 200, 429, 429])
      assert.deepStrictEqual(yield* statusesOf("wrong"), [401, 401, 401, 401, 429, 429, 429, 429])
    }).pipe(Effect.scoped)
  )
})
