import type { PipeState } from "./Pipe.ts"

/**
 * A stretch of minutes in which a mover had a pipe. What was delivered, was delivered in it; it is 0 where several minutes are one span
 * because nothing happened in them. Minutes count from 1970.
 */
export interface HistorySpan {
  readonly at: number
  readonly minutes: number
  readonly rows: number
  readonly errors: number
  readonly bytes: number
  /** `undefined`: the source did not say. */
  readonly lag: number | undefined
  readonly state: PipeState
}

/** What was noted of a pipe: what it has delivered since the note before. */
export interface NotedMinute extends Omit<HistorySpan, "minutes"> {
  /** Who has the pipe from now on; 0 for nobody. */
  readonly mover: number
}

/** The states of a history by their numbers. Numbers are stored: a state is only ever added, at the end. */
export const historyStates: ReadonlyArray<PipeState> = [
  "Unknown",
  "Provisioning",
  "Running",
  "Degraded",
  "Stopping",
  "Stopped",
  "Failed",
  "Completed",
  "InternalError",
  "Setup",
  "Snapshot",
  "Paused",
  "Pausing",
  "Modifying",
  "Resync"
]

/** The number of a state in `historyStates`. */
export const historyStateNumber = (state: PipeState): number => Math.max(historyStates.indexOf(state), 0)

const stateOf = (number: number): PipeState => historyStates[number] ?? "Unknown"

/**
 * Reads the notes of a pipe, as stores append them: `offset mover rows errors bytes lag state;` each, in numbers, `-` for no lag. What is
 * no number is not known. `since` is the minute from which offsets count.
 */
export const parseNotes = (since: number, text: string): ReadonlyArray<NotedMinute> =>
  text.split(";").flatMap((one) => {
    const [offset, mover = 0, rows = 0, errors = 0, bytes = 0, lag, state = 0] = one
      .split(" ")
      .map(Number)
      // Also what no source should say: a packed number ends.
      .map((number) => (Number.isFinite(number) ? number : undefined))
    if (one === "" || offset === undefined) return []
    return [{ at: since + offset, mover, rows, errors, bytes, lag, state: stateOf(state) }]
  })

/** The movers that notes name. */
export const moversIn = (notes: ReadonlyArray<NotedMinute>): ReadonlyArray<number> => [
  ...new Set(notes.flatMap(({ mover }) => (mover === 0 ? [] : [mover])))
]

/**
 * The spans of notes, in the order in which they were noted. After a note, its mover has the pipe for as long as it is known to have been
 * alive (`aliveUntil`, the last minute of each mover), and at most until the next note. After a clock that was set back the next note may
 * be earlier: of the minutes that come again, only those with a note are there before.
 */
export const spansOfNotes = (
  notes: ReadonlyArray<NotedMinute>,
  aliveUntil: ReadonlyMap<number, number>
): ReadonlyArray<HistorySpan> =>
  notes.flatMap(({ mover, ...note }, index) => {
    const next = notes[index + 1]
    const alive = mover === 0 ? note.at : (aliveUntil.get(mover) ?? note.at)
    const isNoted = mover !== 0 && (next?.mover === mover || next?.mover === 0)
    const end = next === undefined ? alive : isNoted ? next.at - 1 : Math.min(alive, next.at - 1)
    const idle = end - note.at
    return [
      { ...note, minutes: 1 },
      ...(idle > 0 ? [{ ...note, at: note.at + 1, minutes: idle, rows: 0, errors: 0, bytes: 0 }] : [])
    ]
  })

/**
 * Adds spans up into steps of some minutes, whose first minutes are multiples of that: what was delivered in each, and the last lag and
 * state. A step that no span touches has none. Steps outside of `[from, to)` are left out, in minutes. What was delivered in a span that
 * touches several steps counts for the first of them.
 */
export const foldSpans = (
  spans: ReadonlyArray<HistorySpan>,
  step: number,
  { from = -Infinity, to = Infinity }: { readonly from?: number; readonly to?: number } = {}
): ReadonlyArray<HistorySpan> => {
  const steps = new Map<number, HistorySpan>()
  for (const span of spans) {
    const first = Math.floor(span.at / step) * step
    for (
      let at = Math.max(first, Math.floor(from / step) * step);
      at < Math.min(span.at + span.minutes, to);
      at += step
    ) {
      if (at < from) continue
      const before = steps.get(at)
      const { bytes, errors, rows } = at === first ? span : { bytes: 0, errors: 0, rows: 0 }
      steps.set(at, {
        at,
        minutes: step,
        rows: (before?.rows ?? 0) + rows,
        errors: (before?.errors ?? 0) + errors,
        bytes: (before?.bytes ?? 0) + bytes,
        lag: span.lag,
        state: span.state
      })
    }
  }
  return Array.from(steps.values()).toSorted((one, other) => one.at - other.at)
}

const isIdle = ({ bytes, errors, rows }: HistorySpan): boolean => rows === 0 && errors === 0 && bytes === 0

/** Makes one span of idle spans that follow each other and are alike. */
export const joinIdle = (spans: ReadonlyArray<HistorySpan>): ReadonlyArray<HistorySpan> => {
  const joined: Array<HistorySpan> = []
  for (const span of spans) {
    const last = joined.at(-1)
    const goesOn =
      last !== undefined &&
      isIdle(last) &&
      isIdle(span) &&
      last.at + last.minutes === span.at &&
      last.lag === span.lag &&
      last.state === span.state
    if (goesOn) joined[joined.length - 1] = { ...last, minutes: last.minutes + span.minutes }
    else joined.push(span)
  }
  return joined
}
