import { assert, describe, it } from "vitest"
import { bytes, none, number, rate, shortNumber } from "../../src/format/numbers.ts"
import { markOf } from "../../src/format/states.ts"
import { ago, span, timeIn } from "../../src/format/times.ts"

describe("numbers", () => {
  it("writes whole numbers in full, and those that have 64 bits", () => {
    assert.strictEqual(number(1_234_567), "1,234,567")
    assert.strictEqual(number(18_446_744_073_709_551_615n), "18,446,744,073,709,551,615")
    assert.strictEqual(number(0), "0")
    assert.strictEqual(number(-5), "-5")
  })

  it("keeps three digits of a fraction below 100", () => {
    assert.strictEqual(number(0.123_456), "0.123")
    assert.strictEqual(number(99.94), "99.9")
    assert.strictEqual(number(-1.2345), "-1.23")
    assert.strictEqual(number(100.6), "101")
    assert.strictEqual(number(-1234.5), "-1,235")
  })

  it("writes a dash where there is none", () => {
    for (const write of [number, shortNumber, bytes, rate])
      assert.deepStrictEqual([write(null), write(undefined), write(Number.NaN)], [none, none, none])
  })

  it("shortens numbers, and gives rates their unit", () => {
    assert.strictEqual(shortNumber(1234), "1.2K")
    assert.strictEqual(shortNumber(0.25), "0.25")
    assert.strictEqual(shortNumber(0), "0")
    assert.strictEqual(shortNumber(-0.004), "-0.004")
    assert.strictEqual(shortNumber(9e14), "900T")
    assert.strictEqual(shortNumber(1e15), "1E15")
    assert.strictEqual(shortNumber(-2.5e300), "-2.5E300")
    assert.strictEqual(shortNumber(2e-7), "2E-7")
    assert.strictEqual(number(1e308), "1E308")
    assert.strictEqual(number(1e-300), "1E-300")
    assert.strictEqual(number(1e20), "100,000,000,000,000,000,000")
    assert.strictEqual(shortNumber(7), "7")
    assert.strictEqual(rate(1234), "1,234 /s")
    assert.strictEqual(rate(0), "0 /s")
  })

  it.each([
    [0, "0 B"],
    [1023, "1,023 B"],
    [1024, "1 KiB"],
    [1536, "1.5 KiB"],
    [-2048, "-2 KiB"],
    [1024 ** 2, "1 MiB"],
    [5 * 1024 ** 3, "5 GiB"],
    [1024 ** 5, "1 PiB"],
    [1024 ** 6, "1,020 PiB"],
    [0.5, "1 B"]
  ])("writes %d bytes", (value, text) => {
    assert.strictEqual(bytes(value), text)
  })
})

describe("times", () => {
  it.each([
    [0, "0 s"],
    [999, "0 s"],
    [59_999, "59 s"],
    [60_000, "1 min"],
    [3_599_999, "59 min"],
    [3_600_000, "1 h"],
    [86_399_999, "23 h"],
    [86_400_000, "1 d"],
    [-180_000, "3 min"]
  ])("writes a span of %d", (length, text) => {
    assert.strictEqual(span(length), text)
  })

  it("tells how long ago a time was", () => {
    const now = Date.UTC(2026, 10, 27)
    assert.strictEqual(ago(now - 5000, now), "5 s ago")
    assert.strictEqual(ago(now, now), "0 s ago")
    assert.strictEqual(ago("2026-11-26T00:00:00Z", now), "1 d ago")
    assert.strictEqual(ago(now + 120_000, now), "in 2 min")
    assert.deepStrictEqual([ago(null, now), ago(undefined, now), ago("soon", now)], [none, none, none])
  })

  it("writes a time in a zone", () => {
    const at = "2026-03-29T00:30:00Z"
    assert.match(timeIn(at, "UTC"), /^Mar 29, 2026, 12:30:00\sAM$/)
    assert.include(timeIn(Date.parse(at), "Asia/Kolkata"), "6:00:00")
    assert.include(timeIn(at, "UTC"), "12:30:00")
    assert.include(timeIn("2026-03-29T01:00:00Z", "Europe/Berlin"), "3:00:00")
    assert.deepStrictEqual([timeIn(null, "UTC"), timeIn(undefined, "UTC"), timeIn("x", "UTC")], [none, none, none])
  })
})

describe("states", () => {
  it.each([
    ["Running", "good"],
    ["Completed", "good"],
    ["Degraded", "warning"],
    ["Failed", "bad"],
    ["InternalError", "bad"],
    ["Stopped", "idle"],
    ["Paused", "idle"],
    ["Provisioning", "busy"],
    ["SomethingNew", "busy"]
  ])("shows %s as %s", (state, tone) => {
    assert.strictEqual(markOf(state).tone, tone)
  })

  it("never tells tones apart by colour alone", () => {
    const shapes = ["Running", "Completed", "Degraded", "Failed", "Stopped", "Paused", "New"].map(
      (state) => markOf(state).shape
    )
    assert.strictEqual(new Set(shapes).size, shapes.length)
    for (const shape of shapes) assert.lengthOf(shape, 1)
  })
})
