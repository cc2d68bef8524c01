import { assert, describe, it } from "@effect/vitest"
import { fixtureIds, pipeRequests } from "@headgate/conformance/fixtures"
import { PipeCreate, type PipeId, Pipes, type Snapshot, Snapshots } from "@headgate/core"
import { decodeRequest, StoredServices } from "@headgate/core/adapter"
import { Ledger, movePipe, type Range, Source, Warehouse } from "@headgate/mover"
import { lawPipeId, ledgerLaws } from "@headgate/mover/laws"
import { MemorySource, MemoryWarehouse } from "@headgate/mover/memory"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { copyFileSync } from "node:fs"
import { NodeSqlite, SqlAdapter, SqlMigrations } from "../src/index.ts"
import { SqlLedger } from "../src/mover/index.ts"
import { insertPipes, ledgerTables, ledgerUnderTest } from "./support/ledgers.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"
import { layerTemporary, temporaryFilename } from "./temporaryDatabase.ts"

const inMemory = Effect.map(Layer.build(Layer.fresh(SqlAdapter.layerSqlite({ filename: ":memory:" }))), (context) =>
  Effect.provideContext(context)
)
const inFile = Effect.map(Layer.build(Layer.fresh(layerTemporary())), (context) => Effect.provideContext(context))

ledgerLaws({ name: "SQLite in memory", make: Effect.flatMap(inMemory, (provide) => provide(ledgerUnderTest)) })
ledgerLaws({ name: "SQLite file", make: Effect.flatMap(inFile, (provide) => provide(ledgerUnderTest)) })

const rangeOf = (from: number, to: number, change: Partial<Range> = {}): Range => ({
  pipeId: lawPipeId,
  generation: 1,
  source: "topic",
  partition: "0",
  from: String(from),
  to: String(to),
  ...change
})

const address = { organizationId: fixtureIds.organizations.acme, serviceId: fixtureIds.services.ingest }
const organization: Snapshot = {
  organizations: [{ id: address.organizationId, name: "x", services: [{ id: address.serviceId, name: "x" }] }]
}

const begin = Effect.fnUntraced(function* (pipeId: PipeId) {
  const ledger = yield* Ledger
  const owner = yield* ledger.take(pipeId)
  yield* ledger.begin(owner, { generation: 1, source: "topic", starts: new Map() })
  return { ledger, owner }
})

const counts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(ledgerTables, (table) =>
    Effect.map(sql`SELECT * FROM ${sql(table)}`, ({ length }) => length)
  )
})

/** What a server of the version before writes: it knows nothing of the columns that say where a partition is. */
const versionBefore = (sql: SqlClient.SqlClient) => ({
  take: sql`
    INSERT INTO mover_pipe (pipe_id, epoch, owner_id)
    SELECT id, 1, 'before' FROM pipe WHERE id = ${lawPipeId}
    ON CONFLICT (pipe_id) DO UPDATE SET epoch = mover_pipe.epoch + 1, owner_id = excluded.owner_id
    RETURNING epoch`,
  record: ({ from, partition, to }: Range) => sql`
    INSERT INTO mover_range
      (pipe_id, partition_id, from_position, to_position, detail, inserts_before, planned_rows, boot, boot_seconds)
    VALUES (${lawPipeId}, ${partition}, ${from}, ${to}, NULL, NULL, 1, 'a start', 0)`,
  markDone: ({ from, partition, to }: Range) =>
    Effect.all([
      sql`
      DELETE FROM mover_range
      WHERE pipe_id = ${lawPipeId} AND partition_id = ${partition} AND from_position = ${from} AND to_position = ${to}`,
      sql`UPDATE mover_pipe SET delivered_rows = delivered_rows + 1, rejected_rows = rejected_rows + 0
        WHERE pipe_id = ${lawPipeId}`,
      sql`
      INSERT INTO mover_partition (pipe_id, partition_id, done_to, done_detail)
      VALUES (${lawPipeId}, ${partition}, ${to}, NULL)
      ON CONFLICT (pipe_id, partition_id)
      DO UPDATE SET done_to = excluded.done_to, done_detail = excluded.done_detail`
    ])
})

/** What holds in both databases. */
const laws = <E, R>(
  name: string,
  inStore: <A, E2>(
    effect: Effect.Effect<A, E2, Ledger | Pipes | Snapshots | StoredServices | SqlClient.SqlClient>
  ) => Effect.Effect<A, E | E2, R>
) => {
  const law = (
    title: string,
    body: Effect.Effect<void, unknown, Ledger | Pipes | Snapshots | StoredServices | SqlClient.SqlClient>
  ) => it.live(`${name}: ${title}`, () => inStore(body) as Effect.Effect<void, unknown>)

  law(
    "the tables grow with the partitions, and not with what is moved",
    Effect.gen(function* () {
      yield* insertPipes(lawPipeId)
      const { ledger, owner } = yield* begin(lawPipeId)
      for (let from = 0; from < 100; from += 1) {
        const range = rangeOf(from, from + 1, { partition: String(from % 3), from: String(Math.floor(from / 3)) })
        const moved = { ...range, to: String(Math.floor(from / 3) + 1) }
        yield* ledger.record(owner, moved)
        yield* ledger.markDone(owner, moved, { rows: 1, rejected: 0, bytes: 1 })
      }
      assert.deepStrictEqual(yield* counts, [1, 3, 0])
    })
  )

  law(
    "ranges that a server of the version before has written are neither recorded twice nor left out",
    Effect.gen(function* () {
      yield* insertPipes(lawPipeId)
      const { ledger, owner } = yield* begin(lawPipeId)
      const one = { rows: 1, rejected: 0, bytes: 1 }
      const inOther = (from: number, to: number) => rangeOf(from, to, { partition: "1" })
      for (const range of [rangeOf(0, 5), rangeOf(5, 9)]) {
        yield* ledger.record(owner, range)
        yield* ledger.markDone(owner, range, one)
      }
      const before = versionBefore(yield* SqlClient.SqlClient)
      yield* before.take
      for (const range of [rangeOf(9, 12), rangeOf(12, 15), inOther(0, 3)]) yield* before.record(range)
      yield* before.markDone(rangeOf(9, 12))
      const next = yield* ledger.take(lawPipeId)
      const state = yield* ledger.state(lawPipeId)
      assert.deepStrictEqual(Array.from(state.recorded).toSorted(), [
        ["0", "15"],
        ["1", "3"]
      ])
      const tags = yield* Effect.forEach(
        [
          ledger.record(owner, rangeOf(15, 16)),
          ledger.record(next, rangeOf(9, 10)),
          ledger.record(next, rangeOf(12, 13)),
          ledger.record(next, inOther(0, 3)),
          ledger.markDone(next, rangeOf(5, 9), one),
          ledger.record(next, rangeOf(15, 20)),
          ledger.record(next, inOther(3, 6)),
          ledger.markDone(next, rangeOf(15, 20), one),
          ledger.markDone(next, inOther(3, 6), one),
          ledger.markDone(next, rangeOf(12, 15), one),
          ledger.markDone(next, inOther(0, 3), one),
          ledger.markDone(next, rangeOf(15, 20), one),
          ledger.markDone(next, inOther(3, 6), one)
        ],
        (write) => Effect.map(Effect.result(write), (result) => ("failure" in result ? result.failure._tag : "Written"))
      )
      const refused = "LedgerChanged"
      assert.deepStrictEqual(tags.slice(0, 5), ["OwnershipLost", refused, refused, refused, refused])
      assert.deepStrictEqual(tags.slice(5, 9), ["Written", "Written", refused, refused])
      assert.deepStrictEqual(tags.slice(9), ["Written", "Written", "Written", "Written"])
      const after = yield* ledger.state(lawPipeId)
      assert.deepStrictEqual([after.pending, after.delivered], [[], { rows: 7, rejected: 0, bytes: 6 }])
      // It takes the pipe again.
      yield* before.take
      yield* before.record(rangeOf(20, 25))
      const last = yield* ledger.take(lawPipeId)
      assert.strictEqual((yield* Effect.flip(ledger.record(last, rangeOf(20, 21))))._tag, refused)
      yield* ledger.record(last, rangeOf(25, 26))
    })
  )

  law(
    "a staging that was recorded before moves were marked may have moves that have begun",
    Effect.gen(function* () {
      yield* insertPipes(lawPipeId)
      const { ledger, owner } = yield* begin(lawPipeId)
      yield* ledger.record(owner, rangeOf(0, 5))
      const sql = yield* SqlClient.SqlClient
      const staged = { staging: "a", parts: [{ part: "1", rows: 2 }] }
      yield* sql`UPDATE mover_range SET staged = ${JSON.stringify({ ...staged, moved: [] })}`
      assert.deepStrictEqual((yield* ledger.state(lawPipeId)).pending[0]?.staged, {
        ...staged,
        moved: new Set<string>(),
        moving: new Map([["1", ""]])
      })
    })
  )

  law(
    "a pipe that the store does not have cannot be taken",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const error = yield* Effect.flip(ledger.take(lawPipeId))
      assert.strictEqual(error.message, `there is no pipe ${lawPipeId}`)
    })
  )

  for (const removal of ["pipe", "service", "organization", "store"] as const) {
    law(
      `nothing is left of a pipe after the removal of its ${removal}, and its mover finds nothing`,
      Effect.gen(function* () {
        yield* Snapshots.use((snapshots) => snapshots.import(organization))
        const request = yield* decodeRequest(PipeCreate)(pipeRequests.kafka)
        const { id: pipeId } = yield* Pipes.use((pipes) => pipes.create(address, request))
        const { ledger, owner } = yield* begin(pipeId)
        yield* ledger.record(owner, rangeOf(0, 5, { pipeId }))
        yield* ledger.markDone(owner, rangeOf(0, 5, { pipeId }), { rows: 1, rejected: 0, bytes: 1 })
        yield* ledger.record(owner, rangeOf(5, 9, { pipeId }))
        assert.deepStrictEqual(yield* counts, [1, 1, 1])
        const empty: Snapshot = { organizations: [] }
        if (removal === "pipe") yield* Pipes.use((pipes) => pipes.delete({ ...address, pipeId }))
        if (removal === "service") yield* StoredServices.use((stored) => stored.remove(address))
        if (removal === "organization") {
          yield* StoredServices.use((stored) => stored.removeOrganization(address.organizationId))
        }
        if (removal === "store") yield* Snapshots.use((snapshots) => snapshots.replace(empty))
        assert.deepStrictEqual(yield* counts, [0, 0, 0])
        assert.strictEqual((yield* Effect.flip(ledger.check(owner)))._tag, "LedgerChanged")
        assert.strictEqual((yield* Effect.flip(ledger.record(owner, rangeOf(9, 12, { pipeId }))))._tag, "LedgerChanged")
        assert.strictEqual((yield* Effect.flip(ledger.take(pipeId)))._tag, "LedgerError")
        assert.deepStrictEqual(yield* counts, [0, 0, 0])
      })
    )
  }

  law(
    "a pending range is as old as the machine says, and infinitely old after its next start",
    Effect.gen(function* () {
      yield* insertPipes(lawPipeId)
      const { ledger, owner } = yield* begin(lawPipeId)
      yield* ledger.record(owner, rangeOf(0, 5))
      const sql = yield* SqlClient.SqlClient
      const age = Effect.map(ledger.state(lawPipeId), ({ pending: [first] }) => first?.age ?? Duration.zero)
      yield* sql`UPDATE mover_range SET boot_seconds = boot_seconds - 7200`
      const hours = Duration.toHours(yield* age)
      assert.isAtLeast(hours, 2)
      assert.isBelow(hours, 3)
      for (const later of [sql`boot_seconds = boot_seconds + 1000000000`, sql`boot = 'another start'`]) {
        yield* sql`UPDATE mover_range SET ${later}`
        assert.isFalse(Duration.isFinite(yield* age))
      }
    })
  )
}

laws("SQLite", (effect) =>
  Effect.scoped(
    Effect.provide(
      effect,
      Layer.provideMerge(SqlLedger.layer, Layer.fresh(SqlAdapter.layerSqlite({ filename: ":memory:" })))
    )
  )
)

describePostgres("the ledger over Postgres", (postgres) => {
  const store = Effect.flatMap(postgres, ({ lendDatabase }) =>
    Effect.map(lendDatabase, (url) =>
      Layer.provideMerge(SqlLedger.layer, Layer.fresh(SqlAdapter.layerPostgres({ url, sealingKey })))
    )
  )
  ledgerLaws({
    name: "Postgres",
    make: Effect.flatMap(Effect.flatMap(store, Layer.build), (context) =>
      Effect.provideContext(ledgerUnderTest, context)
    )
  })
  laws("Postgres", (effect) => Effect.scoped(Effect.flatMap(store, (layer) => Effect.provide(effect, layer))))

  it.live("an outage is a LedgerError, and the ledger goes on afterwards", () =>
    Effect.gen(function* () {
      const { whileStopped } = yield* postgres
      yield* insertPipes(lawPipeId)
      const { ledger, owner } = yield* begin(lawPipeId)
      const error = yield* whileStopped(Effect.flip(ledger.record(owner, rangeOf(0, 5))))
      assert.strictEqual(error._tag, "LedgerError")
      yield* ledger.record(owner, rangeOf(0, 5))
    }).pipe((effect) => Effect.scoped(Effect.flatMap(store, (layer) => Effect.provide(effect, layer))))
  )
})

describe("a mover over a ledger in a SQLite file", () => {
  it.live("that was restored from an older copy of the file is Failed with both positions", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      const source = MemorySource.make()
      const warehouse = MemoryWarehouse.make()
      const store = SqlMigrations.layer.pipe(Layer.provideMerge(NodeSqlite.layer({ filename })))
      const move = Effect.fnUntraced(function* (...rows: ReadonlyArray<string>) {
        yield* source.append("0", ...rows)
        yield* source.end
        const parts = Layer.mergeAll(
          Layer.succeed(Source, source.source),
          Layer.succeed(Warehouse, warehouse.warehouse),
          Layer.provide(SqlLedger.layer, Layer.fresh(store))
        )
        return yield* Effect.provide(
          movePipe({
            pipeId: lawPipeId,
            limits: { rows: 10, bytes: 1000, wait: Duration.millis(1) },
            inFlight: 1,
            partsPerInsert: 1,
            pipesOnTable: 1,
            report: () => Effect.void
          }),
          parts
        )
      })
      yield* Effect.provide(insertPipes(lawPipeId), Layer.fresh(store))
      assert.strictEqual((yield* move("a", "b", "c"))._tag, "Completed")
      yield* Effect.sync(() => copyFileSync(filename, `${filename}.copy`))
      assert.strictEqual((yield* move("d", "e"))._tag, "Completed")
      yield* Effect.sync(() => copyFileSync(`${filename}.copy`, filename))
      const end = yield* move("f")
      assert.strictEqual(end._tag, "Failed")
      assert.include(end.message ?? "", "partition 0 is at 3 in the ledger and at 5 in the warehouse")
      assert.lengthOf(yield* warehouse.rows, 5)
    }).pipe(Effect.scoped)
  )
})
