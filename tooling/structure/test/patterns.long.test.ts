import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { patternsIn, shortInputs, slowPatterns } from "../src/patterns.ts"
import { workspaceSources } from "../src/workspace.ts"

const sources = workspaceSources(join(import.meta.dirname, "../../.."))
const patterns = sources.flatMap(patternsIn)

describe("the regular expressions of this workspace", () => {
  it("take linear time, or their input is short", () => {
    assert.isAbove(patterns.length, 400)
    assert.deepStrictEqual(slowPatterns(patterns), [])
  }, 600_000)

  it("are those of which the list of short inputs tells", () => {
    const stale = shortInputs.filter(
      (short) => !patterns.some(({ file, source }) => file === short.file && source === short.source)
    )
    assert.deepStrictEqual(stale, [])
  })
})

describe("the test itself reports", () => {
  it.each([
    ["exponential time", String.raw`export const a = /^[a-z]\w*(?:[+-][\w+-]+)*$/`, "exponential"],
    ["quadratic time", String.raw`export const a = /^[+-]?\d+\.?\d*$/u`, "2nd degree"],
    ["what is searched from every place", "export const a = (text: string) => text.replace(/0+$/, '')", "2nd degree"],
    ["a pattern of a text", "export const a = new RegExp('^(a+)+$')", "exponential"]
  ])("%s", (_, text, verdict) => {
    const [fault = "", ...more] = slowPatterns(patternsIn({ path: "packages/core/src/a.ts", text: `\n${text}\n` }))
    assert.include(fault, "packages/core/src/a.ts:2 ")
    assert.include(fault, verdict)
    assert.deepStrictEqual(more, [])
  })
})
