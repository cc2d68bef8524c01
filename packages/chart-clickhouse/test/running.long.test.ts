import { assert, it } from "@effect/vitest"
import {
  call,
  type ChartTable,
  column,
  type ChartEngine,
  type GroupedQuery,
  literal,
  number
} from "@headgate/core/adapter"
import { embeddedQueries } from "@headgate/clickhouse"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { existsSync, mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeChdb, directory } from "../../mover-clickhouse/test/support/chdb.ts"
import { loadConnections } from "../../mover-clickhouse/test/support/engine.ts"
import type { ChartWarehouse } from "../src/index.ts"
import { admin, connectionId, newDatabase, openEngines, openTable } from "./support/engines.ts"
import { one, other } from "./support/organizations.ts"
import { startQueryFront } from "./support/queryFront.ts"

const rounds = Number(process.env["HEADGATE_ROUNDS"] ?? 5)
const user = { name: "reader", password: "the-password-of-the-reader" }
const limits = { seconds: 10, atWork: 2 }

/** A query that takes minutes: all pairs of rows would be needed for less. `salt` makes it another one. */
const slow = (table: ChartTable, salt = 0): GroupedQuery => ({
  _tag: "Grouped",
  from: table,
  groups: [],
  values: [
    {
      name: "v0",
      expression: call(
        "sum",
        call(
          "length",
          call(
            "replaceRegexpAll",
            call("toString", call("cityHash64", column("number"), number(salt))),
            literal("[13579]"),
            literal("x")
          )
        )
      )
    }
  ],
  orderBy: [],
  limit: 1
})

const quick = (table: ChartTable, salt = 0): GroupedQuery => ({
  ...slow(table),
  values: [{ name: "v0", expression: call("plus", call("count"), number(salt)) }],
  where: call("less", column("number"), number(10))
})

/** A view of more rows than anything reads, and a table of few. */
const manyRows = Effect.gen(function* () {
  const [engine, database] = [yield* admin, yield* newDatabase]
  yield* engine.run(`CREATE VIEW ${database}.many AS SELECT number FROM system.numbers LIMIT 100000000000`)
  yield* engine.run(`CREATE TABLE ${database}.few (number UInt64) ENGINE = MergeTree ORDER BY number`)
  yield* engine.run(`INSERT INTO ${database}.few SELECT number FROM numbers(200000)`)
  return { engine, database }
})

const openMany = Effect.fnUntraced(function* (warehouse: ChartWarehouse | undefined, change: object = {}) {
  const { database, engine } = yield* manyRows
  const warehouses = warehouse === undefined ? {} : { warehouses: new Map([["*", warehouse]]) }
  const { of } = yield* openEngines({
    queryDatabases: [{ database }],
    limits: { ...limits, rows: 1e15 },
    ...warehouses,
    ...change
  })
  const charts = yield* of(one)
  const [table, few] = [yield* charts.findTable(database, "many"), yield* charts.findTable(database, "few")]
  if (table === undefined || few === undefined) return yield* Effect.die("a table is not found")
  return { charts, engine, table, few }
})

const processes = (engine: Effect.Success<typeof admin>) =>
  engine.lines(
    "SELECT query FROM system.processes WHERE query LIKE '%replaceRegexpAll%' AND query NOT LIKE '%system.processes%' FORMAT TSV"
  )

/** Waits until queries run, however slow the machine is: `undefined` if they do not. */
const untilRunning = (engine: Effect.Success<typeof admin>, count: number) =>
  Effect.repeat(Effect.delay(processes(engine), "20 millis"), {
    until: ({ length }) => length === count,
    times: 1000
  })

/** Interrupts a query after 300 ms, and looks what still runs. */
const cancel = Effect.fnUntraced(function* (
  { charts, engine, table }: { charts: ChartEngine; engine: Effect.Success<typeof admin>; table: ChartTable },
  salt: number
) {
  const fiber = yield* Effect.forkChild(charts.query(slow(table, salt)))
  yield* Effect.sleep("300 millis")
  assert.strictEqual((yield* untilRunning(engine, 1)).length, 1, "it runs")
  yield* Fiber.interrupt(fiber)
  assert.deepStrictEqual(yield* processes(engine), [])
})

/** A server that accepts connections and says nothing. */
const startSilentServer = Effect.gen(function* () {
  const asked = yield* Deferred.make<void>()
  const listening = createServer(() => Deferred.doneUnsafe(asked, Effect.void))
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      listening.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.sync(() => listening.close())
  )
  const address = listening.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, asked: Deferred.await(asked) }
})

const server = (url: string): ChartWarehouse => ({
  _tag: "Server",
  url,
  user: user.name,
  password: Redacted.make(user.password),
  database: "default"
})

describeChdb("the running of queries", () => {
  it.live("ends a query whose caller is gone, in the engine inside the process", () =>
    Effect.gen(function* () {
      const opened = yield* openMany(undefined)
      for (let round = 0; round < rounds; round += 1) yield* cancel(opened, round)
      assert.deepStrictEqual((yield* opened.charts.query(quick(opened.few))).rows, [["10"]])
    }).pipe(Effect.scoped)
  )

  it.live("ends a query whose caller is gone, on a server", () =>
    Effect.gen(function* () {
      const front = yield* startQueryFront(user)
      const opened = yield* openMany(server(front.url))
      for (let round = 0; round < rounds; round += 1) yield* cancel(opened, round)
      assert.deepStrictEqual((yield* opened.charts.query(quick(opened.few))).rows, [["10"]])
    }).pipe(Effect.scoped)
  )

  it.live("ends a query of the engine that is ended before it has begun", () =>
    Effect.gen(function* () {
      const opened = yield* openMany(undefined)
      for (let round = 0; round < rounds; round += 1) {
        const fiber = yield* Effect.forkChild(opened.charts.query(slow(opened.table, round)))
        yield* Effect.sleep(round * 2)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* processes(opened.engine), [])
      }
    }).pipe(Effect.scoped)
  )

  it.live("is one query for equal ones, which ends when nobody waits any more", () =>
    Effect.gen(function* () {
      const { charts, engine, table } = yield* openMany(undefined)
      const [first, second] = [
        yield* Effect.forkChild(charts.query(slow(table))),
        yield* Effect.forkChild(charts.query(slow(table)))
      ]
      assert.strictEqual((yield* untilRunning(engine, 1)).length, 1)
      yield* Fiber.interrupt(first)
      assert.strictEqual((yield* processes(engine)).length, 1, "one caller is left")
      yield* Fiber.interrupt(second)
      assert.deepStrictEqual(yield* processes(engine), [])
    }).pipe(Effect.scoped)
  )

  it.live("has two queries of an organization at work, and refuses those that too many wait before", () =>
    Effect.gen(function* () {
      const { database, engine } = yield* manyRows
      const { of } = yield* openEngines(
        {
          queryDatabases: [
            { organizationId: one, database },
            { organizationId: other, database }
          ],
          limits: { seconds: 10, rows: 1e15, atWork: 2, atWorkOfOne: 1, waiting: 2 }
        },
        { organizations: [one] }
      )
      const charts = yield* of(one)
      const [table, few] = [yield* charts.findTable(database, "many"), yield* charts.findTable(database, "few")]
      if (table === undefined || few === undefined) return yield* Effect.die("a table is not found")
      const fibers = [yield* Effect.forkChild(charts.query(slow(table, 0)))]
      yield* untilRunning(engine, 1)
      for (const salt of [1, 2]) fibers.push(yield* Effect.forkChild(charts.query(quick(few, salt))))
      // Both wait as soon as their fibers have begun.
      yield* Effect.yieldNow
      const refused = yield* Effect.flip(charts.query(quick(few, 3)))
      assert.strictEqual(refused._tag, "ServerError")
      assert.isDefined("retryAfter" in refused ? refused.retryAfter : undefined)
      // Another organization does not wait for this one.
      const others = yield* of(other)
      assert.deepStrictEqual((yield* others.query(quick(few, 4))).rows, [["14"]])
      const [running, ...waiting] = fibers
      if (running !== undefined) yield* Fiber.interrupt(running)
      const answers = yield* Effect.forEach(waiting, Fiber.join)
      assert.deepStrictEqual(
        answers.map(({ rows }) => rows),
        [[["11"]], [["12"]]]
      )
      assert.deepStrictEqual(yield* processes(engine), [])
    }).pipe(Effect.scoped)
  )

  it.live("ends what takes too long, reads or keeps too much, in words that say what to do", () =>
    Effect.gen(function* () {
      const message = (
        charts: ChartEngine,
        query: GroupedQuery,
        settings?: ReadonlyArray<{ setting: string; value: string }>
      ) =>
        Effect.map(Effect.flip(charts.query(query, settings)), (error) => {
          assert.strictEqual(error._tag, "InvalidRequest")
          assert.notMatch(error.message, /DB::|Exception|\(version|\.cpp|headgate_\d/u)
          return error.message
        })
      const { charts, few, table } = yield* openMany(undefined, {
        limits: { seconds: 1, rows: 1e15, memory: 64 * 1024 * 1024 }
      })
      assert.include(yield* message(charts, slow(table)), "longer than 1 s")
      const perRow: GroupedQuery = {
        ...slow(table),
        groups: [{ name: "g0", expression: column("number") }],
        values: [{ name: "v0", expression: call("count") }]
      }
      assert.include(yield* message(charts, perRow), "more than 64 MiB of memory")
      assert.include(
        yield* message(charts, quick(few), [{ setting: "max_rows_to_read", value: "5" }]),
        "the query reads more than"
      )
      const wide: GroupedQuery = { ...perRow, from: few, limit: 1_000_000 }
      assert.include(yield* message(charts, wide), "more rows or bytes than a chart takes")
      const types: GroupedQuery = { ...slow(table), values: [{ name: "v0", expression: call("sum", literal("text")) }] }
      assert.include(yield* message(charts, types), "does not fit the types")
    }).pipe(Effect.scoped)
  )

  it.live("takes six settings of a source, none above its bound, and says what it does not take", () =>
    Effect.gen(function* () {
      const { charts, few } = yield* openMany(undefined)
      const answer = yield* charts.query(quick(few), [
        { setting: "max_threads", value: "4000" },
        { setting: "max_execution_time", value: "3" },
        { setting: "optimize_read_in_order", value: "0" },
        { setting: "max_memory_usage", value: "1); DROP TABLE t" },
        { setting: "readonly", value: "0" },
        { setting: "additional_table_filters", value: "{}" }
      ])
      assert.deepStrictEqual(answer.rows, [["10"]])
      assert.strictEqual(answer.warnings.length, 4)
      for (const [index, word] of [
        "max_threads",
        "max_memory_usage",
        "readonly",
        "additional_table_filters"
      ].entries()) {
        assert.include(answer.warnings[index] ?? "", word)
      }
    }).pipe(Effect.scoped)
  )
})

describeChdb("a connection of queries", () => {
  it.live("changes nothing and reads nothing elsewhere, whatever SQL it is given", () =>
    Effect.gen(function* () {
      const { admin: engine, database } = yield* openTable("(id Int64) ENGINE = MergeTree ORDER BY id")
      const folder = mkdtempSync(join(tmpdir(), "headgate-charts-"))
      const file = join(folder, "secret.csv")
      writeFileSync(file, "id,word\n1,secret\n")
      const queries = yield* embeddedQueries({ directory: directory(), database: "default", load: loadConnections })
      const table = `${database}.t`
      const hostile = [
        `CREATE TABLE ${database}.u (id Int64) ENGINE = Memory`,
        `DROP TABLE ${table}`,
        `ALTER TABLE ${table} ADD COLUMN x Int64`,
        `TRUNCATE TABLE ${table}`,
        `INSERT INTO ${table} VALUES (1)`,
        `INSERT INTO FUNCTION file('${join(folder, "out.csv")}') SELECT 1`,
        `RENAME TABLE ${table} TO ${database}.v`,
        "SELECT * FROM url('http://127.0.0.1:1/', CSV)",
        "SELECT * FROM s3('http://127.0.0.1:1/b/o', CSV)",
        `SELECT * FROM file('${file}')`,
        "SELECT * FROM remote('127.0.0.1:1', system.one)",
        "SELECT * FROM mysql('127.0.0.1:1', 'd', 't', 'u', 'p')",
        "SELECT * FROM postgresql('127.0.0.1:1', 'd', 't', 'u', 'p')",
        "SELECT * FROM sqlite('/tmp/x.db', 't')",
        `SELECT * FROM default.\`${file}\``,
        `INSERT INTO default.\`${file}\` VALUES (2, 'x')`,
        "SET max_execution_time = 0",
        "SET readonly = 0",
        "SELECT 1 SETTINGS max_execution_time = 1000",
        "SELECT 1 SETTINGS readonly = 0",
        "CREATE TEMPORARY TABLE x (id Int64)",
        "CREATE USER somebody",
        "GRANT ALL ON *.* TO default"
      ]
      for (const sql of hostile) {
        const result = yield* Effect.flip(queries.run(sql, { max_execution_time: 5 }))
        assert.strictEqual(result._tag, "EngineFailure", sql)
      }
      assert.deepStrictEqual(
        yield* engine.lines(`SELECT name FROM system.tables WHERE database = '${database}' FORMAT TSV`),
        ["t"]
      )
      assert.isFalse(existsSync(join(folder, "out.csv")))
      // A limit ends it, also inside a subquery that says otherwise.
      const long =
        "SELECT sum(cityHash64(number)) FROM (SELECT number FROM numbers(1000000000000) SETTINGS max_execution_time = 1000)"
      const ended = yield* Effect.flip(queries.run(long, { max_execution_time: 1 }))
      assert.include([159, 164], ended.code)
    }).pipe(Effect.scoped)
  )
})

describeChdb("a server of queries", () => {
  it.live("sends limits and readonly with each request, and no text of a caller in its address", () =>
    Effect.gen(function* () {
      const front = yield* startQueryFront(user)
      const { charts, few } = yield* openMany(server(front.url))
      const query = {
        ...quick(few),
        where: call("equals", call("toString", column("number")), literal("a word of the caller"))
      }
      yield* charts.query(query)
      const last = front.urls.at(-1)
      assert.strictEqual(last?.searchParams.get("readonly"), "1")
      assert.strictEqual(last?.searchParams.get("max_execution_time"), "10")
      assert.isTrue(front.urls.every((url) => !url.href.includes("word")))
      // The user was asked once whether it is readonly already.
      assert.strictEqual(front.urls.filter(({ searchParams }) => !searchParams.has("max_threads")).length, 1)
    }).pipe(Effect.scoped)
  )

  it.live("sets no readonly for a user that has it, and refuses one that takes no limits", () =>
    Effect.gen(function* () {
      const two = yield* startQueryFront(user, ["SET readonly = 2"])
      const { charts, few } = yield* openMany(server(two.url))
      assert.deepStrictEqual((yield* charts.query(quick(few))).rows, [["10"]])
      assert.isFalse(two.urls.at(-1)?.searchParams.has("readonly"))
      const first = yield* startQueryFront(user, ["SET readonly = 1"])
      const { of } = yield* openEngines({
        warehouses: new Map([["*", server(first.url)]]),
        queryDatabases: [{ database: "default" }]
      })
      const refused = yield* Effect.flip(Effect.flatMap(of(one), (engine) => engine.findTable("default", "t")))
      assert.strictEqual(refused._tag, "FailedDependency")
      assert.include(refused.message, "readonly = 1")
    }).pipe(Effect.scoped)
  )

  it.live("fails if the server is away or refuses its user, and if charts do not read it", () =>
    Effect.gen(function* () {
      const front = yield* startQueryFront({ ...user, password: "another" })
      const wanted = [
        [server(front.url), "refuses the user of queries"],
        [server("http://127.0.0.1:1"), "does not answer"],
        [{ _tag: "NotQueried", message: "set HEADGATE_QUERY_USER" } as const, "set HEADGATE_QUERY_USER"]
      ] as const
      for (const [warehouse, words] of wanted) {
        const { of } = yield* openEngines({ warehouses: new Map([["*", warehouse]]) })
        const failure = yield* Effect.flip(Effect.flatMap(of(one), (engine) => engine.findTable("d", "t")))
        assert.strictEqual(failure._tag, "FailedDependency")
        assert.include(failure.message, words)
      }
    }).pipe(Effect.scoped)
  )

  it.live("asks another host only if it is allowed, and connects to the address that was", () =>
    Effect.gen(function* () {
      const front = yield* startQueryFront(user)
      const connection = {
        _tag: "Host" as const,
        host: `http://db.example.com:${front.port}`,
        username: user.name,
        password: Redacted.make(user.password)
      }
      const { database, engine } = yield* manyRows
      yield* engine.run(`CREATE TABLE ${database}.t (id Int64) ENGINE = MergeTree ORDER BY id`)
      const open = (addressOf?: (host: string) => Effect.Effect<string, { readonly message: string }>) =>
        openEngines({ allowInsecureHttp: true, ...(addressOf === undefined ? {} : { addressOf }) }, { connection })
      const none = yield* Effect.flip(Effect.flatMap(open(), ({ of }) => of(one)))
      assert.strictEqual(none._tag, "InvalidRequest")
      assert.include(none.message, "--allow-query-host")
      const refusing = open((host) => Effect.fail({ message: `${host} is not allowed` }))
      const refused = yield* Effect.flip(Effect.flatMap(refusing, ({ of }) => of(one)))
      assert.strictEqual(refused.message, "db.example.com is not allowed")
      const inClear = openEngines({ addressOf: () => Effect.succeed("127.0.0.1") }, { connection })
      assert.include((yield* Effect.flip(Effect.flatMap(inClear, ({ of }) => of(one)))).message, "in clear")
      const asked: Array<string> = []
      const { of } = yield* open((host) => {
        asked.push(host)
        return Effect.succeed("127.0.0.1")
      })
      const charts = yield* of(one)
      assert.isDefined(yield* charts.findTable(database, "t"))
      assert.isUndefined(yield* charts.findTable("system", "tables"))
      assert.deepStrictEqual(asked, ["db.example.com", "db.example.com"])
      assert.strictEqual(front.hosts.at(-1), `db.example.com:${front.port}`)
    }).pipe(Effect.scoped)
  )

  it.live("keeps nobody waiting for the host of a connection that does not answer", () =>
    Effect.gen(function* () {
      const { database } = yield* manyRows
      const silent = yield* startSilentServer
      const { engines } = yield* openEngines({
        queryDatabases: [{ database }],
        limits: { seconds: 1, rows: 1e15 },
        addressOf: () => Effect.succeed("127.0.0.1"),
        connectionOf: (organizationId) =>
          Effect.succeed(
            organizationId === one
              ? { _tag: "Warehouse", warehouse: "*" }
              : { _tag: "Host", host: silent.url, username: user.name, password: Redacted.make("") }
          )
      })
      const theirs = yield* engines.ofConnection(other, connectionId)
      const mine = yield* engines.ofConnection(one, connectionId)
      const asking = yield* Effect.forkChild(
        Effect.all(
          ["a", "b", "c"].map((name) => Effect.flip(theirs?.findTable("d", name) ?? Effect.never)),
          { concurrency: "unbounded" }
        )
      )
      yield* silent.asked
      assert.isDefined(yield* mine?.findTable(database, "few") ?? Effect.void)
      assert.isUndefined(asking.pollUnsafe(), "they still wait")
      assert.deepStrictEqual(
        (yield* Fiber.join(asking)).map(({ _tag }) => _tag),
        ["FailedDependency", "FailedDependency", "FailedDependency"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("runs the SQL of a caller on a server that allows it, and never in the process", () =>
    Effect.gen(function* () {
      const front = yield* startQueryFront(user)
      const warehouses = new Map([["*", server(front.url)]])
      const sql = "SELECT {a:Int64} + 1 AS b"
      const charts = (options: object, organizations = [one]) =>
        Effect.flatMap(openEngines(options, { organizations }), ({ of }) => of(one))
      const allowed = yield* charts({ warehouses, allowRawSql: true })
      const answer = yield* allowed.raw(sql, { a: 41 })
      assert.deepStrictEqual(answer.rows, [["42"]])
      assert.deepStrictEqual(answer.columns, [{ name: "b", type: "Int64" }])
      const format = yield* Effect.flip(allowed.raw("SELECT 1 FORMAT TSV", {}))
      assert.include(format.message, "leave out FORMAT")
      const insert = yield* Effect.flip(allowed.raw("CREATE TABLE default.x (id Int64) ENGINE = Memory", {}))
      assert.strictEqual(insert.message, "a query may only read, and changes no settings")
      const refusals = [
        [yield* charts({ warehouses }), "--allow-raw-sql"],
        [yield* charts({ warehouses, allowRawSql: true }, [one, other]), "several organizations"],
        [yield* charts({ allowRawSql: true }), "inside the process"]
      ] as const
      for (const [engine, words] of refusals) {
        const refused = yield* Effect.flip(engine.raw(sql, { a: 1 }))
        assert.strictEqual(refused._tag, "InvalidRequest")
        assert.include(refused.message, words)
      }
    }).pipe(Effect.scoped)
  )
})
