import { assert, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot, pipeRequests } from "@headgate/conformance/fixtures"
import { type PipeAddress, PipeCreate, Pipes, Snapshots } from "@headgate/core"
import { MovedPipes, type PipeAssignments, PipeMover } from "@headgate/core/adapter"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { SqlAdapter } from "../src/index.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"

const service = { organizationId: fixtureIds.organizations.acme, serviceId: fixtureIds.services.ingest }
const bound = {
  ...PipeMover.defaultValue(),
  warehouses: new Set(["events"]),
  checkDestination: () => Effect.succeed("events")
}

const create = Effect.fnUntraced(function* (request: unknown) {
  const pipe = yield* Pipes.use((pipes) => pipes.create(service, Schema.decodeUnknownSync(PipeCreate)(request)))
  const address: PipeAddress = { ...service, pipeId: pipe.id }
  return address
})

const changes = (after?: string) => MovedPipes.use((moved) => moved.changes(after))

const statesOf = ({ pipes }: PipeAssignments) =>
  new Map(pipes.map(({ address, state }) => [String(address.pipeId), state]))

/** Starts a transaction that has run some statements, and stays open on a connection of its own until `commit` runs. */
const holdTransaction = Effect.fnUntraced(function* <A, E>(statements: Effect.Effect<A, E>) {
  const sql = yield* SqlClient
  const [began, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const open = statements.pipe(
    Effect.andThen(Deferred.succeed(began, undefined)),
    Effect.andThen(Deferred.await(ended))
  )
  const running = yield* Effect.forkChild(sql.withTransaction(open))
  yield* Effect.raceFirst(Deferred.await(began), Effect.andThen(Fiber.join(running), Effect.never))
  return { commit: Effect.andThen(Deferred.succeed(ended, undefined), Fiber.join(running)) }
})

/** Asks until nothing is answered, as no transaction of before runs any more. */
const untilNothing = Effect.fnUntraced(function* (after: string) {
  let answer = yield* changes(after)
  while (answer.pipes.length + answer.deleted.length > 0) {
    answer = yield* Effect.delay(changes(answer.cursor), "10 millis")
  }
  return answer.cursor
})

describePostgres("the changes of moved pipes in Postgres", (postgres) => {
  const store = Layer.unwrap(
    Effect.gen(function* () {
      const { lendDatabase } = yield* postgres
      return SqlAdapter.layerPostgres({ url: yield* lendDatabase, sealingKey })
    })
  )
  const law = (title: string, body: Effect.Effect<void, unknown, Layer.Success<typeof store>>) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) => Snapshots.use((snapshots) => snapshots.import(snapshot))).pipe(
        Effect.andThen(body),
        Effect.provideService(PipeMover, bound),
        Effect.provide(store)
      )
    )

  law(
    "a transaction that began earlier and commits later hides nothing, of pipes and of deleted pipes",
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [early, late, deleted] = [
        yield* create(pipeRequests.kafka),
        yield* create(pipeRequests.kafka),
        yield* create(pipeRequests.kafka)
      ]
      const before = yield* untilNothing((yield* changes()).cursor)
      const held = yield* holdTransaction(
        Effect.andThen(
          sql`UPDATE pipe SET document = replace(document, '"Provisioning"', '"Stopping"') WHERE id = ${early.pipeId}`,
          sql`DELETE FROM pipe WHERE id = ${deleted.pipeId}`
        )
      )
      // It changes no document, for the other transaction has locked the count of the bytes of its organization.
      yield* sql`UPDATE pipe SET version = 7 WHERE id = ${late.pipeId}`
      const meanwhile = yield* changes(before)
      assert.deepStrictEqual(
        meanwhile.pipes.map(({ address, state, version }) => [address, state, version]),
        [[late, "Provisioning", 7]]
      )
      assert.deepStrictEqual(meanwhile.deleted, [])
      // The next poll, too, is before the commit.
      const second = yield* changes(meanwhile.cursor)
      yield* held.commit
      for (const { cursor } of [meanwhile, second]) {
        const after = yield* changes(cursor)
        assert.strictEqual(statesOf(after).get(early.pipeId), "Stopping")
        assert.deepStrictEqual(after.deleted, [deleted.pipeId])
      }
      // It is not answered for ever.
      yield* untilNothing(second.cursor)
    })
  )

  law(
    "a stop, a pause, a report and a deletion are in the next answer while another transaction stays open",
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { cursor: first } = yield* changes()
      // It has an id, as one that writes.
      const held = yield* holdTransaction(sql`SELECT CAST(pg_current_xact_id() AS TEXT)`)
      let cursor = first
      const next = Effect.gen(function* () {
        const answer = yield* changes(cursor)
        cursor = answer.cursor
        assert.isFalse(answer.isWhole)
        return answer
      })
      for (let round = 0; round < 20; round += 1) {
        const stream = yield* create(pipeRequests.kafka)
        const database = yield* create(pipeRequests.postgres)
        yield* next
        yield* Pipes.use((pipes) => pipes.setState(stream, { command: "stop" }))
        assert.strictEqual(statesOf(yield* next).get(stream.pipeId), "Stopping")
        yield* MovedPipes.use((moved) => moved.report(database, 1, { state: "Snapshot" }))
        assert.strictEqual(statesOf(yield* next).get(database.pipeId), "Snapshot")
        yield* Pipes.use((pipes) => pipes.setState(database, { command: "stop" }))
        assert.strictEqual(statesOf(yield* next).get(database.pipeId), "Pausing")
        yield* Pipes.use((pipes) => pipes.delete(stream))
        const answer = yield* next
        assert.include(answer.deleted, stream.pipeId)
        assert.isFalse(statesOf(answer).has(stream.pipeId))
      }
      yield* held.commit
    })
  )

  law(
    "what a transaction that is rolled back has written is in no answer",
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const address = yield* create(pipeRequests.kafka)
      const before = yield* untilNothing((yield* changes()).cursor)
      const rolledBack = sql.withTransaction(
        Effect.andThen(sql`DELETE FROM pipe WHERE id = ${address.pipeId}`, Effect.fail("rolled back" as const))
      )
      assert.strictEqual(yield* Effect.flip(rolledBack), "rolled back")
      const { deleted, pipes } = yield* changes(before)
      assert.deepStrictEqual([deleted, pipes], [[], []])
      assert.strictEqual((yield* changes()).pipes.length, 1)
    })
  )

  it.live("a database that was restored into a younger cluster answers no pipe for ever", () =>
    Effect.gen(function* () {
      const url = yield* Effect.flatMap(postgres, ({ createDatabase }) => createDatabase)
      const open = Layer.fresh(SqlAdapter.layerPostgres({ url, sealingKey }))
      const laterIds = Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* Effect.flatMap(fixtureSnapshot, (snapshot) => Snapshots.use((snapshots) => snapshots.import(snapshot)))
        const removed = yield* create(pipeRequests.kafka)
        yield* create(pipeRequests.kafka)
        yield* Pipes.use((pipes) => pipes.delete(removed))
        // As a dump is restored: the rows first, and then the triggers.
        for (const table of ["pipe", "deleted_pipe"]) {
          yield* sql`ALTER TABLE ${sql(table)} DISABLE TRIGGER USER`
          yield* sql`UPDATE ${sql(table)} SET changed = '99999999999'`
          yield* sql`ALTER TABLE ${sql(table)} ENABLE TRIGGER USER`
        }
        const { cursor } = yield* changes()
        const { deleted, pipes } = yield* changes((yield* changes(cursor)).cursor)
        assert.deepStrictEqual([deleted, pipes.length], [[removed.pipeId], 1])
      })
      yield* laterIds.pipe(Effect.provideService(PipeMover, bound), Effect.provide(open))
      const restarted = Effect.gen(function* () {
        const { cursor, pipes } = yield* changes()
        assert.strictEqual(pipes.length, 1)
        yield* untilNothing(cursor)
      })
      yield* Effect.provide(restarted, open)
    }).pipe(Effect.scoped)
  )
})
