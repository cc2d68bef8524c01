import { assert, describe, it } from "@effect/vitest"
import { mapFields } from "../src/row/jsonRow.ts"

const map = mapFields([
  { sourceField: "a", destinationField: "x" },
  { sourceField: "a", destinationField: "y" },
  { sourceField: 'naïve "b"', destinationField: "z" }
])

const text = (row: string) => Buffer.from(map(Buffer.from(row))).toString("utf8")

describe("mapFields", () => {
  it.each([
    [`{"a":1}`, `{"x":1,"y":1}`],
    [` { "b" : 2 , "a" : {"a":[1,"}"]} } `, `{"x":{"a":[1,"}"]},"y":{"a":[1,"}"]}}`],
    [String.raw`{"na\u00efve \"b\"":"\"","c":null}`, String.raw`{"z":"\""}`],
    [`{"naïve \\"b\\"":12345678901234567890.10}`, `{"z":12345678901234567890.10}`],
    [`{"c":3}`, `{}`],
    [`{ }`, `{}`]
  ])("writes the fields that are mapped under the names of their columns: %s", (row, expected) => {
    assert.strictEqual(text(row), expected)
  })

  it.each([`"text"`, `[{"a":1}]`, `{"a":1}{"a":2}`, `{"a":1`, `{"a":1,}`, `{"a" 1}`, `{a:1}`, `{"a":1} x`, ``])(
    "leaves a row that is not one object as it is: %s",
    (row) => {
      assert.strictEqual(text(row), row)
    }
  )

  it("leaves every row as it is without a mapping", () => {
    const row = Buffer.from(` {"a":1}`)
    assert.strictEqual(mapFields([])(row), row)
  })
})
