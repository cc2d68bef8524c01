import { assert, describe, it } from "vitest"
import { summarize } from "../../src/server/ratios.ts"
import { target, targetAtLeast } from "../../src/server/report.ts"
import type { Round } from "../../src/server/rounds.ts"

const measured = (cpuPerRequest: number, p99: number) => ({ cpuPerRequest, p99, requestsPerSecond: 1000 })

const round = (factor: number, ours: number): Round =>
  new Map([
    ["raw", measured(20 * factor, 1 * factor)],
    ["fastify", measured(40 * factor, 2 * factor)],
    ["headgate memory", measured(ours * factor, 3 * factor)]
  ])

describe("the ratios", () => {
  it("are taken within a round: one in which all are slow says nothing", () => {
    const summaries = summarize([round(1, 30), round(10, 30), round(1, 50)])
    const ours = summaries.find(({ name }) => name === "headgate memory")
    assert.deepStrictEqual(ours?.cpuTo, { fastify: 0.75, raw: 1.5 })
    assert.strictEqual(ours?.p99ToFastify, 1.5)
    assert.strictEqual(ours?.cpuPerRequest, 50)
  })
})

describe("a target", () => {
  it("is reached by the figure that is shown, and missed by the next", () => {
    assert.match(target("x", 1.004, 1), /^reached {2}x: 1\.00, target at most 1\.00$/)
    assert.match(target("x", 1.006, 1), /^MISSED {3}x: 1\.01, target at most 1\.00$/)
    assert.match(targetAtLeast("x", 1.69, 1.7), /^MISSED {3}x: 1\.69, target at least 1\.70$/)
    assert.match(targetAtLeast("x", 1.7, 1.7), /^reached/)
    assert.match(target("x", Number.NaN, 1), /^MISSED/)
  })
})
