import { assert, describe, it } from "vitest"
import { csvOf } from "../../src/parts/table/csv.ts"
import type { Value } from "../../src/parts/table/model.ts"

const cellOf = (of: Value): string =>
  csvOf([{ name: "of", title: "T", value: () => of }], [{}])
    .slice("T\r\n".length)
    .replace(/\r\n$/, "")

describe("csvOf", () => {
  it("writes a line of titles and a line for each row", () => {
    const columns = [
      { name: "a", title: "First, name", value: (row: ReadonlyArray<Value>) => row[0] },
      { name: "b", title: "B", value: (row: ReadonlyArray<Value>) => row[1] }
    ]
    assert.strictEqual(
      csvOf(columns, [
        ["x", 1.5],
        [null, 2n]
      ]),
      '"First, name",B\r\nx,1.5\r\n,2\r\n'
    )
    assert.strictEqual(csvOf(columns, []), '"First, name",B\r\n')
  })

  it.each([
    ['say "a"', '"say ""a"""'],
    ["a,b", '"a,b"'],
    ["a\nb", '"a\nb"'],
    ["a\rb", '"a\rb"'],
    ["a b;c", "a b;c"]
  ])("quotes %j where it must", (text, cell) => {
    assert.strictEqual(cellOf(text), cell)
  })

  it.each([
    ["=1+1", "'=1+1"],
    ["+cmd", "'+cmd"],
    ["-2+3", "'-2+3"],
    ["@sum(a)", "'@sum(a)"],
    ["\t=1", "'\t'=1"],
    ["\r=1", "\"'\r'=1\""],
    ['=a("b")', '"\'=a(""b"")"'],
    ["a;=1", "a;'=1"],
    ["a\t@sum(a)", "a\t'@sum(a)"],
    ["a\n-2+3", '"a\n\'-2+3"'],
    ["a\r\n+1", '"a\r\n\'+1"'],
    ["a=1", "a=1"],
    ["[1,-2]", '"[1,-2]"']
  ])("makes of %j no formula", (text, cell) => {
    assert.strictEqual(cellOf(text), cell)
  })

  it.each([
    [-5, "-5"],
    ["-18446744073709551615", "-18446744073709551615"],
    ["+1.25", "+1.25"],
    ["-", "'-"],
    ["-1.", "'-1."],
    [1234.5, "1234.5"],
    [-1e-7, "-1e-7"],
    [-1e308, "-1e+308"],
    ["-1e5", "'-1e5"],
    [0, "0"],
    [false, "false"],
    [null, ""],
    [undefined, ""],
    [Number.NaN, ""]
  ])("writes %j plain", (value, cell) => {
    assert.strictEqual(cellOf(value), cell)
  })
})
