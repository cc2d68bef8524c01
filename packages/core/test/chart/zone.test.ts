import { assert, describe, it, vi } from "@effect/vitest"
import { dayMillis, zoneOf } from "../../src/chart/plan/Zone.ts"

const zones = [
  "UTC",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "America/Sao_Paulo",
  "Asia/Beirut",
  "Pacific/Auckland",
  "America/Los_Angeles"
]

const hour = 3_600_000
const dayOf = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day) / dayMillis

describe("zoneOf", () => {
  it("knows days of 23 and 25 hours", () => {
    const berlin = zoneOf("Europe/Berlin")
    const length = (day: number) => ((berlin?.startOfDay(day + 1) ?? 0) - (berlin?.startOfDay(day) ?? 0)) / hour
    assert.strictEqual(berlin?.startOfDay(dayOf(2026, 3, 29)), Date.UTC(2026, 2, 28, 23))
    assert.deepStrictEqual(
      [
        length(dayOf(2026, 3, 28)),
        length(dayOf(2026, 3, 29)),
        length(dayOf(2026, 10, 25)),
        length(dayOf(2026, 10, 26))
      ],
      [24, 23, 25, 24]
    )
  })

  it("knows offsets of 30 and 45 minutes", () => {
    assert.strictEqual(zoneOf("Asia/Kolkata")?.startOfDay(dayOf(2026, 1, 2)), Date.UTC(2026, 0, 1, 18, 30))
    assert.strictEqual(zoneOf("Asia/Kathmandu")?.startOfDay(dayOf(2026, 1, 2)), Date.UTC(2026, 0, 1, 18, 15))
    assert.strictEqual(zoneOf("America/St_Johns")?.startOfDay(dayOf(2026, 1, 2)), Date.UTC(2026, 0, 2, 3, 30))
  })

  it("begins a day without a midnight with its first instant", () => {
    // The clocks went from 23:59:59 to 01:00.
    assert.strictEqual(zoneOf("America/Sao_Paulo")?.startOfDay(dayOf(2018, 11, 4)), Date.UTC(2018, 10, 4, 3))
  })

  it("refuses what is no name at once, however it is written", () => {
    for (const name of ["", "+01:00", "Europe/", "Europe//Berlin", "Europe Berlin", "/Europe", "Etc/GMT+"]) {
      assert.isUndefined(zoneOf(name), name)
    }
    // A pattern that tries all ways to divide such a text takes seconds for each, and hours for one of the 64 characters of a request.
    for (const sign of ["+", "-", "/", "A+"]) {
      for (const end of ["!", "/", ""]) assert.isUndefined(zoneOf(`A${sign.repeat(36 / sign.length)}${end}`))
    }
  })

  it.each(zones)("divides time into days as Intl does: %s", (timeZone) => {
    // Years before the first of 1970 and after are written with four digits, so that dates compare as texts.
    const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" })
    const zone = zoneOf(timeZone)
    // Every day of two years in which clocks were changed, and some of the others.
    const isShown = (day: number) => (day >= dayOf(2018, 1, 1) && day < dayOf(2020, 1, 1)) || day % 29 === 0
    for (let day = dayOf(1971, 1, 1); day < dayOf(2037, 1, 1); day += 1) {
      if (!isShown(day)) continue
      const start = zone?.startOfDay(day) ?? 0
      const date = new Date(day * dayMillis).toISOString().slice(0, 10)
      if (format.format(start) !== date || format.format(start - 1) >= date || zone?.dayOf(start) !== day) {
        assert.fail(`${date} begins at ${new Date(start).toISOString()} in ${timeZone}`)
      }
    }
  })

  it("asks the list of zones for few of the days of a long range", () => {
    const asked = vi.spyOn(Intl.DateTimeFormat.prototype, "formatToParts")
    const zone = zoneOf("Europe/Berlin")
    const days = dayOf(2070, 1, 1) - dayOf(1971, 1, 1)
    for (let day = dayOf(1971, 1, 1); day < dayOf(2070, 1, 1); day += 1) zone?.startOfDay(day)
    const { length } = asked.mock.calls
    asked.mockRestore()
    assert.isBelow(length, days / 2)
  })

  it.each(["", "Nowhere/City", "+05:30", "UTC'; DROP", "GMT+1 ", "Europe/Berlin\0", "../etc"])(
    "does not know %j",
    (name) => {
      assert.isUndefined(zoneOf(name))
    }
  )

  it("takes the spelling of the list of zones", () => {
    assert.strictEqual(zoneOf("europe/berlin")?.name, "Europe/Berlin")
    assert.strictEqual(zoneOf("Asia/Kolkata")?.name, "Asia/Kolkata")
  })
})
