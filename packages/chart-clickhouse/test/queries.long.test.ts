import { assert, it } from "@effect/vitest"
import {
  call,
  type ChartTable,
  column,
  type Expression,
  type GroupedQuery,
  literal,
  number
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { describeChdb } from "../../mover-clickhouse/test/support/chdb.ts"
import { openTable } from "./support/engines.ts"

const named = (name: string, expression: Expression) => ({ name, expression })
const asc = (name: string) => ({ expression: column(name), isDescending: false })
const desc = (name: string) => ({ expression: column(name), isDescending: true })
const count = call("count")
const bucketOf = (time: string) => call("toStartOfInterval", column(time), call("toIntervalMinute", number(5)))

const grouped = (from: GroupedQuery["from"], change: Partial<GroupedQuery>): GroupedQuery => ({
  _tag: "Grouped",
  from,
  groups: [],
  values: [named("v0", count)],
  orderBy: [],
  limit: 1000,
  ...change
})

const clicks =
  "(ts DateTime64(3, 'UTC'), page LowCardinality(String), ms Nullable(Float64), n UInt64) ENGINE = MergeTree ORDER BY ts"
const rows = `INSERT INTO t VALUES
  ('2026-11-23 10:00:01.250', 'a', 1, 9007199254740993), ('2026-11-23 10:04:59', 'b', 3, 1),
  ('2026-11-23 10:05:00', 'a', NULL, 2), ('2026-11-23 10:06:00', 'c', nan, 3), ('2026-11-23 10:11:00', 'a', 8, 4)`

const filled = Effect.gen(function* () {
  const opened = yield* openTable(clicks)
  yield* opened.admin.run(rows.replace("INTO t", `INTO ${opened.database}.t`))
  return opened
})

describeChdb("the SQL of queries", () => {
  it.live("answers rows as they are, the newest first", () =>
    Effect.gen(function* () {
      const { charts, table } = yield* filled
      const answer = yield* charts.query({
        _tag: "Rows",
        from: table,
        columns: ["ts", "page", "ms", "n"].map((name) => named(name, column(name))),
        where: call("greaterOrEquals", column("n"), number(2)),
        orderBy: [desc("ts")],
        limit: 3,
        offset: 1
      })
      assert.deepStrictEqual(answer.rows, [
        ["2026-11-23T10:06:00.000Z", "c", null, "3"],
        ["2026-11-23T10:05:00.000Z", "a", null, "2"],
        ["2026-11-23T10:00:01.250Z", "a", 1, "9007199254740993"]
      ])
      assert.deepStrictEqual(
        answer.columns.map(({ name, type }) => `${name} ${type}`),
        ["ts DateTime64(3, 'UTC')", "page LowCardinality(String)", "ms Nullable(Float64)", "n UInt64"]
      )
      assert.isAtLeast(answer.rowsRead, 5)
      assert.deepStrictEqual(answer.warnings, [])
    }).pipe(Effect.scoped)
  )

  it.live("groups by values and periods, with a condition and an order over the results", () =>
    Effect.gen(function* () {
      const { charts, table } = yield* filled
      const query = grouped(table, {
        groups: [named("g0", column("page"))],
        bucket: named("bucket", bucketOf("ts")),
        values: [named("v0", count), named("v1", call("sum", column("n")))],
        orderBy: [asc("bucket"), desc("v1")]
      })
      assert.deepStrictEqual((yield* charts.query(query)).rows, [
        ["a", "2026-11-23T10:00:00Z", "1", "9007199254740993"],
        ["b", "2026-11-23T10:00:00Z", "1", "1"],
        ["c", "2026-11-23T10:05:00Z", "1", "3"],
        ["a", "2026-11-23T10:05:00Z", "1", "2"],
        ["a", "2026-11-23T10:10:00Z", "1", "4"]
      ])
      const some = { ...query, having: call("greater", column("v1"), number(2)), limit: 2 }
      assert.deepStrictEqual(
        (yield* charts.query(some)).rows.map(([page, , , sum]) => [page, sum]),
        [
          ["a", "9007199254740993"],
          ["c", "3"]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.live("answers one row without groups, also of no rows", () =>
    Effect.gen(function* () {
      const { charts, table } = yield* filled
      const values = [named("v0", count), named("v1", call("avg", column("ms"))), named("v2", call("sum", column("n")))]
      const none = yield* charts.query(
        grouped(table, { values, where: call("equals", column("page"), literal("nobody's")) })
      )
      assert.deepStrictEqual(none.rows, [["0", null, "0"]])
      const isNull = yield* charts.query(grouped(table, { where: call("greater", column("ms"), literal(null)) }))
      assert.deepStrictEqual(isNull.rows, [["0"]])
    }).pipe(Effect.scoped)
  )

  it.live("keeps the groups with the largest peaks, ties by name, and counts all of them", () =>
    Effect.gen(function* () {
      const { admin, charts, database, table } = yield* openTable(
        "(ts DateTime, g Nullable(String), x Float64) ENGINE = MergeTree ORDER BY ts"
      )
      yield* admin.run(`INSERT INTO ${database}.t VALUES
        (0, 'flat', 5), (300, 'flat', 5), (600, 'flat', 5), (0, 'peak', 1), (300, 'peak', 9), (0, 'b tie', 5), (0, 'small', 2),
        (0, 'nan', nan), (300, 'nan', 7), (600, NULL, 6), (0, 'only nan', nan)`)
      const query = grouped(table, {
        groups: [named("g0", column("g"))],
        bucket: named("bucket", bucketOf("ts")),
        values: [named("v0", call("sum", column("x"))), named("v1", count)],
        orderBy: [asc("bucket"), asc("g0")],
        mostSeries: 4
      })
      const answer = yield* charts.query(query)
      assert.strictEqual(answer.groups, 7)
      assert.deepStrictEqual(
        answer.columns.map(({ name }) => name),
        ["g0", "bucket", "v0", "v1"]
      )
      assert.deepStrictEqual(answer.rows, [
        ["b tie", "1970-01-01T00:00:00Z", 5, "1"],
        ["nan", "1970-01-01T00:00:00Z", null, "1"],
        ["peak", "1970-01-01T00:00:00Z", 1, "1"],
        ["nan", "1970-01-01T00:05:00Z", 7, "1"],
        ["peak", "1970-01-01T00:05:00Z", 9, "1"],
        [null, "1970-01-01T00:10:00Z", 6, "1"]
      ])
      const without = yield* charts.query({ ...query, groups: [], orderBy: [asc("bucket")], mostSeries: 4 })
      assert.strictEqual(without.groups, 1)
      assert.strictEqual(without.rows.length, 3)
      const nobody = { ...query, where: call("equals", column("g"), literal("nobody's")) }
      assert.strictEqual((yield* charts.query(nobody)).groups, 0)
      const having = { ...query, having: call("greater", column("v0"), number(5)) }
      assert.strictEqual((yield* charts.query(having)).groups, 3)
    }).pipe(Effect.scoped)
  )

  it.live("reads a query of a query, and the rises of counters", () =>
    Effect.gen(function* () {
      const { admin, charts, database, table } = yield* openTable(
        "(TimeUnix DateTime64(9), series String, Value Float64, kind UInt8) ENGINE = MergeTree ORDER BY TimeUnix"
      )
      yield* admin.run(`INSERT INTO ${database}.t VALUES
        (3, 'a', 130, 2), (1, 'a', 100, 2), (2, 'a', 110, 2), (4, 'a', 10, 2), (5, 'a', 15, 2), (1, 'b', 7, 2), (2, 'b', 8, 2), (1, 'd', 40, 1), (2, 'd', 2, 1)`)
      const counter = {
        _tag: "Counter" as const,
        from: table,
        series: column("series"),
        time: column("TimeUnix"),
        value: column("Value"),
        isDifference: call("equals", column("kind"), number(1)),
        increase: "increase",
        columns: [named("series", column("series")), named("g0", call("upper", column("series")))]
      }
      const perSeries = grouped(counter, {
        groups: [named("g0", column("g0"))],
        values: [named("v0", call("sum", column("increase")))],
        orderBy: [asc("g0")]
      })
      assert.deepStrictEqual((yield* charts.query(perSeries)).rows, [
        ["A", 35],
        ["B", 1],
        ["D", 42]
      ])
      const all = grouped(perSeries, {
        values: [named("g0", call("max", column("v0"))), named("v0", call("avg", column("v0")))]
      })
      assert.deepStrictEqual((yield* charts.query(all)).rows, [[42, 26]])
    }).pipe(Effect.scoped)
  )

  it.live("takes no name of a result for a column, and no column for a result", () =>
    Effect.gen(function* () {
      const { admin, charts, database, table } = yield* openTable(
        "(g0 String, v0 Int64, bucket DateTime, headgate_1 Int64, headgate_2 Int64, `a``b\\\\c.d` Int64) ENGINE = MergeTree ORDER BY tuple()"
      )
      yield* admin.run(`INSERT INTO ${database}.t VALUES ('x', 1, 0, 10, 100, 1000), ('y', 2, 600, 20, 200, 2000)`)
      const answer = yield* charts.query(
        grouped(table, {
          where: call("equals", column("g0"), literal("y")),
          groups: [named("g0", call("concat", column("g0"), literal("!")))],
          bucket: named("bucket", bucketOf("bucket")),
          values: [
            named("v0", call("sum", call("plus", column("headgate_1"), column("v0")))),
            named("headgate_1", call("sum", column("headgate_2"))),
            named("v2", call("sum", column("a`b\\c.d")))
          ],
          having: call("equals", column("v0"), number(22)),
          orderBy: [desc("v0"), asc("headgate_1")],
          mostSeries: 5
        })
      )
      assert.deepStrictEqual(answer.rows, [["y!", "1970-01-01T00:10:00Z", "22", "200", "2000"]])
      const lambda: Expression = {
        _tag: "Lambda",
        parameters: ["v0", "headgate_3"],
        body: call("plus", column("v0"), column("headgate_3"))
      }
      const list = call("array", number(1), number(2))
      const values = [named("v0", call("max", call("arraySum", call("arrayMap", lambda, list, list))))]
      assert.deepStrictEqual((yield* charts.query(grouped(table, { values }))).rows, [["6"]])
    }).pipe(Effect.scoped)
  )

  it.live("takes a number in a group or an order for a number", () =>
    Effect.gen(function* () {
      const { charts, table } = yield* filled
      const groups = [named("g0", number(1)), named("g1", literal("x"))]
      const answer = yield* charts.query(
        grouped(table, { groups, orderBy: [{ expression: number(9), isDescending: true }] })
      )
      assert.deepStrictEqual(answer.rows, [[1, "x", "5"]])
    }).pipe(Effect.scoped)
  )

  it.live("refuses a column that the table does not have, before the engine is asked", () =>
    Effect.gen(function* () {
      const { charts, table } = yield* filled
      for (const name of ["_part", "g0", "t.page", "x` OR 1"]) {
        const refused = yield* Effect.flip(
          charts.query(grouped(table, { where: call("equals", column(name), number(1)) }))
        )
        assert.strictEqual(refused._tag, "InvalidRequest")
        assert.strictEqual(refused.message, `there is no column ${JSON.stringify(name)}`)
      }
    }).pipe(Effect.scoped)
  )

  it.live("writes values of every type as an answer has them", () =>
    Effect.gen(function* () {
      const { admin, charts, database, table } = yield* openTable(`(
        i128 Int128, d Decimal(20, 2), f Float32, inf Float64, b Bool, day Date, at DateTime('Asia/Kolkata'), nano DateTime64(9, 'Europe/Berlin'),
        list Array(UInt64), map Map(String, UInt64), pair Tuple(x Int64, y String), empty Nullable(String), id UUID, e Enum8('one' = 1), bytes String
      ) ENGINE = MergeTree ORDER BY tuple()`)
      yield* admin.run(`INSERT INTO ${database}.t VALUES (170141183460469231731687303715884105727, 123456789012345678.25, 0.1, -inf, true,
        '2026-03-29', 1795428000, '2026-11-23 11:00:00.123456789', [18446744073709551615], {'k': 1}, (5, 'y'), NULL,
        '61f0c404-5cb3-11e7-907b-a6006ad3dba0', 'one', 'a"\\\\\\n\\xff')`)
      const answer = yield* charts.query({
        _tag: "Rows",
        from: table,
        columns: Array.from(table.columns.keys(), (name) => named(name, column(name))),
        orderBy: [],
        limit: 1,
        offset: 0
      })
      assert.deepStrictEqual(answer.rows, [
        [
          "170141183460469231731687303715884105727",
          "123456789012345678.25",
          0.1,
          null,
          true,
          "2026-03-29",
          "2026-11-23T10:00:00Z",
          "2026-11-23T10:00:00.123456789Z",
          ["18446744073709551615"],
          { k: "1" },
          { x: "5", y: "y" },
          null,
          "61f0c404-5cb3-11e7-907b-a6006ad3dba0",
          "one",
          'a"\\\n\ufffd'
        ]
      ])
    }).pipe(Effect.scoped)
  )

  it.live("reads the last versions of a table that is written in versions, without deleted rows", () =>
    Effect.gen(function* () {
      const versions =
        "_peerdb_synced_at DateTime64(9) DEFAULT now64(9), _peerdb_is_deleted Int8, _peerdb_version Int64"
      const { admin, charts, database, table } = yield* openTable(
        `(id Int64, x Int64, ${versions}) ENGINE = ReplacingMergeTree(_peerdb_version) ORDER BY id`
      )
      yield* admin.run(`SYSTEM STOP MERGES ${database}.t`)
      const insert = (values: string) =>
        admin.run(`INSERT INTO ${database}.t (id, x, _peerdb_is_deleted, _peerdb_version) VALUES ${values}`)
      yield* insert("(1, 10, 0, 1), (2, 20, 0, 2), (3, 30, 0, 3), (4, 40, 0, 4)")
      yield* insert("(1, 11, 0, 5), (2, 20, 1, 6), (3, 30, 1, 7)")
      yield* insert("(3, 33, 0, 8)")
      assert.isTrue(table.isVersioned)
      assert.deepStrictEqual(table.warnings, [])
      const sum = grouped(table, { values: [named("v0", count), named("v1", call("sum", column("x")))] })
      assert.deepStrictEqual((yield* charts.query(sum)).rows, [["3", "84"]])
      // A condition that only old versions meet finds nothing.
      const old = { ...sum, where: call("in", column("x"), call("tuple", number(10), number(20), number(30))) }
      assert.deepStrictEqual((yield* charts.query(old)).rows, [["0", "0"]])
      const asIs: ChartTable = { ...table, isVersioned: false }
      assert.deepStrictEqual((yield* charts.query(grouped(asIs, {}))).rows, [["8"]])
    }).pipe(Effect.scoped)
  )

  it.live("says that another table may hold several versions of a row", () =>
    Effect.gen(function* () {
      const { table } = yield* openTable(
        "(id Int64, v Int64) ENGINE = ReplacingMergeTree(v) ORDER BY (id, v + 1, concat(toString(id), ','))"
      )
      assert.isFalse(table.isVersioned)
      assert.strictEqual(table.warnings.length, 1)
      assert.deepStrictEqual(table.sortingKey, ["id", "v + 1", "concat(toString(id), ',')"])
    }).pipe(Effect.scoped)
  )
})
