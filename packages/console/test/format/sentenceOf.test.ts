import { assert, describe, it } from "vitest"
import { sentenceOf } from "../../src/format/sentenceOf.ts"

describe("sentenceOf", () => {
  it.each([
    ["this server queries nothing: turn charts on", "This server queries nothing: turn charts on."],
    ["The range is wrong.", "The range is wrong."],
    ["a pipe is read …", "A pipe is read …"],
    ["name: Missing: it is required", "name: Missing: it is required."],
    ["source.kafka.topics: Missing", "source.kafka.topics: Missing."],
    ["x", "x."]
  ])("%j is shown as %j", (message, sentence) => {
    assert.strictEqual(sentenceOf(message), sentence)
  })
})
