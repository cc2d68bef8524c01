import { assert, it } from "@effect/vitest"
import { fixtureIds } from "@headgate/conformance/fixtures"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { openStore } from "./processes/openStore.ts"
import { describePostgres } from "./support/postgres.ts"
import { runAtOnce } from "./support/runAtOnce.ts"
import { temporaryFilename } from "./temporaryDatabase.ts"

/** The most keys of an organization. */
const maxApiKeys = 100

const organizationId = fixtureIds.organizations.acme

const count = (store: string, table: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [row] = yield* sql<{ readonly count: number }>`
      SELECT CAST(COUNT(*) AS INTEGER) AS count FROM ${sql(table)}`
    return row?.count
  }).pipe(Effect.provide(openStore(store)))

/** The ids of the migrations that have run, in their order. */
const migrationIds = (store: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ readonly id: number }>`
      SELECT migration_id AS id FROM headgate_migrations ORDER BY migration_id`
    return rows.map(({ id }) => id)
  }).pipe(Effect.provide(openStore(store)))

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)

/** What several processes over one store can rely on. */
const laws = <E>(name: string, newStore: Effect.Effect<string, E, Scope.Scope>) => {
  it.live(`${name}: processes that start on an empty store at once migrate it once`, () =>
    Effect.gen(function* () {
      const store = yield* newStore
      const created = yield* runAtOnce({ store, organizationId, processes: 5, keys: 1 })
      assert.deepStrictEqual(created, [1, 1, 1, 1, 1])
      const ids = yield* migrationIds(store)
      assert.isAbove(ids.length, 1)
      assert.deepStrictEqual(ids, Arr.range(1, ids.length))
      assert.strictEqual(yield* count(store, "api_key"), 5)
    })
  )

  it.live(`${name}: the limit of keys holds between processes`, () =>
    Effect.gen(function* () {
      const store = yield* newStore
      const created = yield* runAtOnce({ store, organizationId, processes: 3, keys: 80 })
      assert.strictEqual(sum(created), maxApiKeys)
      assert.isAbove(created.filter((each) => each > 0).length, 1)
      assert.strictEqual(yield* count(store, "api_key"), maxApiKeys)
    })
  )
}

laws("SQLite", temporaryFilename)

describePostgres("Postgres", (postgres) => {
  laws(
    "Postgres",
    Effect.flatMap(postgres, ({ createEmptyDatabase }) => Effect.map(createEmptyDatabase, Redacted.value))
  )
})
