import { assert, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import { Ledger, type MoveOptions, movePipe, type MoverStatus, Source, Warehouse } from "@headgate/mover"
import { MemoryLedger, MemorySource } from "@headgate/mover/memory"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { ClickHouse, type ClickHouseWarehouseOptions } from "../src/index.ts"
import { describeChdb, embedded, overHttp, startServer } from "./support/chdb.ts"
import { openPipe } from "./support/databases.ts"

const pipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000c2")

const options: MoveOptions = {
  pipeId,
  limits: { rows: 50_000, bytes: 10_000_000, wait: Duration.millis(50) },
  inFlight: 2,
  partsPerInsert: 1,
  pipesOnTable: 1,
  report: () => Effect.void
}

/** A pipe from a source in memory to a table of the engine. */
const makePipe = Effect.fnUntraced(function* (
  engine: ClickHouse["Service"],
  change: Partial<ClickHouseWarehouseOptions> = {},
  create?: (database: string) => string
) {
  const columns = [
    { name: "n", type: "UInt32" },
    { name: "text", type: "String" }
  ]
  const destination = { columns, tableDefinition: { sortingKey: ["n"] } }
  const { database, lines, warehouse } = yield* openPipe(engine, destination, create, change)
  const source = MemorySource.make()
  const ledger = MemoryLedger.make()
  const layer = Layer.mergeAll(
    Layer.succeed(Source, source.source),
    Layer.succeed(Warehouse, warehouse),
    Layer.succeed(Ledger, ledger.ledger)
  )
  const one = (sql: string) => Effect.map(lines(sql), ([line]): unknown => JSON.parse(line ?? "null"))
  return {
    source,
    database,
    move: (change: Partial<MoveOptions> = {}) => Effect.provide(movePipe({ ...options, ...change }), layer),
    /** Moves until a range is in the table, and dies before it is in the log. */
    dieBeforeLog: Effect.gen(function* () {
      const inserted = yield* Deferred.make<void>()
      const log = () => Effect.andThen(Deferred.succeed(inserted, undefined), Effect.never)
      const mover = Effect.provide(
        movePipe(options),
        Layer.merge(layer, Layer.succeed(Warehouse, { ...warehouse, log }))
      )
      yield* Effect.raceFirst(mover, Deferred.await(inserted))
    }),
    first: one(`SELECT * FROM ${database}.t LIMIT 1`),
    firstRejected: one(`SELECT raw_message FROM ${database}.t_pipe_errors LIMIT 1`),
    counts: one(`SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(n)) AS uniq FROM ${database}.t`),
    rejected: one(
      `SELECT toUInt32(count()) AS rows, arraySort(groupArray(toUInt32(range_row))) AS numbers, groupUniqArray(error LIKE '%out of the range of UInt32%') AS reasons FROM ${database}.t_pipe_errors`
    ),
    rejectedRows: one(
      `SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(raw_message)) AS uniq FROM ${database}.t_pipe_errors`
    )
  }
})

const rowsOf = (count: number, isBad: (n: number) => boolean) =>
  Array.from({ length: count }, (_, n) => `{"n":${isBad(n) ? `${n + 1}00000000000` : n},"text":"row ${n}"}`)

const build = (layer: Layer.Layer<ClickHouse, unknown>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, ClickHouse))

describeChdb("a pipe into the engine", () => {
  it.live("moves 49,990 of 50,000 rows and 10 to the error table, with their numbers and reasons", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const pipe = yield* makePipe(yield* build(embedded))
        const places = new Set([1, 2, 3, 500, 7000, 7001, 20_000, 30_000, 49_998, 49_999])
        yield* pipe.source.append("0", ...rowsOf(50_000, (n) => places.has(n)))
        yield* pipe.source.end
        assert.strictEqual((yield* pipe.move())._tag, "Completed")
        assert.deepStrictEqual(yield* pipe.counts, { rows: 49_990, uniq: 49_990 })
        assert.deepStrictEqual(yield* pipe.rejected, { rows: 10, numbers: [...places], reasons: [1] })
      })
    )
  )

  it.live("writes mapped fields to their columns, and keeps the whole message of a rejected row", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const fieldMappings = [
          { sourceField: "id", destinationField: "n" },
          { sourceField: "_key", destinationField: "text" }
        ]
        const pipe = yield* makePipe(yield* build(embedded), { fieldMappings })
        const bad = `{"id":"one","_key":"k","other":[1,2]}`
        yield* pipe.source.append("0", `{"id":1,"_key":"k","text":"not this one"}`, bad)
        yield* pipe.source.end
        assert.strictEqual((yield* pipe.move())._tag, "Completed")
        assert.deepStrictEqual(yield* pipe.first, { n: 1, text: "k" })
        assert.deepStrictEqual(yield* pipe.firstRejected, { raw_message: bad })
      })
    )
  )

  it.live("is Failed if a field is mapped to no column of the table", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const fieldMappings = [{ sourceField: "id", destinationField: "missing" }]
        const end = yield* (yield* makePipe(yield* build(embedded), { fieldMappings })).move()
        assert.deepStrictEqual(end, {
          _tag: "Failed",
          message: "fieldMappings[0].destinationField: Expected a column of the destination, each once, got missing"
        })
      })
    )
  )

  for (const [kind, layer] of [
    ["embedded", Effect.succeed(embedded)],
    ["over HTTP", Effect.map(startServer(), (front) => overHttp(front))]
  ] as const) {
    it.live(`goes on after a range of nothing but rejected rows: one, and 50,000 of 50,000, ${kind}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          for (const count of [1, 50_000]) {
            const pipe = yield* makePipe(yield* build(yield* layer))
            yield* pipe.source.append("0", ...rowsOf(count + 1, () => true).slice(1))
            yield* pipe.source.end
            const reports: Array<MoverStatus> = []
            const report = (status: MoverStatus) => Effect.sync(() => void reports.push(status))
            assert.strictEqual((yield* pipe.move({ report, retryTimeout: Duration.seconds(1) }))._tag, "Completed")
            assert.strictEqual(reports.at(-1)?.rejectedRows, count)
            assert.deepStrictEqual(yield* pipe.counts, { rows: 0, uniq: 0 })
            assert.deepStrictEqual(yield* pipe.rejectedRows, { rows: count, uniq: count })
          }
        })
      )
    )
  }

  it.live("loses none of 50,000 rejected rows", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const pipe = yield* makePipe(yield* build(embedded))
        yield* pipe.source.append("0", ...rowsOf(50_000, () => true))
        yield* pipe.source.end
        assert.strictEqual((yield* pipe.move())._tag, "Completed")
        assert.deepStrictEqual(yield* pipe.counts, { rows: 0, uniq: 0 })
        assert.deepStrictEqual(yield* pipe.rejectedRows, { rows: 50_000, uniq: 50_000 })
      })
    )
  )

  it.live("over HTTP has no row if all are rejected", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const pipe = yield* makePipe(yield* build(overHttp(yield* startServer())))
        yield* pipe.source.append("0", ...rowsOf(3, () => true))
        yield* pipe.source.end
        assert.strictEqual((yield* pipe.move())._tag, "Completed")
        assert.deepStrictEqual(yield* pipe.counts, { rows: 0, uniq: 0 })
        assert.deepStrictEqual(yield* pipe.rejectedRows, { rows: 3, uniq: 3 })
      })
    )
  )

  it.live("over HTTP has each row once although its connections break and its movers are killed", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const front = yield* startServer()
        const pipe = yield* makePipe(yield* build(overHttp(front)))
        yield* pipe.source.append("0", ...rowsOf(20_000, () => false))
        const limits = { ...options.limits, rows: 1000 }
        for (const [life, breaks] of [10, 900, 1, 500, 999].entries()) {
          yield* front.breakNextInsert(breaks)
          yield* pipe.move({ limits }).pipe(Effect.timeoutOption(Duration.millis(200 + life * 150)))
        }
        yield* pipe.source.end
        assert.strictEqual((yield* pipe.move({ limits }))._tag, "Completed")
        assert.deepStrictEqual(yield* pipe.counts, { rows: 20_000, uniq: 20_000 })
      })
    )
  )

  it.live("asks what to do with a range of which the table has forgotten the token, and has each row once", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const engine = yield* build(embedded)
        const pipe = yield* makePipe(
          engine,
          {},
          (
            database
          ) => `CREATE TABLE ${database}.t (n UInt32, text String) ENGINE = MergeTree PARTITION BY if(n < 1000, 0, n)
            ORDER BY n SETTINGS non_replicated_deduplication_window = 10000, parts_to_delay_insert = 100000, parts_to_throw_insert = 100000`
        )
        yield* pipe.source.append("0", ...rowsOf(100, () => false))
        yield* pipe.dieBeforeLog
        assert.deepStrictEqual(yield* pipe.counts, { rows: 100, uniq: 100 })
        // Each row is in a partition of its own, so the table remembers a token for each.
        yield* engine.run(
          `INSERT INTO ${pipe.database}.t SETTINGS insert_deduplicate = 1, insert_deduplication_token = 'another pipe',
          max_partitions_per_insert_block = 0, max_block_size = 100000, max_threads = 1
          SELECT 1000 + number, '' FROM numbers(10001)`
        )
        yield* pipe.source.end
        const end = yield* pipe.move()
        assert.deepStrictEqual(yield* pipe.counts, { rows: 10_101, uniq: 10_101 })
        assert.strictEqual(end._tag, "Failed")
        for (const flag of ["--replay", "--skip"]) assert.include(end.message ?? "", flag)
        assert.strictEqual((yield* pipe.move({ decision: { pending: "skip" } }))._tag, "Completed")
        assert.deepStrictEqual(yield* pipe.counts, { rows: 10_101, uniq: 10_101 })
      })
    )
  )
})
