import { assert, describe, it } from "@effect/vitest"
import { fixtureCredentials, fixtureIds, fixtureSnapshot } from "@headgate/conformance/fixtures"
import { Snapshots } from "@headgate/core"
import { Authenticator } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { TracerEnabled } from "effect/References"
import { SqlClient } from "effect/sql/SqlClient"
import { StoredDocuments } from "../src/index.ts"
import { makePointRead } from "../src/internal/pointRead.ts"
import { layerTemporary } from "./temporaryDatabase.ts"

const unbounded = { concurrency: "unbounded" } as const

for (const isTracing of [false, true]) {
  describe(`a point read, ${isTracing ? "while traces are collected" : "straight from SQLite"}`, () => {
    const withItem = <A, E>(
      test: (read: (id: string) => Effect.Effect<unknown, unknown>, sql: SqlClient) => Effect.Effect<A, E>
    ) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`CREATE TABLE item (id TEXT PRIMARY KEY, name TEXT)`
        yield* sql`INSERT INTO item VALUES ('a', 'first'), ('b', 'second')`
        const select = makePointRead(
          sql,
          (id, name) => sql<{ readonly name: string }>`SELECT name FROM item WHERE id = ${id} AND name <> ${name}`
        )
        const read = (id: string) => Effect.map(select(id, "second"), (row) => row?.name)
        return yield* test(read, sql)
      }).pipe(Effect.provide(layerTemporary()), Effect.provideService(TracerEnabled, isTracing))

    it.live("is the row, or undefined", () =>
      withItem((read) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* read("a"), "first")
          assert.strictEqual(yield* read("b"), undefined)
        })
      )
    )

    it.live("fails with a SqlError", () =>
      withItem((read, sql) =>
        Effect.gen(function* () {
          yield* sql`DROP TABLE item`
          assert.include(String(yield* Effect.flip(read("a"))), "SqlError")
        })
      )
    )

    it.live("sees what its own transaction has written", () =>
      withItem((read, sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`UPDATE item SET name = 'changed' WHERE id = 'a'`
            assert.strictEqual(yield* read("a"), "changed")
          })
        )
      )
    )

    it.live("does not see what another transaction has not committed", () =>
      withItem((read, sql) =>
        Effect.gen(function* () {
          const transaction = sql`UPDATE item SET name = 'changed' WHERE id = 'a'`.pipe(
            Effect.andThen(Effect.sleep("20 millis")),
            Effect.andThen(Effect.fail("no")),
            sql.withTransaction,
            Effect.flip
          )
          const [, name] = yield* Effect.all([transaction, Effect.delay(read("a"), "5 millis")], unbounded)
          assert.strictEqual(name, "first")
        })
      )
    )

    it.live("serves the ports", () =>
      Effect.gen(function* () {
        yield* Snapshots.use((snapshots) => Effect.flatMap(fixtureSnapshot, snapshots.import))
        const { authenticate } = yield* Authenticator
        const { organizations, pipes, services } = fixtureIds
        const key = yield* authenticate(fixtureCredentials.keys.admin, "192.0.2.7")
        const token = yield* authenticate(fixtureCredentials.tokens.acme, "192.0.2.7")
        assert.strictEqual(key.organizationId, organizations.acme)
        assert.strictEqual(token.organizationId, organizations.acme)
        const documents = yield* StoredDocuments
        const address = { organizationId: organizations.acme, serviceId: services.ingest, pipeId: pipes.kafka }
        const { document, version } = yield* documents.pipe(address)
        assert.include(document, pipes.kafka)
        assert.strictEqual(version, 1)
        const missing = yield* Effect.flip(documents.pipe({ ...address, organizationId: organizations.globex }))
        assert.strictEqual(missing._tag, "PipeNotFound")
      }).pipe(Effect.provide(layerTemporary()), Effect.provideService(TracerEnabled, isTracing))
    )
  })
}
