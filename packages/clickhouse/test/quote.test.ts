import { assert, describe, it } from "vitest"
import { quoteIdentifier, quoteString, quoteTable } from "../src/sql/quote.ts"

describe("quoting", () => {
  it("escapes quotes and backslashes", () => {
    assert.strictEqual(quoteIdentifier("a`b\\"), "`a\\`b\\\\`")
    assert.strictEqual(quoteString("it's \\"), "'it\\'s \\\\'")
    assert.strictEqual(quoteTable("d.e", "t"), "`d.e`.`t`")
  })
})
