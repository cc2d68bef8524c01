import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { granularities } from "../../src/chart/ChartQuery.ts"
import { automaticSeconds, periodsOf, previousPeriods, rangeIssue } from "../../src/chart/plan/Periods.ts"
import { utc, zoneOf } from "../../src/chart/plan/Zone.ts"

const hour = 3_600_000
const day = 24 * hour
const iso = (millis: number) => new Date(millis).toISOString()
const made = (...args: Parameters<typeof periodsOf>) => Result.getOrThrow(periodsOf(...args))
const berlin = zoneOf("Europe/Berlin") ?? utc

describe("automaticSeconds", () => {
  it.each([
    [0, 15],
    [15 * 60, 15],
    [15 * 60 + 1, 30],
    [hour / 1000, 60],
    [5 * 3600, 300],
    [10 * 3600, 900],
    [24 * 3600, 1800],
    [7 * 86_400, 21_600],
    [60 * 86_400, 86_400],
    [3650 * 86_400, 30 * 86_400]
  ])("a range of %d s has periods of %d s", (range, seconds) => {
    assert.strictEqual(automaticSeconds({ from: 1000, to: 1000 + range * 1000 }), seconds)
  })
})

describe("periodsOf", () => {
  it("aligns a range with whole periods, or leaves it", () => {
    const asked = { from: Date.UTC(2026, 0, 1, 10, 2), to: Date.UTC(2026, 0, 1, 10, 11) }
    const options = { granularity: "5m", zone: utc } as const
    const aligned = made(asked, { ...options, isAligned: true })
    assert.deepStrictEqual(
      [iso(aligned.range.from), iso(aligned.range.to)],
      ["2026-01-01T10:00:00.000Z", "2026-01-01T10:15:00.000Z"]
    )
    assert.strictEqual(aligned.starts.length, 3)
    const exact = made(asked, { ...options, isAligned: false })
    assert.deepStrictEqual(exact.range, asked)
    assert.deepStrictEqual(exact.starts, aligned.starts)
  })

  it("begins days with those of the zone, and hours with those of UTC", () => {
    const asked = { from: Date.UTC(2026, 2, 28, 12), to: Date.UTC(2026, 2, 30, 12) }
    const days = made(asked, { granularity: "1d", zone: berlin, isAligned: true })
    assert.deepStrictEqual(days.starts.map(iso), [
      "2026-03-27T23:00:00.000Z",
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z"
    ])
    assert.strictEqual(iso(days.range.to), "2026-03-30T22:00:00.000Z")
    const kolkata = zoneOf("Asia/Kolkata") ?? utc
    const hours = made(
      { from: asked.from, to: asked.from + hour },
      { granularity: "1h", zone: kolkata, isAligned: true }
    )
    assert.deepStrictEqual(hours.starts.map(iso), ["2026-03-28T12:00:00.000Z"])
  })

  it("has no period in a range of 0 s, also before 1970", () => {
    const options = { granularity: "auto", zone: utc, isAligned: true } as const
    assert.deepStrictEqual(made({ from: 5000, to: 5000 }, options).starts, [])
    assert.deepStrictEqual(made({ from: -10 * day, to: -day }, options).starts, [])
    assert.strictEqual(made({ from: -day, to: day }, { ...options, granularity: "12h" }).starts[0], 0)
  })

  it("refuses more than 100,000 periods", () => {
    const tenYears = { from: 0, to: 3650 * day }
    const options = { granularity: "1s", zone: utc, isAligned: true } as const
    assert.deepStrictEqual(
      periodsOf(tenYears, options),
      Result.fail({
        path: "granularity",
        message: "1s makes 315360000 periods of this range, and there may be 100000: choose a longer one, or auto"
      })
    )
    assert.strictEqual(made(tenYears, { ...options, granularity: "auto" }).starts.length, 122)
  })

  it.each(["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "America/Sao_Paulo"])(
    "divides every range into periods: %s",
    (name) => {
      const zone = zoneOf(name) ?? utc
      const wide = Date.UTC(2018, 9, 1)
      for (const granularity of granularities) {
        for (let step = 0; step < 4; step += 1) {
          const from = wide + step * 37_777_777
          const to = from + (granularity.endsWith("d") ? 100 * day : granularity.endsWith("h") ? 3 * day : 10 * 60_000)
          const { range, starts } = made({ from, to }, { granularity, zone, isAligned: true })
          assert.strictEqual(starts[0], range.from)
          assert.isTrue(range.from <= from && range.to >= to)
          for (const [index, start] of starts.entries()) {
            const next = starts[index + 1] ?? range.to
            if (start >= next) assert.fail(`${name} ${granularity} ${iso(start)}`)
          }
          // One that begins later is the rest of the same division.
          const rest = made({ from: starts[1] ?? from, to }, { granularity, zone, isAligned: true })
          if (starts.length > 1) assert.deepStrictEqual(rest.starts, starts.slice(1))
        }
      }
    }
  )
})

describe("previousPeriods", () => {
  it("has as many periods, the last of which ends where the range begins", () => {
    const asked = { from: Date.UTC(2026, 2, 29, 12), to: Date.UTC(2026, 2, 31, 12) }
    const now = made(asked, { granularity: "1d", zone: berlin, isAligned: true })
    const before = previousPeriods(now)
    assert.deepStrictEqual(before.starts.map(iso), [
      "2026-03-25T23:00:00.000Z",
      "2026-03-26T23:00:00.000Z",
      "2026-03-27T23:00:00.000Z"
    ])
    assert.strictEqual(before.range.to, now.range.from)
  })
})

describe("the periods before a range that is not aligned", () => {
  it("are those of a range of the same length", () => {
    const asked = { from: Date.UTC(2026, 0, 1, 10, 2), to: Date.UTC(2026, 0, 1, 10, 11) }
    const before = previousPeriods(made(asked, { granularity: "5m", zone: utc, isAligned: false }))
    assert.deepStrictEqual(before.range, { from: Date.UTC(2026, 0, 1, 9, 53), to: asked.from })
    assert.deepStrictEqual(
      before.starts.map(iso),
      ["09:50", "09:55", "10:00"].map((time) => `2026-01-01T${time}:00.000Z`)
    )
  })
})

describe("rangeIssue", () => {
  it.each([
    [{ from: 2, to: 1 }, "from"],
    [{ from: -1e14, to: 1 }, "from"],
    [{ from: 1, to: 1e15 }, "to"],
    [{ from: 1, to: 1 }, undefined],
    [{ from: -1, to: 1e13 }, undefined]
  ])("%j: %s", (range, path) => {
    assert.strictEqual(rangeIssue(range)?.path, path)
  })
})
