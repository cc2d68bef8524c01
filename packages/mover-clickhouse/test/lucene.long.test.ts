import { ClickHouse, query, quoteString, writeExpression } from "@headgate/clickhouse"
import { assert, it } from "@effect/vitest"
import { columnTypeOf, parseLucene } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describeChdb, embedded } from "./support/chdb.ts"

/** One row: names, types and values of its columns. The engine casts no text to a map: that is a call. */
const row = [
  ["Body", "String", 'Hello big-World {"a":7}'],
  ["host", "Nullable(String)", "Web1"],
  ["short", "LowCardinality(Nullable(String))", "abc"],
  ["n", "Int64", "5"],
  ["none", "Nullable(Int64)", "\\N"],
  ["ok", "Bool", "true"],
  ["ts", "DateTime64(9, 'UTC')", "2026-11-23 10:00:00.123"],
  ["local", "DateTime('Europe/Berlin')", "2026-11-23 10:00:00"],
  ["day", "Date", "2026-11-23"],
  ["tags", "Array(LowCardinality(String))", "['red','blue']"],
  ["sizes", "Array(Int64)", "[1,9]"],
  ["attributes", "Map(LowCardinality(String), String)", "map('k8s.pod', 'p1', 'empty', '')"],
  ["figures", "Map(String, Float64)", "map('load', 0.75)"],
  ["j", "JSON", '{"a":{"b":"x1"},"n":5}'],
  ["id", "UUID", "61f0c404-5cb3-11e7-907b-a6006ad3dba0"],
  ["state", "Enum8('on' = 1, 'off' = 2)", "on"],
  ["code", "FixedString(4)", "abcd"],
  ["address", "IPv4", "10.0.0.1"],
  ["price", "Decimal(18, 2)", "1.25"]
] as const

const columns = new Map(row.map(([name, type]) => [name, columnTypeOf(type)] as const))
const valueOf = (type: string, value: string): string => {
  if (type.startsWith("Map(")) return value
  return value === "\\N" ? "NULL" : quoteString(value)
}
const from = `SELECT ${row.map(([name, type, value]) => `CAST(${valueOf(type, value)}, ${quoteString(type)}) AS ${name}`).join(", ")}`

const holds = `hello | HELLO world | big-world | "hello big" | hel* | *7} | *ig-w* | * | host:web | host:"Web1" | host:* | short:ABC | short:*
  | n:5 | n:>4 n:<=5 | n:[5 TO 9] | n:* | -none:* | ok:true | ts:>"2026-11-23T09:59:59Z" | ts:* | local:>2026-11-01 | day:2026-11-23
  | tags:RED | tags:"red" | tags:* | sizes:>8 | attributes.k8s.pod:p1 | attributes.k8s.pod:* | figures.load:>0.5 | figures.load:0.75
  | j.a.b:X1 | j.n:>4 | j.n:5 | id:61F0 | id:* | state:on | state:"on" | state:* | code:BC | address:10.0 | address:* | price:1.25
  | price:>1.2 | Body.a:x OR n:5 | NOT (n:1 OR n:2) | n:(4 OR 5)`
const fails = `hell | "big hello" | host:"web1" | n:-5 | n:{5 TO 9} | none:5 | none:* | ok:false | ts:"2026-11-23" | day:>2026-11-23
  | tags:"re" | sizes:5 | attributes.empty:* | attributes.none:x | j.zzz:5 | state:"off" | state:"other" | id:"x" | -hello | hello n:4`

const Found = Schema.Struct({ found: Schema.Int })

const isFound = (text: string, implicit: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const tree = Result.getOrThrowWith(
      parseLucene(text, { columns, aggregates: "refused", implicit }),
      ({ message }) => new Error(`${text}: ${message}`)
    )
    const where = tree === undefined ? "1" : writeExpression(tree)
    const [answer] = yield* ClickHouse.use((engine) =>
      query(engine, Found, `SELECT toInt32(count()) AS found FROM (${from}) WHERE ${where}`)
    )
    return answer?.found === 1
  })

const textsOf = (list: string): ReadonlyArray<string> => list.split("|").map((text) => text.trim())

describeChdb("texts in the Lucene syntax on the engine", () => {
  it.live("find the row, or do not", () =>
    Effect.gen(function* () {
      const [found, missed] = [textsOf(holds), textsOf(fails)]
      assert.deepStrictEqual(yield* Effect.filter(found, (text) => isFound(text, ["Body"])), found)
      assert.deepStrictEqual(yield* Effect.filter(missed, (text) => isFound(text, ["Body"])), [])
    }).pipe(Effect.provide(embedded))
  )

  it.live("search in columns of any type", () =>
    Effect.gen(function* () {
      for (const [name] of row) yield* isFound("word", [name])
      assert.isTrue(yield* isFound("abc web1", ["Body", "host", "short", "n"]))
      assert.isTrue(yield* isFound("on", ["state"]))
      assert.isFalse(yield* isFound("off", ["state", "id"]))
    }).pipe(Effect.provide(embedded))
  )
})
