import { assert, describe, it } from "vitest"
import { median, medianOf, medianRatio } from "../src/measure/ratios.ts"
import { targetTable } from "../src/measure/report.ts"
import type { Round } from "../src/measure/rounds.ts"

const round = (a: number, b: number): Round =>
  new Map([
    ["a", a],
    ["b", b]
  ])

describe("ratios", () => {
  it("are taken within a round, so that a slow round says nothing", () => {
    const rounds = [round(1, 2), round(10, 20), round(100, 200), round(3, 2)]
    assert.strictEqual(medianRatio(rounds, "a", "b"), 0.5)
    assert.strictEqual(medianOf(rounds, "a"), 6.5)
  })

  it("have a middle, also when they are even in number, or none", () => {
    assert.strictEqual(median([3, 1, 2]), 2)
    assert.strictEqual(median([4, 1, 3, 2]), 2.5)
    assert.isNaN(median([]))
  })
})

describe("a target", () => {
  it("is reached or not by the figure that is shown", () => {
    const rows = targetTable([
      { what: "just", atMost: 0.5, measured: 0.504 },
      { what: "not", atMost: 0.5, measured: 0.506 },
      { what: "unknown", atMost: 0.5, measured: Number.NaN }
    ])
    assert.deepStrictEqual(
      rows.map((row) => row.split(/\s+/).at(-1)),
      ["reached", "yes", "no", "no"]
    )
  })
})
