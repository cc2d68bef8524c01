import { describe, expect, it } from "vitest"
import { type History, joinHistory, linesOf, readAgainFrom, stepText } from "../../src/pages/pipe/history.ts"

const at = (time: string) => `2026-11-27T${time}:00.000Z`
const millis = (time: string) => Date.parse(at(time))
const point = (time: string, rows: number, lag: number | null = null) => ({
  at: at(time),
  rows,
  bytes: rows * 10,
  errors: 1,
  lag
})
const history = (from: string, to: string, points: History["points"], stepSeconds = 60): History => ({
  from: at(from),
  to: at(to),
  stepSeconds,
  points
})

describe("the lines of a history", () => {
  it("have a gap where nobody moved the pipe", () => {
    const lines = linesOf(history("08:00", "08:04", [point("08:00", 60, 5), point("08:02", 0, 0)]), millis("09:00"))
    expect(lines.times).toEqual(["08:00", "08:01", "08:02", "08:03"].map(millis))
    expect(lines.rows).toEqual([1, null, 0, null])
    expect(lines.bytes).toEqual([10, null, 0, null])
    expect(lines.lag).toEqual([5, null, 0, null])
    expect(lines.errors).toEqual([1, null, 1, null])
    expect(lines.isRunning).toBe(false)
    expect([lines.from, lines.to]).toEqual([millis("08:00"), millis("08:04")])
  })

  it("have no negative rate, and none that is no number", () => {
    const odd = history("08:00", "08:04", [
      point("08:00", -60, -1),
      point("08:01", Number.NaN),
      point("08:02", Number.POSITIVE_INFINITY),
      { ...point("08:03", 6), lag: undefined }
    ])
    const lines = linesOf(odd, millis("09:00"))
    expect(lines.rows).toEqual([null, null, null, 0.1])
    expect(lines.lag).toEqual([null, null, null, null])
  })

  it("have the rate of what is over of a step that has not ended", () => {
    const open = history("08:00", "08:02", [point("08:00", 60), point("08:01", 30)])
    const lines = linesOf(open, millis("08:01") + 15_000)
    expect(lines.rows).toEqual([1, 2])
    expect(lines.errors).toEqual([1, 1])
    expect(lines.isRunning).toBe(true)
  })

  it("have no rate of some seconds", () => {
    const open = history("08:00", "08:02", [point("08:00", 60), point("08:01", 30)])
    expect(linesOf(open, millis("08:01") + 4999).rows).toEqual([1, null])
    expect(linesOf(open, millis("08:01") + 5000).rows).toEqual([1, 6])
  })

  it("end with the step of now", () => {
    const lines = linesOf(history("08:00", "12:00", [point("08:00", 60)]), millis("08:02"))
    expect(lines.times).toEqual(["08:00", "08:01", "08:02"].map(millis))
    expect(linesOf(history("08:00", "08:02", []), millis("08:02")).isRunning).toBe(false)
  })

  it("have a length, also of a range without steps", () => {
    const lines = linesOf(history("08:00", "08:00", []), millis("09:00"))
    expect(lines.times).toEqual([])
    expect(lines.to).toBeGreaterThan(lines.from)
  })
})

describe("reading a history again", () => {
  it("begins a step before the last one", () => {
    expect(readAgainFrom(history("08:00", "09:00", [point("08:00", 1), point("08:30", 1)]))).toBe(millis("08:29"))
    expect(readAgainFrom(history("08:00", "09:00", [], 600))).toBe(millis("08:50"))
  })

  it("replaces steps that have grown, and leaves out what is before the range", () => {
    const before = history("08:00", "08:04", [
      point("08:00", 1),
      point("08:01", 2),
      point("08:02", 3),
      point("08:03", 4)
    ])
    const later = history("08:02", "08:05", [point("08:03", 40), point("08:04", 5)])
    const joined = joinHistory(before, later, millis("08:01"))
    expect(joined.points.map(({ at, rows }) => [at, rows])).toEqual([
      [at("08:01"), 2],
      [at("08:03"), 40],
      [at("08:04"), 5]
    ])
    expect([joined.from, joined.to]).toEqual([at("08:01"), at("08:05")])
  })

  it("keeps the step in which the range begins", () => {
    const before = history("08:00", "08:04", [point("08:00", 1), point("08:01", 2)])
    const joined = joinHistory(before, history("08:03", "08:05", []), millis("08:00") + 59_999)
    expect(joined.points.length).toBe(2)
    expect(joined.from).toBe(at("08:00"))
  })

  it("does not begin earlier than before", () => {
    const joined = joinHistory(history("08:02", "08:04", []), history("08:03", "08:05", []), millis("08:00"))
    expect(joined.from).toBe(at("08:02"))
  })

  it("takes the later one if its steps have another length", () => {
    const later = history("08:00", "09:00", [point("08:00", 9)], 600)
    expect(joinHistory(history("08:00", "08:04", [point("08:00", 1)]), later, millis("08:00"))).toEqual(later)
  })

  it.each([
    [60, "1m"],
    [600, "10m"],
    [3600, "60m"]
  ])("asks for steps of %d s by %s", (seconds, text) => {
    expect(stepText(seconds)).toBe(text)
  })
})
