import { assert, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ClickHouse } from "../src/index.ts"
import { describeChdb, embedded } from "./support/chdb.ts"
import { isJson, rowOf } from "./support/objectRows.ts"
import { hex, mixed, openTable, type TestedColumn, types } from "./support/objectTable.ts"

/** The types that a Parquet file may have for a column, and whether it has a value of JSON. */
const fileTypes: ReadonlyArray<{
  readonly type: string
  readonly of: RegExp
  readonly has: (json: string) => boolean
}> = [
  { type: "Nullable(String)", of: /^(?!Array|Map|Tuple|Point|Simple|Interval)/, has: (json) => json.startsWith('"') },
  { type: "Array(Nullable(String))", of: /^Array\((?!Array|Tuple|Nullable)/, has: (json) => /^\["[^,]*\]$/.test(json) },
  {
    type: "Nullable(Int64)",
    of: /^U?Int/,
    has: (json) => /^(?:0|-?[1-9]\d{0,18})$/.test(json) && BigInt(json) === BigInt.asIntN(64, BigInt(json))
  },
  {
    type: "Nullable(Decimal(38, 10))",
    of: /^Decimal/,
    has: (json) => /^(?:null|-?\d{1,28}(?:\.\d{1,10})?)$/.test(json)
  },
  { type: "Array(Int64)", of: /^Array\(Int8\)/, has: (json) => /^\[-?\d{1,18}\]$/.test(json) }
]

const columns = fileTypes
  .flatMap(({ has, of, type: fileType }) =>
    types
      .filter(({ type }) => of.test(type))
      .map((tested) => {
        const cases = tested.values
          .filter(({ json }) => isJson(json) && has(json))
          .map(({ json, stored }) => ({ field: json, stored }))
        const [good] = cases.filter(({ stored }) => stored !== undefined)
        return { tested, cases, fileType, filling: good?.field ?? "" }
      })
  )
  .filter(({ filling }) => filling !== "")
  .map((one, index): TestedColumn & { readonly fileType: string } => ({ column: `c${index}`, ...one }))

describeChdb("each value of each type in an object of Parquet", () => {
  it.live("has one verdict, whole and row by row, whatever stands beside it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
        const table = yield* openTable(engine, columns)
        const names = ["n", ...columns.map(({ column }) => column)]
        const fields = new Map([["n", "UInt64"], ...columns.map(({ column, fileType }) => [column, fileType] as const)])
        const fillings = columns.map(({ filling }) => filling)
        const rows = columns.flatMap(({ cases }, place) =>
          mixed(cases).map((one, index) => ({ place, one, n: place * 10_000 + index }))
        )
        const object = yield* table.putParquet(
          Array.from(fields, ([name, type]) => `${name} ${type}`).join(", "),
          rows.map(({ n, one, place }) => rowOf("JSONEachRow", names, [String(n), ...fillings.with(place, one.field)]))
        )
        const wrong: Array<string> = []
        const byRow = yield* table.stageRows(object)
        const rejected = new Map(
          byRow.rejected.map(({ error, raw = "" }) => [
            Number(JSON.parse(Buffer.from(raw, "hex").toString("utf8")).n),
            error
          ])
        )
        for (const [place, column] of columns.entries()) {
          yield* table.readColumn(object, column, fields, `intDiv(n, 10000) = ${place}`)
        }
        const whole = yield* table.heldAlone
        for (const { n, one, place } of rows) {
          const [is, alone] = [byRow.held.get(n)?.[place], whole.get(n)?.[place]]
          const text = one.stored === undefined ? undefined : hex(one.stored)
          const isRight =
            is === text && rejected.has(n) === (text === undefined) && (alone === undefined || alone === text)
          const { fileType = "", tested } = columns[place] ?? {}
          if (!isRight) {
            const found = [is, alone].map((value) => Buffer.from(value ?? "", "hex").toString("utf8"))
            wrong.push(
              `${fileType} in ${tested?.type} ${one.field}: ${one.stored ?? "bad"}, and it is ${found.join(" and ")} ${rejected.get(n) ?? ""}`.slice(
                0,
                250
              )
            )
          }
        }
        for (const [place, { fileType, tested }] of columns.entries()) {
          const isTaken = rows.some((row) => row.place === place && whole.has(row.n))
          if (!isTaken) wrong.push(`${fileType} in ${tested.type}: none is taken`)
        }
        assert.deepStrictEqual(Array.from(new Set(wrong)), [])
        assert.strictEqual(byRow.held.size + byRow.rejected.length, rows.length)
      })
    )
  )
})
