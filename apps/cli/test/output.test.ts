import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import { columns, table, wrapCommand } from "../src/output/columns.ts"
import { detailText, masked } from "../src/output/detailText.ts"
import { escapeTerminal, escapeTerminalLine } from "../src/output/escapeTerminal.ts"

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
    assert.isAtMost(widest(table(rows, 60)), 60)
    assert.deepStrictEqual(
      table(rows, 60)
        .split("\n")
        .map((line) => line.slice(0, 36).trim()),
      ["ID", id, id]
    )
    assert.include(table(rows, 60), "…")
    assert.include(table(rows, 200), "a very long name of a dashboard")
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

describe("detailText", () => {
  it("prints simple values beside their names and other values below", () => {
    const text = detailText({
      name: "n",
      absent: undefined,
      nothing: null,
      flag: false,
      empty: {},
      none: [],
      list: ["a", 1, null],
      nested: { deep: { er: 1 }, x: "y" },
      rows: [{ a: 1 }, { b: ["x", "y"], a: { c: 1 } }]
    })
    assert.strictEqual(
      text,
      [
        "name     n",
        "nothing  null",
        "flag     false",
        "empty    {}",
        "none     []",
        "list     a, 1, null",
        "nested",
        "  deep",
        "    er  1",
        "  x     y",
        "rows",
        "  a        b",
        "  1",
        '  {"c":1}  x, y'
      ].join("\n")
    )
  })

  it("prints a value on one line", () => {
    assert.strictEqual(detailText({ a: "x\ny", pem: "1\n2\n3\n" }), "a    x\\ny\npem  1 ... (3 lines)")
  })
})

describe("masked", () => {
  it("masks secrets, and unknown fields whose names sound like secrets", () => {
    const value = {
      id: "1",
      at: DateTime.makeUnsafe("2026-01-02T03:04:05.000Z"),
      connection: Redacted.make("s3cr3t"),
      password: "s3cr3t",
      list: [{ apiToken: "s3cr3t", sortingKeys: ["a"] }],
      credentials: { user: "u", pass: "s3cr3t" },
      privateKey: null
    }
    assert.deepStrictEqual(masked(value), {
      id: "1",
      at: "2026-01-02T03:04:05Z",
      connection: "<redacted>",
      password: "<redacted>",
      list: [{ apiToken: "<redacted>", sortingKeys: ["a"] }],
      credentials: "<redacted>",
      privateKey: null
    })
  })
})

describe("escapeTerminal", () => {
  it("escapes control characters", () => {
    assert.strictEqual(escapeTerminal("a\u001b[31m\u0007\r\nb\u009b"), "a\\x1b[31m\\x07\\x0d\nb\\x9b")
    assert.strictEqual(escapeTerminalLine("a\nb"), "a\\nb")
  })
})
