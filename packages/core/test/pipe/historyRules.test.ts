import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { historyRules, type HistorySpan } from "../../src/adapter.ts"
import { pipeStates } from "../../src/index.ts"

const states = ["Running", "Degraded", "Failed"] as const
const start = 29_000_000

/** A minute, as an oracle has it: nothing is packed, joined or implied. */
interface Minute {
  readonly at: number
  readonly rows: number
  readonly errors: number
  readonly bytes: number
  readonly lag: number | undefined
  readonly state: (typeof states)[number]
}

const whole = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const Generated = Schema.Array(
  Schema.Struct({
    gap: Schema.Union([Schema.Literal(0), whole(90)]),
    isIdle: Schema.Boolean,
    rows: whole(5_000_000),
    errors: whole(300),
    bytes: whole(Number.MAX_SAFE_INTEGER / 1024),
    lag: Schema.Union([whole(1_000_000_000), Schema.Undefined]),
    state: Schema.Literals(states)
  })
)

/** Minutes in ascending order, of which many are idle and alike. */
const minutesOf = (generated: typeof Generated.Type): ReadonlyArray<Minute> => {
  let at = start
  return generated.map(({ gap, isIdle, ...one }): Minute => {
    at += 1 + gap
    return { ...one, at, ...(isIdle ? { rows: 0, errors: 0, bytes: 0, lag: 7, state: "Running" } : {}) }
  })
}

const toSpans = (all: ReadonlyArray<Minute>): ReadonlyArray<HistorySpan> => all.map((one) => ({ ...one, minutes: 1 }))

/** The minutes that spans are. */
const toMinutes = (spans: ReadonlyArray<HistorySpan>) =>
  spans.flatMap(({ minutes: count, ...span }) =>
    Array.from({ length: count }, (_, index) => ({ ...span, at: span.at + index }))
  )

const sum = (all: ReadonlyArray<{ readonly rows: number; readonly errors: number }>) =>
  all.reduce((total, { errors, rows }) => [total[0]! + rows, total[1]! + errors], [0, 0])

describe("historyRules", () => {
  it("packs every known state", () => {
    for (const state of pipeStates) {
      const span: HistorySpan = { at: start, minutes: 1, rows: 1, errors: 0, bytes: 9, lag: undefined, state }
      assert.deepStrictEqual(historyRules.unpack(historyRules.pack([span], 1)!), [span])
    }
  })

  it.effect.prop("unpacks what it has packed", [Generated], ([generated]) =>
    Effect.sync(() => {
      const all = minutesOf(generated)
      const packed = historyRules.pack(toSpans(all), 1)
      if (packed === undefined) return assert.lengthOf(all, 0)
      assert.deepStrictEqual(toMinutes(historyRules.unpack(packed)), [...all])
      assert.deepStrictEqual([packed.begins, packed.ends], [all[0]!.at, all.at(-1)!.at])
    })
  )

  it("packs a minute of a moving pipe into less than 14 bytes", () => {
    const moving = Array.from({ length: 60 }, (_, at) => ({
      at: start + at,
      minutes: 1,
      rows: 60_000 + at,
      errors: at % 3,
      bytes: 12_000_000 + at,
      lag: 1000 + at,
      state: "Running"
    }))
    assert.isBelow(historyRules.pack(moving, 1)!.spans.length, 60 * 14)
  })

  it.effect.prop(
    "keeps what was delivered, and the steps with a point, when it makes parts of a history coarser",
    [Generated, whole(20)],
    ([generated, cut]) =>
      Effect.sync(() => {
        const all = minutesOf(generated)
        const parts = [all.slice(0, cut), all.slice(cut)].flatMap((part) => historyRules.pack(toSpans(part), 1) ?? [])
        const thinned = historyRules.thin(parts)
        const spans = thinned === undefined ? [] : toMinutes(historyRules.unpack(thinned))
        assert.deepStrictEqual(
          sum(historyRules.unpack(thinned ?? { step: 10, begins: 0, ends: 0, spans: new Uint8Array() })),
          sum(all)
        )
        assert.deepStrictEqual(
          new Set(spans.map(({ at }) => Math.floor(at / 10))),
          new Set(all.map(({ at }) => Math.floor(at / 10)))
        )
      })
  )

  it.effect.prop(
    "adds minutes up into the steps of a window",
    [Generated, Schema.Literals([1, 2, 5, 10, 60]), whole(300)],
    ([generated, step, length]) =>
      Effect.sync(() => {
        const all = minutesOf(generated)
        const window = { from: start - (start % step), to: start - (start % step) + step * length, step }
        const { points } = historyRules.answer(toSpans(all), window)
        const expected = Array.from({ length }, (_, index) => {
          const from = window.from + index * step
          const held = all.filter(({ at }) => at >= from && at < from + step)
          const last = held.at(-1)
          return last === undefined
            ? []
            : [
                {
                  at: DateTime.makeUnsafe(from * 60_000),
                  rows: held.reduce((total, { rows }) => total + rows, 0),
                  bytes: held.reduce((total, { bytes }) => total + bytes, 0),
                  errors: held.reduce((total, { errors }) => total + errors, 0),
                  lag: last.lag ?? null,
                  state: last.state
                }
              ]
        }).flat()
        assert.deepStrictEqual(points, expected)
      })
  )

  it("takes a mover for alive between its notes and until it was last heard of, and no longer", () => {
    const movers = new Map([
      [1, 20],
      [2, 40],
      [3, 33]
    ])
    const minutesIn = (text: string) =>
      toMinutes(historyRules.spansOfNotes(historyRules.parseNotes(0, text), movers)).map(({ at }) => at)
    const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
    // It was killed, and nobody took the pipe; another one took it later; another one took it at once.
    assert.deepStrictEqual(minutesIn("10 1 0 0 0 - 2;"), from(10, 20))
    assert.deepStrictEqual(minutesIn("10 1 0 0 0 - 2;30 2 0 0 0 - 2;"), [...from(10, 20), ...from(30, 40)])
    assert.deepStrictEqual(minutesIn("10 1 0 0 0 - 2;15 2 0 0 0 - 2;"), from(10, 40))
    // It gave it up.
    assert.deepStrictEqual(minutesIn("10 1 0 0 0 - 2;12 0 0 0 0 - 2;"), from(10, 12))
    assert.deepStrictEqual(minutesIn("10 1 0 0 0 - 2;12 0 0 0 0 - 2;30 2 0 0 0 - 2;"), [
      ...from(10, 12),
      ...from(30, 40)
    ])
    // The clock was set back: minutes come again.
    assert.deepStrictEqual(new Set(minutesIn("35 2 0 0 0 - 2;30 3 0 0 0 - 2;")), new Set([35, ...from(30, 33)]))
  })

  it("keeps who has a pipe when notes are packed, also in the minute after the mover was last heard of", () => {
    const text = "0 7 5 0 50 - 2;"
    const minutesAfter = (packedAt: number, aliveUntil: number) => {
      const heard = new Map([[7, start + 60]])
      const packed = historyRules.pack(historyRules.spansOfNotes(historyRules.parseNotes(start, text), heard), 1)
      assert(packed !== undefined)
      const rest = historyRules.parseNotes(packedAt, historyRules.restOfNotes(start, text, heard, packedAt))
      const spans = [...historyRules.unpack(packed), ...historyRules.spansOfNotes(rest, new Map([[7, aliveUntil]]))]
      const minutes = new Set(toMinutes(spans).map(({ at }) => at - start))
      return [Math.min(...minutes), Math.max(...minutes), minutes.size]
    }
    for (const packedAt of [start + 60, start + 61]) {
      assert.deepStrictEqual(minutesAfter(packedAt, start + 90), [0, 90, 91])
      assert.deepStrictEqual(minutesAfter(packedAt, start + 60), [0, 60, 61])
    }
    // It has ended.
    assert.deepStrictEqual(minutesAfter(start + 70, start + 60), [0, 60, 61])
  })

  it("packs notes with what is no number", () => {
    const notes = historyRules.parseNotes(start, "0 1 5 0 50 Infinity 2;1 1 6 0 60 NaN 2;2 1 7 0 70 3 2;")
    const packed = historyRules.pack(historyRules.spansOfNotes(notes, new Map()), 1)
    assert(packed !== undefined)
    assert.deepStrictEqual(
      historyRules.unpack(packed).map(({ lag, rows }) => [rows, lag]),
      [
        [5, undefined],
        [6, undefined],
        [7, 3]
      ]
    )
  })

  const now = 30_000_000
  const time = (minute: number) => DateTime.makeUnsafe(minute * 60_000)
  const window = (query: Parameters<typeof historyRules.windowOf>[0]) =>
    Effect.runSync(Effect.result(historyRules.windowOf(query, now)))

  it("chooses a step that the range and its age allow", () => {
    const stepOf = (query: Parameters<typeof historyRules.windowOf>[0]) => {
      const found = window(query)
      return found._tag === "Success" ? found.success.step : found.failure.issues
    }
    assert.strictEqual(stepOf({}), 1)
    assert.strictEqual(stepOf({ from: time(now - 1440) }), 1)
    assert.strictEqual(stepOf({ from: time(now - 1442) }), 10)
    assert.strictEqual(stepOf({ from: time(now - 7 * 1440) }), 10)
    assert.strictEqual(stepOf({ from: time(now - 7 * 1440), step: "15m" }), 20)
    assert.strictEqual(stepOf({ from: time(now - 7 * 1440), step: "1h" }), 60)
    assert.strictEqual(stepOf({ from: time(now - 60), step: "7m" }), 7)
    assert.strictEqual(stepOf({ from: time(0) }), 720)
    for (const step of ["", "0m", "1", "1s", "-1m", "1.5h", "99999d"]) {
      assert.deepStrictEqual(stepOf({ step }), [
        {
          path: "step",
          message: "Expected whole minutes, hours or days, such as 1m, 10m or 1h"
        }
      ])
    }
    assert.deepStrictEqual(stepOf({ from: time(now), to: time(now) }), [
      {
        path: "from",
        message: "Expected a time before `to`"
      }
    ])
  })

  it("answers nothing of a range in the future, and no time that a timestamp cannot tell", () => {
    const last = DateTime.makeUnsafe("9999-12-31T23:59:59Z")
    for (const query of [{ from: last }, { to: last }, { from: time(now + 10_000), to: last }]) {
      for (const step of ["1m", "7m", "1d", "400d"]) {
        const found = window({ ...query, step })
        if (found._tag === "Failure") return assert.fail("a range was refused")
        assert.isAtMost(found.success.to, now + 400 * 1440)
        assert.isAtMost(found.success.from, found.success.to)
      }
    }
  })

  it.effect.prop(
    "answers at most 1,500 points, whole steps, and the current minute",
    [
      whole(602 * 1440),
      whole(600 * 1440),
      Schema.Union([Schema.Literals(["1m", "3m", "10m", "25m", "1h", "1d", "9d"]), Schema.Undefined])
    ],
    ([earlier, length, step]) =>
      Effect.sync(() => {
        const first = 2000 - earlier
        const found = window({ from: time(now + first), to: time(now + first + length + 1), ...(step && { step }) })
        if (found._tag === "Failure") return assert.fail("a range was refused")
        const { from, step: chosen, to } = found.success
        assert.isAtMost((to - from) / chosen, 1500)
        assert.deepStrictEqual([from % chosen, to % chosen], [0, 0])
        if (first <= 0 && first + length >= 0) assert.isAbove(to, now)
        if (first < 0 && first > -400 * 1440) assert.isAtMost(from, now + first)
      })
  )
})
