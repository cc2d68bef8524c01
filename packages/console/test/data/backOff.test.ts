import { assert, describe, it } from "vitest"
import { delayBefore } from "../../src/data/backOff.ts"

describe("delayBefore", () => {
  it("is the interval as long as nothing failed, whatever was asked for before", () => {
    assert.strictEqual(delayBefore(0, 3000, undefined), 3000)
    assert.strictEqual(delayBefore(0, 3000, 90_000), 3000)
  })

  it.each([
    [1, 5000],
    [2, 10_000],
    [3, 20_000],
    [4, 60_000],
    [5, 60_000],
    [100, 60_000]
  ])("waits longer after %i failures", (failures, delay) => {
    assert.strictEqual(delayBefore(failures, 3000, undefined), delay)
  })

  it("is never shorter than the interval, nor than what the server asks for", () => {
    assert.strictEqual(delayBefore(1, 30_000, undefined), 30_000)
    assert.strictEqual(delayBefore(1, 3000, 7000), 7000)
    assert.strictEqual(delayBefore(4, 3000, 7000), 60_000)
  })

  it("is at most an hour, whatever the server asks for: a timer of a browser takes no more than 24 days", () => {
    for (const retryAfter of [3_600_001, 2 ** 31, 1e15, Number.MAX_VALUE, Number.POSITIVE_INFINITY]) {
      assert.strictEqual(delayBefore(1, 3000, retryAfter), 3_600_000)
    }
  })
})
