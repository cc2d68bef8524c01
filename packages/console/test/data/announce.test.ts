import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { announce, announced } from "../../src/data/announce.ts"

describe("announce", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.runAllTimers()
    vi.useRealTimers()
  })

  it("says the first message at once, and at most one each ten seconds: the last", () => {
    announce("one")
    assert.strictEqual(announced.value, "one")
    announce("two")
    announce("three")
    vi.advanceTimersByTime(9999)
    assert.strictEqual(announced.value, "one")
    vi.advanceTimersByTime(1)
    assert.strictEqual(announced.value, "three")
    announce("four")
    assert.strictEqual(announced.value, "three")
    vi.advanceTimersByTime(10_000)
    assert.strictEqual(announced.value, "four")
    vi.advanceTimersByTime(10_000)
    announce("five")
    assert.strictEqual(announced.value, "five")
  })
})
