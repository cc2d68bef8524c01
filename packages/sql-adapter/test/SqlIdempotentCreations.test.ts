import { assert, describe, it } from "@effect/vitest"
import { fixtureIds } from "@headgate/conformance/fixtures"
import { ApiKeys, Conflict } from "@headgate/core"
import { IdempotentCreations, type IdempotentRequest } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { importOrganizations } from "./support/importOrganizations.ts"
import { layerTemporary } from "./temporaryDatabase.ts"

const { acme } = fixtureIds.organizations
const request: IdempotentRequest = { organizationId: acme, scope: "key 1 POST /keys", key: "k-1", body: "{}" }

const createKey = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const create = Effect.map(keys.create({ organizationId: acme }, { name: "ci" }), ({ keySecret }) => ({
    text: keySecret === undefined ? "" : Redacted.value(keySecret)
  }))
  return create
})

const counts = SqlClient.use(
  (sql) => sql`SELECT (SELECT COUNT(*) FROM api_key) AS keys, (SELECT COUNT(*) FROM idempotent_creation) AS answers`
)

describe("SqlIdempotentCreations", () => {
  it.live("keeps the answer in the transaction of the creation, sealed", () =>
    Effect.gen(function* () {
      const { once } = yield* IdempotentCreations
      yield* importOrganizations(acme)
      const create = yield* createKey
      const { text } = yield* once(request, create)
      assert.deepStrictEqual(yield* once(request, create), { text })
      assert.deepStrictEqual(yield* counts, [{ keys: 1, answers: 1 }])
      const sql = yield* SqlClient
      assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM idempotent_creation`), text)
      assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM idempotent_creation`), request.key)

      const failed = Effect.andThen(create, Effect.fail(new Conflict({ message: "after the insert" })))
      yield* Effect.flip(once({ ...request, key: "k-2" }, failed))
      assert.deepStrictEqual(yield* counts, [{ keys: 1, answers: 1 }])
    }).pipe(Effect.provide(layerTemporary()))
  )
})
