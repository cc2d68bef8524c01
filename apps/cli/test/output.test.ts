import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import { detailText, masked } from "../src/output/detailText.ts"

const inColumns = (record: object) => detailText(record, { isPlain: false, width: Infinity })

describe("detailText", () => {
  it("prints simple values beside their names and other values below", () => {
    const text = inColumns({
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
    assert.strictEqual(inColumns({ a: "x\ny", pem: "1\n2\n3\n" }), "a    x\\ny\npem  1 ... (3 lines)")
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
