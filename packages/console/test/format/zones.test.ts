import { describe, expect, it } from "vitest"
import { instantOf, isZone, offsetAt, parseWall, wallOf, wallText } from "../../src/format/zones.ts"
import { tickText, timeTicks, valueTicks } from "../../src/format/ticks.ts"

const hour = 3_600_000
const at = (text: string) => Date.parse(text)
const iso = (instant: number) => new Date(instant).toISOString()

describe("zones", () => {
  it.each([
    ["UTC", "2026-07-01T00:00:00Z", 0],
    ["Europe/Berlin", "2026-03-29T00:59:59Z", hour],
    ["Europe/Berlin", "2026-03-29T01:00:00Z", 2 * hour],
    ["Europe/Berlin", "2026-10-25T00:59:59Z", 2 * hour],
    ["Europe/Berlin", "2026-10-25T01:00:00Z", hour],
    ["Asia/Kolkata", "2026-07-01T00:00:00Z", 5.5 * hour],
    ["America/St_Johns", "2026-01-01T00:00:00Z", -3.5 * hour],
    ["America/St_Johns", "2026-07-01T00:00:00Z", -2.5 * hour],
    ["UTC", "1969-12-31T23:59:59.250Z", 0],
    ["Asia/Kolkata", "0001-06-01T12:00:00Z", 21_208_000],
    ["UTC", "-000009-06-01T12:00:00Z", 0]
  ])("says how far %s is ahead at %s", (zone, instant, offset) => {
    expect(offsetAt(zone, at(instant))).toBe(offset)
  })

  it.each([
    ["Europe/Berlin", "2026-03-29T01:30:00", "2026-03-29T00:30:00.000Z"],
    // Left out: clocks go from 2 to 3.
    ["Europe/Berlin", "2026-03-29T02:30:00", "2026-03-29T01:30:00.000Z"],
    ["Europe/Berlin", "2026-03-29T03:30:00", "2026-03-29T01:30:00.000Z"],
    // Twice: clocks go from 3 to 2.
    ["Europe/Berlin", "2026-10-25T02:30:00", "2026-10-25T00:30:00.000Z"],
    ["Europe/Berlin", "2026-10-25T03:00:00", "2026-10-25T02:00:00.000Z"],
    ["Asia/Kolkata", "2026-11-27T05:30:00", "2026-11-27T00:00:00.000Z"],
    ["America/St_Johns", "2026-03-08T02:15:00", "2026-03-08T05:45:00.000Z"],
    ["America/St_Johns", "2026-11-01T00:00:00", "2026-11-01T02:30:00.000Z"]
  ])("finds the instant of a clock in %s at %s", (zone, wall, instant) => {
    expect(iso(instantOf(zone, at(`${wall}Z`)))).toBe(instant)
  })

  it("counts the hours of the days on which clocks change", () => {
    const hoursOf = (day: string, next: string) =>
      (instantOf("Europe/Berlin", at(next)) - instantOf("Europe/Berlin", at(day))) / hour
    expect(hoursOf("2026-03-29", "2026-03-30")).toBe(23)
    expect(hoursOf("2026-10-25", "2026-10-26")).toBe(25)
    expect(hoursOf("2026-10-26", "2026-10-27")).toBe(24)
  })

  it("keeps milliseconds, also before 1970", () => {
    expect(wallOf("Asia/Kolkata", -1)).toBe(5.5 * hour - 1)
  })

  it.each([
    ["Europe/Berlin", true],
    ["UTC", true],
    ["", false],
    ["Mars/Olympus", false],
    ["<script>", false]
  ])("knows whether %s is a zone", (zone, isOne) => {
    expect(isZone(zone)).toBe(isOne)
  })

  it.each([
    ["2026-11-27", "2026-11-27T00:00:00"],
    ["2026-11-27 08:15", "2026-11-27T08:15:00"],
    ["2026-11-27T08:15:09.5", "2026-11-27T08:15:09"],
    [" 2024-02-29T23:59:59 ", "2024-02-29T23:59:59"],
    ["0099-01-01", "0099-01-01T00:00:00"]
  ])("reads the time %s", (text, wall) => {
    const read = parseWall(text)
    expect(read === undefined ? undefined : wallText(read)).toBe(wall)
  })

  it.each([
    "",
    "now",
    "2026-02-29",
    "2026-13-01",
    "2026-11-27T24:00",
    "2026-11-27T08:60",
    "2026-11-27T08:15:60",
    "27.11.2026"
  ])("reads no time in %s", (text) => {
    expect(parseWall(text)).toBeUndefined()
  })
})

describe("ticks of values", () => {
  it.each([
    [0, 10, 5, [0, 2, 4, 6, 8, 10]],
    [0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [-5, 5, 4, [-5, 0, 5]],
    [0, 1e300, 4, [0, 5e299, 1e300]],
    [0, 3e-9, 3, [0, 1e-9, 2e-9, 3e-9]],
    [7, 7, 5, []],
    [0, Number.POSITIVE_INFINITY, 5, []],
    [Number.NaN, 1, 5, []],
    [0, 10, 0, []]
  ])("of %d to %d, at most %d steps", (least, most, count, ticks) => {
    expect(valueTicks(least, most, count)).toEqual(ticks)
  })
})

describe("ticks of time", () => {
  const ticks = (from: string, to: string, zone: string, count: number) =>
    timeTicks(at(from), at(to), zone, count).ticks.map(iso)

  it("are round by the clocks of the zone", () => {
    expect(ticks("2026-11-27T00:10:00Z", "2026-11-27T03:00:00Z", "Asia/Kolkata", 3)).toEqual([
      "2026-11-27T00:30:00.000Z",
      "2026-11-27T01:30:00.000Z",
      "2026-11-27T02:30:00.000Z"
    ])
  })

  it("begin days at midnight when clocks change", () => {
    expect(ticks("2026-03-27T23:00:00Z", "2026-03-30T22:00:00Z", "Europe/Berlin", 3)).toEqual([
      "2026-03-27T23:00:00.000Z",
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
      "2026-03-30T22:00:00.000Z"
    ])
  })

  it("come once when an hour is left out", () => {
    expect(ticks("2026-03-29T00:00:00Z", "2026-03-29T03:00:00Z", "Europe/Berlin", 3)).toEqual([
      "2026-03-29T00:00:00.000Z",
      "2026-03-29T01:00:00.000Z",
      "2026-03-29T02:00:00.000Z",
      "2026-03-29T03:00:00.000Z"
    ])
  })

  it("are months, then years", () => {
    expect(timeTicks(at("2026-06-20T00:00:00Z"), at("2026-11-27T00:00:00Z"), "UTC", 6)).toEqual({
      step: 31 * 24 * hour,
      ticks: ["2026-07-01", "2026-08-01", "2026-09-01", "2026-10-01", "2026-11-01"].map(at)
    })
    expect(timeTicks(at("2023-05-20T00:00:00Z"), at("2026-11-27T00:00:00Z"), "UTC", 4)).toEqual({
      step: 12 * 31 * 24 * hour,
      ticks: ["2024-01-01", "2025-01-01", "2026-01-01"].map(at)
    })
  })

  it.each([
    ["2016-01-01T00:00:00Z", "2026-01-01T00:00:00Z"],
    ["1900-01-01T00:00:00Z", "1969-12-01T00:00:00Z"],
    ["2026-11-27T00:00:00Z", "2026-11-27T00:00:05Z"],
    ["2026-11-20T00:00:00Z", "2026-11-27T00:00:00Z"],
    ["2026-06-20T00:00:00Z", "2026-11-27T00:00:00Z"],
    ["1000-06-20T00:00:00Z", "2026-11-27T00:00:00Z"]
  ])("are few and within %s to %s", (from, to) => {
    for (const zone of ["UTC", "America/St_Johns"]) {
      const found = timeTicks(at(from), at(to), zone, 6).ticks
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThanOrEqual(8)
      expect(
        found.every((tick, index) => tick >= at(from) && tick <= at(to) && tick > (found[index - 1] ?? -Infinity))
      ).toBe(true)
    }
  })

  it.each([
    ["2026-11-27T00:00:00Z", "2026-11-27T00:00:00Z", 5],
    ["2026-11-27T00:00:00Z", "2026-11-26T00:00:00Z", 5],
    ["2026-11-27T00:00:00Z", "2026-11-28T00:00:00Z", 0]
  ])("are none from %s to %s, at most %d", (from, to, count) => {
    expect(ticks(from, to, "UTC", count)).toEqual([])
  })

  it("are written as long as their step", () => {
    const text = (instant: string, zone: string, step: number) => tickText(at(instant), zone, step)
    expect(text("2026-11-27T08:15:00Z", "UTC", 900_000)).toMatch(/^08:15/)
    expect(text("2026-11-27T08:15:00Z", "UTC", 60_000)).toMatch(/^08:15(?!:)/)
    expect(text("2026-11-27T08:15:05Z", "Asia/Kolkata", 5000)).toMatch(/01:45:05/)
    expect(text("2026-11-26T23:00:00Z", "Europe/Berlin", hour)).toMatch(/27/)
    expect(text("2026-11-27T12:00:00Z", "UTC", 24 * hour)).toMatch(/27/)
    expect(text("2026-11-01T00:00:00Z", "UTC", 31 * 24 * hour)).toMatch(/2026/)
  })
})
