import { assert, it } from "@effect/vitest"
import type { StagedObject } from "@headgate/mover"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ClickHouse } from "../src/index.ts"
import { describeChdb, embedded } from "./support/chdb.ts"
import { fieldCase, isJson, rowOf, type RowFormat } from "./support/objectRows.ts"
import { hex, mixed, openTable, type TestedColumn, types } from "./support/objectTable.ts"
import type { TypeCase } from "./support/values.ts"

const testedColumns = (format: RowFormat, types: ReadonlyArray<TypeCase>): ReadonlyArray<TestedColumn> =>
  types.map((tested, index) => {
    const cases = tested.values.flatMap((value) => fieldCase(format, tested, value) ?? [])
    const [good] = cases.filter(({ stored }) => stored !== undefined)
    return { column: `c${index}`, tested, cases, filling: good?.field ?? "" }
  })

// So many types stand in one object.
const typesOfObject = 40

const groups = Array.from({ length: Math.ceil(types.length / typesOfObject) }, (_, index) =>
  types.slice(index * typesOfObject, (index + 1) * typesOfObject)
)

/** Whether bad values of a type are looked at one by one: the engine makes an array of a text, and one bad value ends the statement. */
const isSplit = (format: RowFormat, type: string): boolean =>
  format === "JSONEachRow" || !type.startsWith("Array(") || (format === "TabSeparated" && type === "Array(Int8)")

describeChdb("each value of each type in an object", () => {
  for (const format of ["JSONEachRow", "CSV", "TabSeparated"] as const) {
    it.live(
      `of ${format} has one verdict, whole and row by row, whatever stands beside it`,
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
            const wrong: Array<string> = []
            for (const types of groups) {
              const columns = testedColumns(format, types)
              const table = yield* openTable(engine, columns)
              const names = ["n", ...columns.map(({ column }) => column)]
              const fillings = columns.map(({ filling }) => filling)
              // A row for each value. The others in it are good ones.
              const rows = columns.flatMap(({ cases }, place) => mixed(cases).map((one) => ({ place, one })))
              const texts = rows.map(({ one, place }, n) =>
                rowOf(format, names, [String(n), ...fillings.with(place, one.field)])
              )
              const say = (path: string, { one, place }: (typeof rows)[number], is: string) =>
                wrong.push(
                  `${path} ${types[place]?.type} ${one.field}: ${one.stored ?? "bad"}, and it is ${is}`.slice(0, 250)
                )
              const decoded = (value: string | undefined) => Buffer.from(value ?? "", "hex").toString("utf8")

              const byRow = yield* table.stageRows(yield* table.put(format, texts))
              const raws = new Map(byRow.rejected.map(({ error, raw }) => [raw, error]))
              for (const [n, row] of rows.entries()) {
                const [is, error] = [byRow.held.get(n)?.[row.place], raws.get(hex(texts[n] ?? ""))]
                const isRight =
                  row.one.stored === undefined
                    ? is === undefined && error !== undefined && error !== ""
                    : error === undefined && is === hex(row.one.stored)
                if (!isRight) say("row", row, `${decoded(is)} ${error ?? ""}`)
              }
              assert.strictEqual(byRow.held.size + byRow.rejected.length, rows.length)

              for (const [place, column] of columns.entries()) {
                const read = column.cases.flatMap((one, n) =>
                  (isSplit(format, column.tested.type) || one.stored !== undefined) &&
                  (format !== "JSONEachRow" || isJson(one.field))
                    ? [rowOf(format, ["n", column.column], [String(place * 10_000 + n), one.field])]
                    : []
                )
                yield* table.readWhole(format, read, column)
              }
              const whole = yield* table.heldAlone
              const taken = columns.map(({ cases }, place) =>
                cases.filter((one, n) => {
                  const is = whole.get(place * 10_000 + n)?.[place]
                  if (is !== undefined && (one.stored === undefined || is !== hex(one.stored)))
                    say("whole", { one, place }, decoded(is))
                  return is !== undefined
                })
              )
              for (const [place, { tested }] of columns.entries()) {
                // The engine makes no map and no tuple of a text.
                const isTaken = format === "JSONEachRow" || !/Map|Tuple|Point/.test(tested.type)
                if (isTaken && taken[place]?.length === 0) wrong.push(`whole ${tested.type}: none is taken`)
              }
              // What is taken alone is taken together, by one statement for the object.
              if (taken.some((cases) => cases.length === 0)) continue
              const takenRows = taken.flatMap((cases, place) => cases.map((one) => ({ one, place })))
              const takenFields = taken.map(([first]) => first?.field ?? "")
              const takenTexts = takenRows.map(({ one, place }, n) =>
                rowOf(format, names, [String(n), ...takenFields.with(place, one.field)])
              )
              const object = yield* table.put(format, takenTexts)
              const staged: StagedObject | string = yield* Effect.match(table.stage(object), {
                onFailure: (error) => JSON.stringify(error),
                onSuccess: (staged) => staged
              })
              if (typeof staged === "string") wrong.push(`whole ${staged.slice(0, 300)}`)
              else {
                const held = yield* table.held(staged.staging)
                assert.strictEqual(held.size, takenRows.length)
                for (const [n, row] of takenRows.entries()) {
                  const is = held.get(n)?.[row.place]
                  if (is !== hex(row.one.stored ?? "")) say("staged", row, decoded(is))
                }
              }
            }
            assert.deepStrictEqual(Array.from(new Set(wrong)), [])
          })
        ),
      120_000
    )
  }
})

/** Rows of an object of `n UInt64, c String`: its text, and what is in the table and in the error table. */
interface WholeCase {
  readonly format: RowFormat
  readonly text: string
  readonly good: ReadonlyArray<string>
  readonly bad: ReadonlyArray<string>
}

/** What the engine reads as a text, and JSON does not have. */
const noJson = ["01", "+5", ".5", "5.", "[1,]", '{"a"}', "-inf", "nan", "1 2"].concat(
  ["x41", "0", "ude00", "u00zz", "ud83d"].map((escape) => `"\\${escape}"`)
)
const noJsonRows = noJson.map((value) => `{"n":1,"c":${value}}`)

const quoteCases = ["", "\n", "\r\n", "\n3,c", "\n3,c\n"].flatMap((rest): ReadonlyArray<WholeCase> => {
  // The line break at the end of an object is none of its last row.
  const inRow = rest.replace(/\r?\n$/, "")
  return [
    { format: "CSV", text: `1,a\n2,"b${rest}`, good: ["1 a"], bad: [`2,"b${inRow}`] },
    {
      format: "CSV",
      text: `1,5"\n2,"x""\n"\n3,"b ""c""${rest}`,
      good: ['1 5"', '2 x"\n'],
      bad: [`3,"b ""c""${inRow}`]
    }
  ]
})

const wholeCases: ReadonlyArray<WholeCase> = [
  { format: "JSONEachRow", text: [...noJsonRows, '{"n":2,"c":"\\u0041"}'].join("\n"), good: ["2 A"], bad: noJsonRows },
  {
    format: "JSONEachRow",
    text: '{"n":1,"c":"a"}{"n":2,"c":"b"}\n{"n":3,"c":"c"}\n',
    good: ["3 c"],
    bad: ['{"n":1,"c":"a"}{"n":2,"c":"b"}']
  },
  {
    format: "JSONEachRow",
    text: '{"n":1,"c":"a\nb"}\n{"n":3,"c":"c"}\n{"n":4,"c":"c"}\n{"n":5,"c":"c"}\n',
    good: ["3 c", "4 c", "5 c"],
    bad: ['{"n":1,"c":"a', 'b"}']
  },
  // The engine looks for no name when it has found all columns.
  {
    format: "JSONEachRow",
    text: '{"n":1,"c":"a","c":"b"}\n{"n":2,"c":"x"}\n{"n":3,"c":"a","u":1,"n":4}\n',
    good: ["2 x"],
    bad: ['{"n":1,"c":"a","c":"b"}', '{"n":3,"c":"a","u":1,"n":4}']
  },
  ...quoteCases,
  // The engine makes a character of two letters that are no hex digits.
  { format: "TabSeparated", text: "1\tC:\\xampp\n2\tb\n", good: ["2 b"], bad: ["1\tC:\\xampp"] },
  { format: "TabSeparated", text: "1\ta\n2\tb\\\\\\x4", good: ["1 a"], bad: ["2\tb\\\\\\x4"] },
  { format: "TabSeparated", text: "1\ta\n2\tb\\\n", good: ["1 a"], bad: ["2\tb\\"] },
  { format: "CSV", text: '1,a\r2,"b\r3,c', good: ["1 a"], bad: ['2,"b\r3,c'] },
  // A delimiter at the end of a line, with blanks after it.
  {
    format: "CSV",
    text: '1,a, \n2,b,\n3,c,\t \n4,d," "\n5,e,f\n6,g,,',
    good: ["1 a", "2 b", "3 c"],
    bad: ['4,d," "', "5,e,f", "6,g,,"]
  },
  { format: "CSV", text: '1,a, \n2, ,\t\n3,"c" , \n', good: ["1 a", "2  ", "3 c"], bad: [] },
  // A mark of UTF-8, and commas between rows.
  {
    format: "JSONEachRow",
    text: '{"n":1,"c":"a"}\n{"n":2,"c":"b"},\n{"n":3,"c":"c"}\n',
    good: ["1 a", "2 b", "3 c"],
    bad: []
  },
  {
    format: "JSONEachRow",
    text: '{"n":1,"c":"a"} , \n{"n":2,"c":"b"},\n, {"n":3,"c":"c"},\r\n',
    good: ["1 a", "2 b", "3 c"],
    bad: []
  },
  {
    format: "JSONEachRow",
    text: '{"n":1,"c":"a"},\n{"n":2,"c":+5},\n{"n":3,"c":"c"},\n',
    good: ["1 a", "3 c"],
    bad: ['{"n":2,"c":+5},']
  },
  {
    format: "JSONEachRow",
    text: '{"n":1,"c":"a"},,\n{"n":2,"c":"b"},\n',
    good: ["2 b"],
    bad: ['{"n":1,"c":"a"},,']
  },
  // The engine reads a semicolon after the last row.
  {
    format: "JSONEachRow",
    text: '{"n":1,"c":"a"},\n{"n":2,"c":"b"};\n',
    good: ["1 a"],
    bad: ['{"n":2,"c":"b"};']
  },
  { format: "JSONEachRow", text: '{"n":2,"c":"b"};', good: [], bad: ['{"n":2,"c":"b"};'] },
  {
    format: "TabSeparated",
    text: "1\ta\r2\tb\n3\tc\r\n4\td\r5\te",
    good: ["1 a", "2 b", "3 c", "4 d", "5 e"],
    bad: []
  },
  { format: "TabSeparated", text: "1\ta\r2\tb\r", good: ["1 a", "2 b"], bad: [] }
]

describeChdb("a row of an object", () => {
  const rejectedRows = { JSONEachRow: '{"n":-1,"c":"bad"}', CSV: "-1,bad", TabSeparated: "-1\tbad" } as const

  /** A table for the cases, and what is read of a text by the statement for whole objects, and row by row. */
  const open = Effect.fnUntraced(function* (type = "String") {
    const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
    const tested = { type, show: "concat(toString(n), ' ', toString(c))", values: [] }
    const table = yield* openTable(engine, [{ column: "c", tested, cases: [], filling: "" }])
    const shown = (held: ReadonlyMap<number, ReadonlyArray<string>>) =>
      Array.from(held.values(), ([value = ""]) => Buffer.from(value, "hex").toString("utf8")).toSorted()
    return {
      whole: Effect.fnUntraced(function* (format: RowFormat, text: string) {
        const staged = yield* Effect.result(table.stage(yield* table.putText(format, text)))
        return staged._tag === "Failure" ? undefined : shown(yield* table.held(staged.success.staging))
      }),
      reasons: Effect.fnUntraced(function* (format: RowFormat, text: string) {
        const { rejected } = yield* table.stageRows(yield* table.putText(format, text))
        return rejected.map(({ error }) => error)
      }),
      byRow: Effect.fnUntraced(function* (format: RowFormat, text: string) {
        const { held, rejected } = yield* table.stageRows(yield* table.putText(format, text))
        return { good: shown(held), bad: rejected.map(({ raw = "" }) => Buffer.from(raw, "hex").toString("utf8")) }
      })
    }
  })

  it.live("has one verdict, whatever stands beside it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { byRow, whole } = yield* open()
        for (const { bad, format, good, text } of wholeCases) {
          const alone = yield* whole(format, text)
          if (alone !== undefined) assert.deepStrictEqual([alone, bad], [good, []], text)
          const row = rejectedRows[format]
          assert.deepStrictEqual(yield* byRow(format, `${row}\n${text}`), { good, bad: [row, ...bad] }, text)
        }
        for (const row of noJsonRows) assert.isUndefined(yield* whole("JSONEachRow", `{"n":2,"c":"x"}\n${row}\n`), row)
        const mark = "\ufeff"
        for (const text of [
          `${mark}{"n":1,"c":"a"}\n{"n":2,"c":+5},\n`,
          `${mark}{"n":1,"c":+5}\n`,
          `${mark}{"n":1,"c":+5},\n{"n":2,"c":"b"},\n{"n":3,"c":"b"},\n`
        ]) {
          assert.isUndefined(yield* whole("JSONEachRow", text), text)
        }
        const marked = yield* byRow("JSONEachRow", `${mark}{"n":1,"c":"a"},\n{"n":2,"c":+5},\n{"n":3,"c":"c"},\n`)
        assert.deepStrictEqual(marked, { good: ["1 a", "3 c"], bad: ['{"n":2,"c":+5},'] })
      })
    )
  )

  it.live("of TSV is rejected with what is wrong with an escape", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { reasons } = yield* open()
        const noHex = String.raw`value 2 has \x without two hex digits after it`
        const ends = "value 2 ends within an escape"
        const rows = ["1\t\\x4", "2\ta\\\\\\xg0", "3\tb\\\t", "4\t\\\\x4\\"]
        const expected = [noHex, noHex, ends, ends]
        assert.deepStrictEqual(yield* reasons("TabSeparated", rows.join("\n")), expected)
      })
    )
  )

  it.live("is read with all others of its object, if all are good", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { whole } = yield* open()
        const times = yield* open("DateTime('Europe/Berlin')")
        const seconds = '{"n":1,"c":1704103200}\n{"n":2,"c":"2024-01-01 11:00:00"}\n'
        const shown = ["1 2024-01-01 11:00:00", "2 2024-01-01 11:00:00"]
        assert.deepStrictEqual(yield* times.whole("JSONEachRow", seconds), shown)
        const number = "9".repeat(30)
        const numbers = `{"n":1,"c":${number}}\n{"n":2,"c":1e400}`
        assert.deepStrictEqual(yield* whole("JSONEachRow", numbers), [`1 ${number}`, "2 1e400"])
        const array = '[\n{\n"n":1,\n"c":"a"\n},\n{"n":2,"c":"\\n"}\n]\n'
        assert.deepStrictEqual(yield* whole("JSONEachRow", array), ["1 a", "2 \n"])
        const commas = '\ufeff{"n":1,"c":"a"},\n{"n":2,"c":"b;"},\n{"n":3,"c":"c"}\n'
        assert.deepStrictEqual(yield* whole("JSONEachRow", commas), ["1 a", "2 b;", "3 c"])
        // Most lines are objects, and none is a row.
        const nested = '{"n":1,"c":[\n{"x":1},\n{"x":2},\n{"x":3},\n{"x":4}\n]}\n'
        assert.deepStrictEqual((yield* whole("JSONEachRow", nested))?.length, 1)
        const lined = '[\n{"n":1,"c":"a"},\n{"n":2,"c":"b"},\n{"n":3,"c":"c"}\n]\n'
        assert.deepStrictEqual(yield* whole("JSONEachRow", lined), ["1 a", "2 b", "3 c"])
        assert.deepStrictEqual(yield* whole("CSV", "1,a, \n2,b,\t\n"), ["1 a", "2 b"])
        const escapes = "1\t\\x41\\\\x\n2\ta\\\nb\\\\\n"
        assert.deepStrictEqual(yield* whole("TabSeparated", escapes), ["1 A\\x", "2 a\nb\\"])
        const quotes = '1,5"\n2,"a\n""b"" c"\n"3","d"\n4,"""e"""\n'
        assert.deepStrictEqual(yield* whole("CSV", quotes), ['1 5"', '2 a\n"b" c', "3 d", '4 "e"'])
      })
    )
  )

  it.live("is read into columns of any name", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
        const tested = { type: "String", show: "c", values: [] }
        const names = ["headgate_no_field", "headgate_no_field_"]
        const columns = names.map((column): TestedColumn => ({ column, tested, cases: [], filling: "" }))
        const table = yield* openTable(engine, columns)
        const row = rowOf("JSONEachRow", ["n", ...names], ["1", '"a"', '"b"'])
        const { staging } = yield* table.stage(yield* table.put("JSONEachRow", [row]))
        assert.deepStrictEqual(Array.from(yield* table.held(staging)), [[1, [hex("a"), hex("b")]]])
      })
    )
  )
})
