import { assert, describe, it } from "@effect/vitest"
import { columns, table, wrapLines } from "../src/columns.ts"
import { layoutBy } from "../src/layout.ts"

describe("columns", () => {
  it("are as wide as their widest cell on a terminal, without trailing spaces", () => {
    assert.deepStrictEqual(
      columns([
        ["a", "b", "c"],
        ["東京", "x", ""],
        ["e\u0301", "yy", "z"]
      ]),
      ["a     b   c", "東京  x", "e\u0301     yy  z"]
    )
  })
})

describe("text for a narrow terminal", () => {
  const widest = (text: string) => Math.max(...text.split("\n").map((line) => line.length))

  it("breaks the last column between words", () => {
    assert.deepStrictEqual(
      columns(
        [
          ["--a <b>", "one two three four five six"],
          ["-c", "x"]
        ],
        30
      ),
      ["--a <b>  one two three four", "         five six", "-c       x"]
    )
  })

  it("breaks a command so that it can be pasted, outside quotes", () => {
    const { wrapCommand } = layoutBy((text) => text.length)
    assert.deepStrictEqual(wrapCommand("$ headgate x --name 'a b c' --json", 24), [
      "$ headgate x --name \\",
      "  'a b c' --json"
    ])
    assert.deepStrictEqual(wrapCommand("$ headgate x", 24), ["$ headgate x"])
  })

  it("cuts the cells of a table, but not its ids", () => {
    const id = "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f"
    const rows = [
      ["ID", "NAME", "TILES", "TAGS"],
      [id, "a very long name of a dashboard", "2", "orders, sample"],
      [id, "東京東京東京東京", "11", ""]
    ]
    assert.isAtMost(widest(table(rows, 68)), 68)
    assert.deepStrictEqual(
      table(rows, 68)
        .split("\n")
        .map((line) => line.slice(0, 36).trim()),
      ["ID", id, id]
    )
    assert.include(table(rows, 68), "…")
    // Less than 10 columns of a name or a tag would say nothing.
    assert.strictEqual(table(rows, 60).split("\n")[1], "NAME   a very long name of a dashboard")
    assert.include(table(rows, 200), "a very long name of a dashboard")
  })

  it("breaks the lines of a text between words, and keeps their indentation", () => {
    assert.strictEqual(wrapLines("one two three\n  four five\nsix", 9), "one two\nthree\n  four\n  five\nsix")
    assert.strictEqual(wrapLines("one two", Infinity), "one two")
  })

  it("has a line for each cell where not even the names of the columns fit", () => {
    const rows = [
      ["ID", "NAME", "ROLES"],
      ["1f4a2b3c", "a very long name of a key", ""],
      ["2f4a2b3c", "東京", "admin"]
    ]
    assert.deepStrictEqual(table(rows, 20).split("\n"), [
      "ID     1f4a2b3c",
      "NAME   a very long …",
      "ROLES",
      "",
      "ID     2f4a2b3c",
      "NAME   東京",
      "ROLES  admin"
    ])
    assert.strictEqual(table(rows.slice(0, 1), 10), "ID  NAME  ROLES")
  })

  it("cuts a long cell of a wide table, so that it does not pad every row", () => {
    const rows = [
      ["ID", "NAME", "TAGS"],
      ["1", "x".repeat(1024), ""],
      ["2", "short", "t"]
    ]
    assert.deepStrictEqual(table(rows, Infinity).split("\n").slice(1), [
      `1   ${"x".repeat(59)}…`,
      `2   short${" ".repeat(55)}  t`
    ])
  })
})
