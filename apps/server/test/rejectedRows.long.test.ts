import { assert, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot } from "@headgate/conformance/fixtures"
import { type BeforeQuery, type PipeAddress, PipeCreate, Pipes, type RejectedRow } from "@headgate/core"
import { MovedPipes, PipeMover } from "@headgate/core/adapter"
import { MemoryAdapter } from "@headgate/memory-adapter"
import { makeAllowedSources, makePipeMover } from "@headgate/mover-runtime"
import { MemoryLeases, MemoryLedger } from "@headgate/mover/memory"
import { ClickHouse, ClickHouseWarehouse, EngineFailure } from "@headgate/mover-clickhouse"
import { Warehouse } from "@headgate/mover"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Buffer } from "node:buffer"
import { describeChdb, embedded } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { clickHouseEngine } from "../src/mover/clickHouseEngine.ts"
import { connectors } from "../src/mover/connectors.ts"

const { organizations, services } = fixtureIds
const acme = { organizationId: organizations.acme, serviceId: services.ingest }
const globex = { organizationId: organizations.globex, serviceId: services.globex }

const bound: typeof PipeMover.Service = {
  ...PipeMover.defaultValue(),
  warehouses: new Set(["*"]),
  checkDestination: () => Effect.succeed("*")
}
const kafka = { kafka: { type: "kafka", format: "JSONEachRow", brokers: "b:9092", topics: "t" } }
const mapping = (targetTable: string) => ({ sourceSchemaName: "public", sourceTable: targetTable, targetTable })
const postgres = (tables: ReadonlyArray<string>) => ({
  postgres: {
    type: "postgres",
    host: "db",
    port: 5432,
    database: "shop",
    credentials: { username: "u", password: "p" },
    settings: { replicationMode: "cdc" },
    tableMappings: tables.map(mapping)
  }
})

/** A row of an error table, as a mover writes it, but for its time. */
interface Row {
  readonly pipe: PipeAddress
  readonly at: string
  readonly row: number
  readonly message?: Uint8Array
  /** An expression of the engine for a message that no statement holds. */
  readonly sql?: string
}

let databases = 0

/** A store with two organizations, a database of the engine, and the mover of a server that has it as its warehouse. */
const makeEnvironment = Effect.gen(function* () {
  const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
  const database = `rejected_${process.pid}_${(databases += 1)}`
  yield* engine.run(`CREATE DATABASE ${database}`)
  yield* Effect.addFinalizer(() => Effect.ignore(engine.run(`DROP DATABASE ${database}`)))
  const store = yield* Layer.build(MemoryAdapter.layer({ snapshot: yield* fixtureSnapshot }))
  const [pipes, moved] = [Context.get(store, Pipes), Context.get(store, MovedPipes)]
  const moverOver = (engine: ClickHouse["Service"]) =>
    makePipeMover(
      {
        moved,
        connectors,
        engines: new Map([["*", clickHouseEngine(engine, "neutral")]]),
        store: { ledger: MemoryLedger.make().ledger, metrics: MemoryLeases.make() },
        allowed: makeAllowedSources([]),
        retryTimeout: Duration.hours(1)
      },
      new Map(),
      { simulateUnsupported: false }
    )
  const mover = yield* moverOver(engine)
  const create = Effect.fnUntraced(function* (
    place: typeof acme,
    table: string | undefined,
    source: object = kafka,
    by = bound
  ) {
    const destination = {
      database,
      ...(table === undefined
        ? {}
        : {
            table,
            managedTable: true,
            columns: [{ name: "n", type: "Int32" }],
            tableDefinition: { sortingKey: ["n"] }
          })
    }
    const request = Schema.decodeUnknownSync(PipeCreate)({ name: "p", source, destination })
    const { id } = yield* pipes.create(place, request).pipe(Effect.provideService(PipeMover, by))
    const address: PipeAddress = { ...place, pipeId: id }
    return address
  })
  /** Creates the error table of a table, as the mover of a pipe does. */
  const open = Effect.fnUntraced(function* ({ pipeId }: PipeAddress, table: string) {
    const destination = { database, table, managedTable: true, columns: [{ name: "n", type: "Int32" }] }
    const layer = ClickHouseWarehouse.layer({
      destination: { ...destination, tableDefinition: { engine: { type: "MergeTree" }, sortingKey: ["n"] } }
    }).pipe(Layer.provide(Layer.succeed(ClickHouse, engine)))
    yield* Context.get(yield* Layer.build(layer), Warehouse).open(pipeId, 100)
  })
  const insert = (table: string, rows: ReadonlyArray<Row>) =>
    Effect.forEach(rows, ({ at, message = Buffer.from("m"), pipe, row, sql = "base64Decode({message:String})" }) =>
      engine.run(
        `INSERT INTO ${database}.${table}_pipe_errors
          (pipe_id, generation, source, partition, range_from, range_to, range_row, error, raw_message, time)
        SELECT {pipe:String}, 1, 'orders', '0', '5', '9', ${row}, 'n: Expected a number',
          ${sql}, toDateTime64({at:String}, 3, 'UTC')`,
        { pipe: pipe.pipeId, at, message: Buffer.from(message).toString("base64") }
      )
    )
  const errors = (address: PipeAddress, query: BeforeQuery = {}, by: typeof mover = mover) =>
    pipes.errors(address, query).pipe(Effect.provideService(PipeMover, by))
  /** All rejected rows of a pipe, page by page, and how many each page had. */
  const allErrors = Effect.fnUntraced(function* (address: PipeAddress, limit: number) {
    const [rows, pages]: [Array<RejectedRow>, Array<number>] = [[], []]
    for (let before: string | undefined; ;) {
      const page: ReadonlyArray<RejectedRow> = yield* errors(
        address,
        before === undefined ? { limit } : { limit, before }
      )
      if (page.length === 0) return { rows, pages }
      rows.push(...page)
      pages.push(page.length)
      before = page.at(-1)?.position
    }
  })
  return { engine, database, pipes, create, open, insert, errors, allErrors, moverOver }
})

type Environment = Effect.Success<typeof makeEnvironment>

const test = (title: string, body: (environment: Environment) => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(title, () => Effect.scoped(Effect.flatMap(makeEnvironment, body)))

/** An hour of yesterday, as ClickHouse writes it: error tables forget rows of a week ago. */
const yesterdayAt = (time: string) => `${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)} ${time}`
const [early, late] = [yesterdayAt("10:00:00.000"), yesterdayAt("10:00:00.001")]

describeChdb("the rejected rows of a pipe", () => {
  test("of an error table that two pipes share, only the rows of the pipe, with what was written", (to) =>
    Effect.gen(function* () {
      const [one, other] = [yield* to.create(acme, "events"), yield* to.create(acme, "events")]
      assert.deepStrictEqual(yield* to.errors(one), [], "the table is not there yet")
      yield* to.open(one, "events")
      yield* to.insert("events", [
        { pipe: one, at: early, row: 0, message: Buffer.from('{"n":"x"}') },
        { pipe: other, at: late, row: 1 }
      ])
      const [found, ...more] = yield* to.errors(one)
      assert.deepStrictEqual(more, [])
      const { at, position, ...fields } = found ?? assert.fail("no row")
      assert.strictEqual(at.toString(), `DateTime.Utc(${early.replace(" ", "T")}Z)`)
      assert.match(position, new RegExp(`^${Date.parse(`${early.replace(" ", "T")}Z`)}-\\d+$`))
      assert.deepStrictEqual<unknown>(fields, {
        table: "events",
        source: "orders",
        partition: "0",
        from: "5",
        to: "9",
        row: 0,
        error: "n: Expected a number",
        bytes: 9,
        isCut: false,
        message: '{"n":"x"}'
      })
      assert.deepStrictEqual(
        (yield* to.errors(other)).map(({ row }) => row),
        [1]
      )
    }))

  test("pages of rows of one millisecond have each row once", (to) =>
    Effect.gen(function* () {
      const [one, other] = [yield* to.create(acme, "events"), yield* to.create(acme, "events")]
      yield* to.open(one, "events")
      const rows = Array.from({ length: 7 }, (_, row) => row)
      yield* to.insert(
        "events",
        rows.map((row) => ({ pipe: one, at: row < 5 ? early : late, row }))
      )
      yield* to.insert(
        "events",
        rows.map((row) => ({ pipe: other, at: early, row: row + 100 }))
      )
      const { pages, rows: found } = yield* to.allErrors(one, 2)
      assert.deepStrictEqual(pages, [2, 2, 2, 1])
      assert.sameMembers(
        found.slice(0, 2).map(({ row }) => row),
        [5, 6]
      )
      assert.sameMembers(
        found.slice(2).map(({ row }) => row),
        [0, 1, 2, 3, 4]
      )
      for (const before of ["999999999999999-99999999999999999999", "0-0"]) {
        assert.lengthOf(yield* to.errors(one, { before }), before === "0-0" ? 0 : 7)
      }
      for (const query of [{ before: "1" }, { before: "1-1' OR 1" }, { limit: 0 }, { limit: 101 }]) {
        assert.strictEqual((yield* Effect.flip(to.errors(one, query)))._tag, "InvalidRequest")
      }
    }))

  test("hostile messages: control characters, no UTF-8, and one that is cut in the middle of a character", (to) =>
    Effect.gen(function* () {
      const one = yield* to.create(acme, "events")
      yield* to.open(one, "events")
      const script = "<script>\0\u001b[31m'); DROP TABLE x --"
      const messages = [
        Buffer.from(script),
        Buffer.from([0xff, 0xfe]),
        Buffer.from("see below"),
        Buffer.from("é".repeat(32 * 1024)),
        Buffer.alloc(0)
      ]
      yield* to.insert(
        "events",
        messages.map((message, row) => ({
          pipe: one,
          at: early,
          row,
          message,
          // 1 MiB and a byte, of two bytes a character: the byte 65,536 is the first of a character.
          ...(row === 2 ? { sql: "concat('x', repeat('é', 524288))" } : {})
        }))
      )
      const found = new Map((yield* to.errors(one)).map((row) => [row.row, row]))
      const seen = (row: number) => {
        const { bytes, isCut, message, messageBase64 } = found.get(row) ?? assert.fail(`no row ${row}`)
        return [bytes, isCut, message, messageBase64]
      }
      assert.deepStrictEqual(seen(0), [messages[0]?.length, false, script, undefined])
      assert.deepStrictEqual(seen(1), [2, false, null, "//4="])
      assert.deepStrictEqual(seen(2), [1_048_577, true, `x${"é".repeat(32 * 1024 - 1)}`, undefined])
      assert.deepStrictEqual(seen(3), [65_536, false, "é".repeat(32 * 1024), undefined])
      assert.deepStrictEqual(seen(4), [0, false, "", undefined])
    }))

  test("an answer is bounded: long messages make pages of fewer rows, and no row is lost", (to) =>
    Effect.gen(function* () {
      const one = yield* to.create(acme, "events")
      yield* to.open(one, "events")
      // Each NUL is six characters of JSON.
      const message = Buffer.alloc(64 * 1024)
      yield* to.insert(
        "events",
        Array.from({ length: 7 }, (_, row) => ({ pipe: one, at: early, row, message }))
      )
      const { pages, rows } = yield* to.allErrors(one, 100)
      assert.deepStrictEqual(pages, [2, 2, 2, 1])
      assert.sameMembers(
        rows.map(({ row }) => row),
        [0, 1, 2, 3, 4, 5, 6]
      )
    }))

  test("only of tables that a pipe has created, and none of another organization's pipe", (to) =>
    Effect.gen(function* () {
      const [byHand, foreign] = [yield* to.create(acme, "by_hand"), yield* to.create(acme, "foreign")]
      const theirs = yield* to.create(globex, "other")
      yield* to.open(theirs, "foreign")
      yield* to.engine.run(`CREATE TABLE ${to.database}.by_hand_pipe_errors AS ${to.database}.foreign_pipe_errors
        ENGINE = MergeTree ORDER BY (pipe_id, time) COMMENT ''`)
      yield* to.insert("by_hand", [{ pipe: byHand, at: early, row: 0 }])
      yield* to.insert("foreign", [
        { pipe: foreign, at: early, row: 0 },
        { pipe: theirs, at: early, row: 1 }
      ])
      assert.deepStrictEqual(yield* to.errors(byHand), [])
      assert.deepStrictEqual(yield* to.errors(foreign), [])
    }))

  test("those of all tables of a database pipe, merged by time", (to) =>
    Effect.gen(function* () {
      const tables = Array.from({ length: 60 }, (_, i) => `t${i}`)
      const pipe = yield* to.create(acme, undefined, postgres(tables))
      for (const table of ["t0", "t1", "t59"]) yield* to.open(pipe, table)
      yield* to.insert("t0", [{ pipe, at: early, row: 0 }])
      yield* to.insert("t1", [{ pipe, at: yesterdayAt("09:00:00"), row: 1 }])
      yield* to.insert("t59", [{ pipe, at: late, row: 2 }])
      const { rows } = yield* to.allErrors(pipe, 2)
      assert.deepStrictEqual(
        rows.map(({ row, table }) => [table, row]),
        [
          ["t59", 2],
          ["t0", 0],
          ["t1", 1]
        ]
      )
    }))

  test("a warehouse that is not served, that fails or that is slow is a FailedDependency; a simulated pipe has none", (to) =>
    Effect.gen(function* () {
      const pipe = yield* to.create(acme, "events")
      yield* to.open(pipe, "events")
      const none = yield* Effect.flip(to.errors(pipe, {}, PipeMover.defaultValue()))
      assert.strictEqual(none._tag, "FailedDependency")
      const away = new EngineFailure({ code: undefined, message: "connection refused" })
      const broken = yield* to.moverOver({ ...to.engine, run: () => Effect.fail(away) })
      const refused = yield* Effect.flip(to.errors(pipe, {}, broken))
      assert.deepStrictEqual([refused._tag, refused.message.includes("connection refused")], ["FailedDependency", true])
      let [running, most] = [0, 0]
      const begin = Effect.sync(() => {
        running += 1
        most = Math.max(most, running)
      })
      const end = Effect.sync(() => void (running -= 1))
      const slow = yield* to.moverOver({
        ...to.engine,
        run: () =>
          Effect.acquireUseRelease(
            begin,
            () => Effect.never,
            () => end
          )
      })
      const late = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => Effect.flip(to.errors(pipe, {}, slow)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        late.map(({ _tag }) => _tag),
        Array(6).fill("FailedDependency")
      )
      assert.deepStrictEqual([most, running], [4, 0], "statements at the same time")
      const simulated = yield* to.create(acme, "events", kafka, PipeMover.defaultValue())
      assert.deepStrictEqual(yield* to.errors(simulated), [])
    }))
})
