import { describe, expect, it } from "vitest"
import {
  boundsOf,
  checkRange,
  lengths,
  rangeLengths,
  readRange,
  writeRange
} from "../../src/parts/timeRange/timeRange.ts"

const at = (text: string) => Date.parse(text)
const now = at("2026-11-27T08:00:00Z")
const read = (query: string) => readRange(new URLSearchParams(query))

describe("the range of a link", () => {
  it("is the last hour in UTC if the link has none", () => {
    expect(read("")).toEqual({ range: { kind: "relative", length: "1h" }, zone: "UTC" })
  })

  it.each(rangeLengths)("stays relative: %s", (length) => {
    expect(read(`range=${length}`).range).toEqual({ kind: "relative", length })
  })

  it("stays absolute", () => {
    const { range, zone } = read("from=2026-03-29T00:00:00Z&to=2026-03-29T03:00:00%2B01:00&zone=Europe/Berlin&range=7d")
    expect(range).toEqual({ kind: "absolute", from: at("2026-03-29T00:00:00Z"), to: at("2026-03-29T02:00:00Z") })
    expect(zone).toBe("Europe/Berlin")
  })

  it.each([
    "range=2h",
    "from=2026-11-27T00:00:00Z",
    "to=2026-11-27T00:00:00Z",
    "from=x&to=y",
    "from=&to=",
    "from=2026-11-27T00:00:00Z&to=2026-11-27T00:00:00Z",
    "from=2026-11-27T01:00:00Z&to=2026-11-27T00:00:00Z",
    "from=-271821-04-20T00:00:00Z&to=%2B275760-09-13T00:00:00Z",
    "from=-000001-12-31T00:00:00Z&to=2026-11-27T00:00:00Z",
    "from=2026-11-27T00:00:00Z&to=%2B010000-01-02T00:00:00Z",
    "zone=Mars/Olympus",
    "zone="
  ])("leaves out what is wrong: %s", (query) => {
    expect(read(query)).toEqual({ range: { kind: "relative", length: "1h" }, zone: "UTC" })
  })

  it.each([
    { range: { kind: "relative", length: "1h" }, zone: "UTC" },
    { range: { kind: "relative", length: "15m" }, zone: "Asia/Kolkata" },
    {
      range: { kind: "absolute", from: at("1960-01-01T00:00:00Z"), to: at("1970-01-01T00:00:00.5Z") },
      zone: "America/St_Johns"
    },
    { range: { kind: "absolute", from: at("2016-01-01T00:00:00Z"), to: at("2026-01-01T00:00:00Z") }, zone: "UTC" }
  ] as const)("is written so that it is read again", (zoned) => {
    const written = Object.entries(writeRange(zoned)).filter(([, value]) => value !== "")
    expect(readRange(new URLSearchParams(written))).toEqual(zoned)
  })

  it("has no field for what is so by default", () => {
    expect(writeRange({ range: { kind: "relative", length: "1h" }, zone: "UTC" })).toEqual({
      range: "",
      from: "",
      to: "",
      zone: ""
    })
  })
})

it("ends now, or where it was said", () => {
  expect(boundsOf({ kind: "relative", length: "15m" }, now)).toEqual({ from: now - 900_000, to: now })
  expect(boundsOf({ kind: "relative", length: "7d" }, now)).toEqual({ from: at("2026-11-20T08:00:00Z"), to: now })
  expect(boundsOf({ kind: "absolute", from: 1, to: 2 }, now)).toEqual({ from: 1, to: 2 })
})

it("has lengths that grow", () => {
  const all = rangeLengths.map((length) => lengths[length].milliseconds / 60_000)
  expect(all).toEqual([15, 60, 360, 1440, 10_080])
})

describe("a typed range", () => {
  const check = (from: string, to: string, zone = "UTC") => checkRange({ from, to, zone }, now)

  it.each([
    ["2026-03-29T00:00", "2026-03-30T00:00", "Europe/Berlin", 23],
    ["2026-10-25T00:00", "2026-10-26T00:00", "Europe/Berlin", 25],
    ["2026-11-27T05:30", "2026-11-27T06:30", "Asia/Kolkata", 1],
    ["2026-11-01T00:00", "2026-11-02T00:00", "America/St_Johns", 25],
    ["2016-01-01", "2026-01-01", "UTC", 87_672],
    ["1960-01-01", "1960-01-02", "UTC", 24],
    ["2026-11-27T07:00", "2027-01-01", "UTC", 833],
    ["2026-11-27T08:00", "2026-11-27T09:00", "UTC", 1]
  ])("of %s to %s in %s is %d hours", (from, to, zone, hours) => {
    const checked = check(from, to, zone)
    const range = "range" in checked && checked.range.kind === "absolute" ? checked.range : undefined
    expect(range === undefined ? checked : (range.to - range.from) / 3_600_000).toBe(hours)
  })

  it("begins at the clock of its zone", () => {
    expect(check("2026-11-27T05:30", "2026-11-27T06:30", "Asia/Kolkata")).toMatchObject({
      range: { from: at("2026-11-27T00:00:00Z") }
    })
  })

  it.each([
    ["", "", "UTC", { from: "Enter a date and a time.", to: "Enter a date and a time." }],
    ["2026-11-27", "", "UTC", { to: "Enter a date and a time." }],
    ["2026-02-30", "2026-11-27", "UTC", { from: "Enter a date and a time." }],
    ["2026-11-27", "2026-11-26", "UTC", { to: "The range must end after it begins." }],
    ["2026-11-27T01:00", "2026-11-27T01:00", "UTC", { to: "The range must end after it begins." }],
    ["2027-01-01", "2027-01-02", "UTC", { from: "The range begins in the future, of which there is no history." }],
    ["2026-11-26", "2026-11-27", "Mars", { zone: "Enter the name of a time zone, such as Europe/Berlin." }]
  ])("from %s to %s in %s is refused", (from, to, zone, errors) => {
    expect(check(from, to, zone)).toEqual({ errors })
  })
})
