import { assert, describe, it } from "@effect/vitest"
import { escapeTerminal, escapeTerminalLine, jsonText } from "../src/terminal.ts"

describe("escapeTerminal", () => {
  it("escapes control characters", () => {
    assert.strictEqual(escapeTerminal("a\u001b[31m\u0007\r\nb\u009b"), "a\\x1b[31m\\x07\\x0d\nb\\x9b")
    assert.strictEqual(escapeTerminalLine("a\nb"), "a\\nb")
  })
})

describe("JSON for a terminal", () => {
  const hostile = 'a\u001b[2J\u007f\u009b31m\u202eb\u2066\u200e\u061c"\\\n'

  it("holds no control characters", () => {
    assert.match(jsonText(hostile), /^[\u0020-\u007e]+$/)
  })

  it("is the same document", () => {
    const document = { name: hostile, owner: "größe 🚰" }
    assert.deepStrictEqual<unknown>(JSON.parse(jsonText(document, 2)), document)
    assert.include(jsonText(document), "größe 🚰")
  })

  it("escapes what some terminals break a line at", () => {
    assert.strictEqual(escapeTerminalLine("a\u2028b\u2029c\nd"), "a\\x2028b\\x2029c\\nd")
  })
})
