import { assert, describe, it } from "@effect/vitest"
import { OrganizationId, Snapshots } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlAdapter, SqlCredentialKind } from "../src/index.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"
import { temporaryFilename } from "./temporaryDatabase.ts"

const organization = { id: OrganizationId.make("5d0f1c8e-2b7a-4c39-9a61-0e3f4b7d2c11"), name: "acme" }

const addOrganization = Snapshots.use((snapshots) => snapshots.import({ organizations: [organization] }))

const { forget, keep } = SqlCredentialKind

describe("the kind of credentials of a store", () => {
  it.effect("is the first that was wanted, also after the file was opened again", () =>
    Effect.gen(function* () {
      for (const [first, then] of [
        ["test", "own"],
        ["own", "test"]
      ] as const) {
        const filename = yield* temporaryFilename
        const opened = Layer.fresh(SqlAdapter.layerSqlite({ filename }))
        assert.strictEqual(yield* Effect.provide(keep(first), opened), first)
        const again = Layer.fresh(SqlAdapter.layerSqlite({ filename }))
        assert.strictEqual(yield* Effect.provide(Effect.andThen(addOrganization, keep(then)), again), first)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("is its own if it has organizations already: what is in it was not made for tests", () =>
    Effect.andThen(addOrganization, keep("test")).pipe(
      Effect.map((kind) => assert.strictEqual(kind, "own")),
      Effect.provide(SqlAdapter.layerSqlite({ filename: ":memory:" }))
    )
  )
})

describe("a kind that is forgotten", () => {
  const store = SqlAdapter.layerSqlite({ filename: ":memory:" })

  it.effect("is decided again, by a store without organizations alone", () =>
    Effect.gen(function* () {
      const kinds = [yield* keep("test"), yield* Effect.andThen(forget("test"), keep("own"))]
      yield* addOrganization
      assert.deepStrictEqual([...kinds, yield* Effect.andThen(forget("own"), keep("test"))], ["test", "own", "own"])
    }).pipe(Effect.provide(store))
  )

  it.effect("stays if it is another one", () =>
    Effect.gen(function* () {
      yield* keep("test")
      assert.strictEqual(yield* Effect.andThen(forget("own"), keep("own")), "test")
    }).pipe(Effect.provide(store))
  )
})

describePostgres("the kind of credentials of a Postgres database", (postgres) => {
  it.live("is the same for all servers that start together over a new one", () =>
    Effect.gen(function* () {
      const url = yield* (yield* postgres).createEmptyDatabase
      const kept = yield* Effect.forEach(
        ["own", "test", "own", "test"] as const,
        (wanted) => Effect.provide(keep(wanted), Layer.fresh(SqlAdapter.layerPostgres({ url, sealingKey }))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(kept).size, 1)
    }).pipe(Effect.scoped)
  )

  it.live("is not forgotten, since another server may have begun with it", () =>
    Effect.gen(function* () {
      const url = yield* (yield* postgres).createEmptyDatabase
      const kinds = Effect.all([keep("test"), Effect.andThen(forget("test"), keep("own"))])
      assert.deepStrictEqual(yield* Effect.provide(kinds, SqlAdapter.layerPostgres({ url, sealingKey })), [
        "test",
        "test"
      ])
    }).pipe(Effect.scoped)
  )
})
