// The ledger over Postgres: what several connections do at the same time, and ranges that are written together.
import { assert, it } from "@effect/vitest"
import type { PipeId } from "@headgate/core"
import { Ledger, type Owner, type Range } from "@headgate/mover"
import { lawPipeId, otherPipeId } from "@headgate/mover/laws"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { Postgres } from "../src/index.ts"
import { SqlLedger } from "../src/mover/index.ts"
import { insertPipes, ledgerUnderTest } from "./support/ledgers.ts"
import { describePostgres } from "./support/postgres.ts"

const unbounded = { concurrency: "unbounded" } as const
const one = { rows: 1, rejected: 0, bytes: 10 }

const rangeOf = (partition: string, from: number, to: number, pipeId: PipeId = lawPipeId): Range => ({
  pipeId,
  generation: 1,
  source: "topic",
  partition,
  from: String(from),
  to: String(to)
})

const partitionNames = ["0", "1", "2", "3", "4", "5"]

/** The ledger of a process of its own, as far as Postgres can tell. */
const openLedger = (url: Redacted.Redacted) =>
  Effect.map(
    Layer.build(Layer.provide(Layer.fresh(SqlLedger.layer), Layer.fresh(Postgres.layer({ url })))),
    (context) => Effect.runSync(Effect.provideContext(Ledger, context))
  )

/** A pipe of some partitions, of each of which the range from 0 to 5 is done. */
const beginPipe = Effect.fnUntraced(function* (ledger: Ledger["Service"], pipeId: PipeId = lawPipeId) {
  const owner = yield* ledger.take(pipeId)
  yield* ledger.begin(owner, { generation: 1, source: "topic", starts: new Map() })
  for (const partition of partitionNames) {
    yield* ledger.record(owner, rangeOf(partition, 0, 5, pipeId))
    yield* ledger.markDone(owner, rangeOf(partition, 0, 5, pipeId), one)
  }
  return owner
})

const tagOf = <A, E extends { readonly _tag: string }>(write: Effect.Effect<A, E>) =>
  Effect.map(Effect.result(write), (result) => (Result.isFailure(result) ? result.failure._tag : "Written"))

/** All that the ledger has of pipes, without what changes when one is taken. */
const contents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return [
    yield* sql`SELECT pipe_id, delivered_rows, rejected_rows, delivered_bytes FROM mover_pipe ORDER BY pipe_id`,
    yield* sql`SELECT pipe_id, partition_id, done_to FROM mover_partition ORDER BY pipe_id, partition_id`,
    yield* sql`SELECT pipe_id, partition_id, from_position, to_position FROM mover_range ORDER BY seq`
  ]
})

const isWaiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const waiting = yield* sql`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return waiting.length > 0
})

const untilWaiting = Effect.repeat(Effect.andThen(Effect.sleep("5 millis"), isWaiting), { until: (is) => is })

/** Runs a statement in a transaction that stays open until the effect that is returned is run. */
const holdTransaction = Effect.fnUntraced(function* <E>(statement: Effect.Effect<unknown, E, SqlClient.SqlClient>) {
  const sql = yield* SqlClient.SqlClient
  const [ready, end] = [yield* Deferred.make<void>(), yield* Deferred.make<Effect.Effect<unknown, unknown>>()]
  const holder = yield* Effect.forkScoped(
    sql.withTransaction(
      Effect.gen(function* () {
        yield* statement
        yield* Deferred.succeed(ready, undefined)
        yield* yield* Deferred.await(end)
      })
    )
  )
  yield* Deferred.await(ready)
  /** Runs a last statement in the transaction, and commits it. */
  return (last: Effect.Effect<unknown, unknown, SqlClient.SqlClient> = Effect.void) =>
    Effect.andThen(Deferred.succeed(end, Effect.provideService(last, SqlClient.SqlClient, sql)), Fiber.join(holder))
})

const raiseEpoch = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE mover_pipe SET epoch = epoch + 1, owner_id = 'another' WHERE pipe_id = ${lawPipeId}`
})

/** The writes of a range that the statement makes: of the next one of partition 0, and of one that is pending in partition 1. */
const writes = {
  record: (ledger: Ledger["Service"], owner: Owner) => ledger.record(owner, rangeOf("0", 5, 9)),
  markDone: (ledger: Ledger["Service"], owner: Owner) => ledger.markDone(owner, rangeOf("1", 5, 9), one)
}

describePostgres("the ledger over connections of Postgres", (postgres) => {
  const law = (
    title: string,
    body: (
      ledger: Ledger["Service"],
      open: ReturnType<typeof openLedger>
    ) => Effect.Effect<void, unknown, SqlClient.SqlClient | Scope.Scope>,
    from: "lendDatabase" | "createDatabase" = "lendDatabase"
  ) =>
    it.live(title, () =>
      Effect.gen(function* () {
        const url = yield* (yield* postgres)[from]
        const context = yield* Layer.build(Layer.fresh(Postgres.layer({ url })))
        yield* Effect.provideContext(
          Effect.gen(function* () {
            yield* insertPipes(lawPipeId, otherPipeId)
            yield* body(yield* openLedger(url), openLedger(url))
          }),
          context
        )
      }).pipe(Effect.scoped)
    )

  for (const [name, write] of Object.entries(writes)) {
    law(
      `${name}: a writer that is stopped before it locks the pipe writes nothing once another mover took it`,
      Effect.fnUntraced(function* (ledger) {
        const owner = yield* beginPipe(ledger)
        yield* ledger.record(owner, rangeOf("1", 5, 9))
        const before = yield* contents
        const sql = yield* SqlClient.SqlClient
        // Reading a row of the pipe waits for this lock: after the statement has begun, and before the row is locked.
        yield* sql`CREATE FUNCTION passes_gate() RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS
          'BEGIN PERFORM pg_advisory_xact_lock_shared(42); RETURN TRUE; END'`
        yield* sql`ALTER TABLE mover_pipe RENAME TO ungated_pipe`
        yield* sql`CREATE VIEW mover_pipe AS SELECT * FROM ungated_pipe WHERE passes_gate()`
        const openGate = yield* holdTransaction(sql`SELECT pg_advisory_xact_lock(42)`)
        const written = yield* Effect.forkChild(tagOf(write(ledger, owner)))
        yield* untilWaiting
        yield* sql`UPDATE ungated_pipe SET epoch = epoch + 1, owner_id = 'another' WHERE pipe_id = ${lawPipeId}`
        yield* openGate()
        assert.strictEqual(yield* Fiber.join(written), "OwnershipLost")
        assert.deepStrictEqual(yield* contents, before)
      }),
      "createDatabase"
    )

    law(
      `${name}: a writer that waits for the pipe's row writes nothing if another mover takes it, and writes if not`,
      Effect.fnUntraced(function* (ledger) {
        const owner = yield* beginPipe(ledger)
        const other = yield* beginPipe(ledger, otherPipeId)
        yield* ledger.record(owner, rangeOf("1", 5, 9))
        const sql = yield* SqlClient.SqlClient
        const hold = holdTransaction(sql`SELECT 1 FROM mover_pipe WHERE pipe_id = ${lawPipeId} FOR UPDATE`)
        const endFirst = yield* hold
        const first = yield* Effect.forkChild(tagOf(write(ledger, owner)))
        yield* untilWaiting
        // Other pipes do not wait for it.
        yield* ledger.record(other, rangeOf("0", 5, 9, otherPipeId))
        yield* endFirst()
        assert.strictEqual(yield* Fiber.join(first), "Written")
        const [next, before] = [rangeOf("2", 5, 9), yield* contents]
        const endSecond = yield* hold
        const second = yield* Effect.forkChild(
          Effect.all([tagOf(ledger.record(owner, next)), tagOf(ledger.markDone(owner, next, one))], unbounded)
        )
        yield* untilWaiting
        yield* endSecond(raiseEpoch)
        assert.deepStrictEqual(yield* Fiber.join(second), ["OwnershipLost", "OwnershipLost"])
        assert.deepStrictEqual(yield* contents, before)
      })
    )
  }

  law(
    "of ranges that are written together, one that is refused refuses no other",
    Effect.fnUntraced(function* (ledger) {
      const owner = yield* beginPipe(ledger)
      const other = yield* beginPipe(ledger, otherPipeId)
      yield* ledger.record(owner, rangeOf("4", 5, 9))
      yield* ledger.record(owner, rangeOf("5", 5, 9))
      const answers = yield* Effect.forEach(
        [
          ledger.record(owner, rangeOf("0", 5, 9)),
          ledger.record(owner, rangeOf("1", 4, 9)),
          ledger.record(owner, { ...rangeOf("2", 5, 9), generation: 2 }),
          ledger.record({ ...other, epoch: 0, id: "earlier" }, rangeOf("2", 5, 9, otherPipeId)),
          ledger.record(other, rangeOf("3", 5, 9, otherPipeId)),
          ledger.record(owner, { ...rangeOf("3", 5, 9), detail: `{"a":"it's ünï \\u0000"}`, rows: 2 ** 40, bytes: 3 }),
          ledger.markDone(owner, rangeOf("4", 5, 9), { rows: 2 ** 40, rejected: 1, bytes: 7 }),
          // A repeat of what is done already, after an answer that was lost.
          ledger.markDone(other, rangeOf("4", 0, 5, otherPipeId), one),
          ledger.markDone(owner, rangeOf("5", 5, 8), one)
        ],
        tagOf,
        unbounded
      )
      assert.deepStrictEqual(answers, [
        "Written",
        "LedgerChanged",
        "LedgerChanged",
        "OwnershipLost",
        "Written",
        "Written",
        "Written",
        "Written",
        "LedgerChanged"
      ])
      const [state, otherState] = [yield* ledger.state(lawPipeId), yield* ledger.state(otherPipeId)]
      assert.deepStrictEqual(
        state.pending.map(({ range }) => range).toSorted((a, b) => a.partition.localeCompare(b.partition)),
        [
          rangeOf("0", 5, 9),
          { ...rangeOf("3", 5, 9), detail: `{"a":"it's ünï \\u0000"}`, rows: 2 ** 40, bytes: 3 },
          rangeOf("5", 5, 9)
        ]
      )
      assert.deepStrictEqual(state.delivered, { rows: 2 ** 40 + 6, rejected: 1, bytes: 67 })
      assert.strictEqual(state.done.get("4"), "9")
      assert.deepStrictEqual(
        otherState.pending.map(({ range }) => range),
        [rangeOf("3", 5, 9, otherPipeId)]
      )
      assert.deepStrictEqual(otherState.delivered, { rows: 6, rejected: 0, bytes: 60 })
      // One transaction wrote those of both pipes: Postgres keeps in each row which one it was.
      const sql = yield* SqlClient.SqlClient
      const written = yield* sql`SELECT DISTINCT CAST(xmin AS TEXT) FROM mover_range WHERE partition_id IN ('0', '3')`
      assert.lengthOf(written, 1)
    })
  )

  law(
    "a range that Postgres cannot store fails alone",
    Effect.fnUntraced(function* (ledger) {
      const owner = yield* beginPipe(ledger)
      const [broken, whole] = yield* Effect.forEach(
        [{ ...rangeOf("0", 5, 9), detail: "\u0000" }, rangeOf("1", 5, 9)],
        (range) => Effect.exit(ledger.record(owner, range)),
        unbounded
      )
      assert.deepStrictEqual([broken?._tag, whole?._tag], ["Failure", "Success"])
      assert.deepStrictEqual(
        (yield* ledger.state(lawPipeId)).pending.map(({ range }) => range),
        [rangeOf("1", 5, 9)]
      )
    })
  )

  law(
    "of a mover that writes and one that takes the pipe at the same time, the ledger has what it said",
    Effect.fnUntraced(function* (ledger, open) {
      const next = yield* open
      let owner = yield* beginPipe(ledger)
      const last = new Map(partitionNames.map((name) => [name, 5]))
      let done = partitionNames.length
      for (let round = 0; round < 30; round += 1) {
        const recordAll = Effect.forEach(
          partitionNames,
          (name) => {
            const from = last.get(name) ?? 0
            const range = rangeOf(name, from, from + 1)
            return Effect.all([tagOf(ledger.record(owner, range)), tagOf(ledger.markDone(owner, range, one))])
          },
          unbounded
        )
        // The other mover takes the pipe while the ranges are written, a little later in each round.
        const take = Effect.andThen(Effect.sleep(`${round % 6} millis`), next.take(lawPipeId))
        const [answers, taken] = yield* Effect.all([recordAll, take], unbounded)
        const state = yield* next.state(lawPipeId)
        for (const [index, name] of partitionNames.entries()) {
          const [recorded, marked] = answers[index] ?? []
          const from = last.get(name) ?? 0
          assert.include(["Written", "OwnershipLost"], recorded)
          const to = recorded === "Written" ? from + 1 : from
          assert.strictEqual(state.recorded.get(name), String(to), name)
          assert.strictEqual(state.done.get(name), String(marked === "Written" ? to : from), name)
          if (marked === "Written") done += 1
          else if (recorded === "Written") {
            yield* next.markDone(taken, rangeOf(name, from, to), one)
            done += 1
          }
          last.set(name, to)
        }
        assert.strictEqual((yield* next.state(lawPipeId)).delivered.rows, done)
        owner = yield* ledger.take(lawPipeId)
      }
    })
  )

  it.live("an owner whose backup was restored writes none of several ranges", () =>
    Effect.gen(function* () {
      const url = yield* (yield* postgres).lendDatabase
      const context = yield* Layer.build(Layer.fresh(Postgres.layer({ url })))
      const { backup, ledger } = yield* Effect.provideContext(ledgerUnderTest, context)
      yield* beginPipe(ledger)
      const restore = yield* Effect.provideContext(backup, context)
      const lost = yield* ledger.take(lawPipeId)
      for (const partition of partitionNames) yield* ledger.record(lost, rangeOf(partition, 5, 9))
      yield* restore
      const all = (write: (partition: string) => Effect.Effect<void, { readonly _tag: string }>) =>
        Effect.map(
          Effect.forEach(partitionNames, (partition) => tagOf(write(partition)), unbounded),
          (tags) => Array.from(new Set(tags))
        )
      const recordAll = all((partition) => ledger.record(lost, rangeOf(partition, 9, 12)))
      const markAll = all((partition) => ledger.markDone(lost, rangeOf(partition, 5, 9), one))
      assert.deepStrictEqual([yield* recordAll, yield* markAll], [["LedgerChanged"], ["LedgerChanged"]])
      const next = yield* ledger.take(lawPipeId)
      assert.strictEqual(next.epoch, lost.epoch)
      assert.deepStrictEqual([yield* recordAll, yield* markAll], [["OwnershipLost"], ["OwnershipLost"]])
      assert.deepStrictEqual(yield* all((partition) => ledger.record(next, rangeOf(partition, 5, 7))), ["Written"])
    }).pipe(Effect.scoped)
  )

  law(
    "a mover that is interrupted leaves nothing on its way",
    Effect.fnUntraced(function* (ledger) {
      const owner = yield* beginPipe(ledger)
      for (let from = 5; from < 65; from += 1) {
        const writers = yield* Effect.forEach(partitionNames, (partition) => {
          const range = rangeOf(partition, from, from + 1)
          return Effect.forkChild(Effect.andThen(ledger.record(owner, range), ledger.markDone(owner, range, one)))
        })
        yield* Effect.sleep(`${from % 4} millis`)
        yield* Fiber.interruptAll(writers)
        const state = yield* ledger.state(lawPipeId)
        assert.deepStrictEqual((yield* ledger.state(lawPipeId)).recorded, state.recorded)
        // As a mover goes on: what is pending is replayed, and the next range follows.
        for (const { range } of state.pending) yield* ledger.markDone(owner, range, one)
        for (const partition of partitionNames) {
          if (state.recorded.get(partition) === String(from + 1)) continue
          yield* ledger.record(owner, rangeOf(partition, from, from + 1))
          yield* ledger.markDone(owner, rangeOf(partition, from, from + 1), one)
        }
      }
      const { delivered } = yield* ledger.state(lawPipeId)
      assert.strictEqual(delivered.rows, 61 * partitionNames.length)
    })
  )
})
