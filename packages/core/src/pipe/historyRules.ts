import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { invalidRequest } from "../error/CallError.ts"
import { packSpans, unpackSpans } from "./historyBytes.ts"
import {
  foldSpans,
  type HistorySpan,
  historyStateNumber,
  joinIdle,
  moversIn,
  parseNotes,
  spansOfNotes
} from "./historySpans.ts"
import type { HistoryQuery, PipeHistory } from "./PipeHistory.ts"

const day = 24 * 60

/** For so many minutes a history has a point a minute. */
const fineFor = day

/** Of what is older, a point has so many minutes. */
const coarseStep = 10

/** For so many minutes a mover may be silent and is the same one. */
const longestPause = 2

/** Notes that are longer, in characters, are packed: about an hour of them. */
const mostNotes = 1500

/** The most points of an answer. */
const mostPoints = 1500

/** The longest range, in minutes: more than a history is kept for. */
const longestRange = 400 * day

/** The steps that are chosen, in minutes. Those of more than ten minutes are multiples of ten. */
const steps = [1, 2, 5, 10, 20, 30, 60, 120, 180, 360, 720, 1440]

const units: Readonly<Record<string, number>> = { m: 1, h: 60, d: day }

/** The minutes of a step such as `10m`; `undefined` for another text. */
const stepMinutes = (text: string): number | undefined => {
  const [, count, unit = ""] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (units[unit] ?? 1)
}

/** What is read of a history, in minutes since 1970: `[from, to)`, whole steps. */
interface HistoryWindow {
  readonly from: number
  readonly to: number
  readonly step: number
}

const minuteOf = (time: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(time) / 60_000)

const refuse = (path: string, message: string) => Effect.fail(invalidRequest([{ path, message }]))

/** The step of a range in minutes: that which is wanted, if the range and its age allow it, or the shortest that they allow. */
const stepOf = (from: number, to: number, now: number, wanted: number | undefined): number => {
  const isOld = from < now - fineFor
  const shortest = Math.max(wanted ?? 1, isOld ? coarseStep : 1)
  const fits = (step: number) => step >= shortest && Math.ceil(to / step) - Math.floor(from / step) <= mostPoints
  const isWhole = wanted !== undefined && (!isOld || wanted % coarseStep === 0)
  return isWhole && fits(wanted) ? wanted : (steps.find(fits) ?? Math.ceil(shortest / day) * day)
}

/** The window that a query asks for. `now`: the current minute. Fails with `InvalidRequest`, which names the wrong field. */
const windowOf = Effect.fnUntraced(function* ({ from: first, step: text, to: last }: HistoryQuery, now: number) {
  const wanted = text === undefined ? undefined : stepMinutes(text)
  if (text !== undefined && (wanted === undefined || wanted > longestRange)) {
    return yield* refuse("step", "Expected whole minutes, hours or days, such as 1m, 10m or 1h")
  }
  if (first !== undefined && last !== undefined && DateTime.isGreaterThanOrEqualTo(first, last)) {
    return yield* refuse("from", "Expected a time before `to`")
  }
  // The current minute is a part of the range, also of one whose end is in the future.
  const end = last === undefined ? now + 1 : Math.ceil(DateTime.toEpochMillis(last) / 60_000)
  // Of the future there is nothing to tell, and whole steps that end after the year 9999 could not be told.
  const from = Math.min(Math.max(first === undefined ? end - day : minuteOf(first), now - longestRange), now + 1)
  const to = Math.max(Math.min(end, now + 1), from)
  const step = stepOf(from, to, now, wanted)
  const window: HistoryWindow = { from: Math.floor(from / step) * step, to: Math.ceil(to / step) * step, step }
  return window
})

const timeOf = (minute: number): DateTime.Utc => DateTime.makeUnsafe(minute * 60_000)

/** The answer to a query, of spans that hold what was noted in its window. */
const answer = (spans: ReadonlyArray<HistorySpan>, { from, step, to }: HistoryWindow): PipeHistory => ({
  from: timeOf(from),
  to: timeOf(to),
  stepSeconds: step * 60,
  points: foldSpans(spans, step, { from, to }).map(({ at, bytes, errors, lag, rows, state }) => ({
    at: timeOf(at),
    rows,
    bytes,
    errors,
    lag: lag ?? null,
    state
  }))
})

/** Spans packed for a store. `begins` and `ends`: the first and the last minute. */
export interface PackedHistory {
  readonly step: number
  readonly begins: number
  readonly ends: number
  readonly spans: Uint8Array
}

/** Packs spans as steps of some minutes; `undefined` if there are none. */
const pack = (spans: ReadonlyArray<HistorySpan>, step: number): PackedHistory | undefined => {
  const folded = joinIdle(foldSpans(spans, step))
  const [first, last] = [folded[0], folded.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return { step, begins: first.at, ends: last.at + last.minutes - 1, spans: packSpans(folded, first.at, step) }
}

const unpack = ({ begins, spans, step }: PackedHistory): ReadonlyArray<HistorySpan> => unpackSpans(spans, begins, step)

/**
 * What stays of notes that are packed in a minute: that the last mover has the pipe, if it may still be alive. It is noted for the last
 * minute in which the mover is known to have been, which may be the one before: it says so once a minute. Offsets count from `minute`.
 */
const restOfNotes = (since: number, text: string, aliveUntil: ReadonlyMap<number, number>, minute: number): string => {
  const last = parseNotes(since, text).at(-1)
  const alive = last === undefined ? undefined : aliveUntil.get(last.mover)
  if (last === undefined || alive === undefined || alive < minute - longestPause) return ""
  const offset = Math.min(alive - minute, 0)
  return `${[offset, last.mover, 0, 0, 0, last.lag ?? "-", historyStateNumber(last.state)].join(" ")};`
}

/** Of the packed histories of a pipe that are older than a day, one with a point in ten minutes; `undefined` if there are none. */
const thin = (packed: ReadonlyArray<PackedHistory>): PackedHistory | undefined =>
  pack(packed.flatMap(unpack), coarseStep)

/**
 * The rules of the history of a pipe, for adapters that store it.
 *
 * @example
 * ```ts
 * import { historyRules } from "@headgate/core/adapter"
 *
 * // A mover with the number 7 noted a pipe at two minutes, and was alive for two more.
 * const notes = historyRules.parseNotes(1000, "0 7 0 0 0 - 2;1 7 50 0 900 3 2;")
 * const spans = historyRules.spansOfNotes(notes, new Map([[7, 1003]]))
 * console.log(spans.map(({ at, minutes, rows }) => [at, minutes, rows])) // [ [ 1000, 1, 0 ], [ 1001, 1, 50 ], [ 1002, 2, 0 ] ]
 * ```
 */
export const historyRules = {
  fineFor,
  coarseStep,
  longestPause,
  mostNotes,
  stateNumber: historyStateNumber,
  parseNotes,
  moversIn,
  spansOfNotes,
  restOfNotes,
  pack,
  unpack,
  thin,
  windowOf,
  answer
}
