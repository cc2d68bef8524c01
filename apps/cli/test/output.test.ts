import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import { columns } from "../src/output/columns.ts"
import { detailText } from "../src/output/detail.ts"
import { harmless, harmlessLine } from "../src/output/harmless.ts"
import { masked } from "../src/output/masked.ts"

describe("columns", () => {
  it("are as wide as their widest cell looks, with nothing at the end of a line", () => {
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

describe("detailText", () => {
  it("puts simple values beside their names and everything else below", () => {
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

  it("keeps to one line a value", () => {
    assert.strictEqual(detailText({ a: "x\ny", pem: "1\n2\n3\n" }), "a    x\\ny\npem  1 ... (3 lines)")
  })
})

describe("masked", () => {
  it("hides what is redacted, and what sounds like a secret where the domain does not know it", () => {
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

describe("harmless", () => {
  it("writes out what would steer a terminal", () => {
    assert.strictEqual(harmless("a\u001b[31m\u0007\r\nb\u009b"), "a\\x1b[31m\\x07\\x0d\nb\\x9b")
    assert.strictEqual(harmlessLine("a\nb"), "a\\nb")
  })
})
