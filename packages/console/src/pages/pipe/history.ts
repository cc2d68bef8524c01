/** What a pipe did in a step of its history, as the API has it. */
export interface HistoryPoint {
  readonly at: string
  readonly rows: number
  readonly bytes: number
  readonly errors: number
  readonly lag?: number | null | undefined
}

/** The history of a pipe, as the API has it. */
export interface History {
  readonly from: string
  readonly to: string
  readonly stepSeconds: number
  readonly points: ReadonlyArray<HistoryPoint>
}

/** The length of a step as the API takes it. */
export const stepText = (seconds: number): string => `${Math.round(seconds / 60)}m`

/**
 * A history that goes on with what was read later: its steps replace those of the same time, since the last one may have grown. Steps
 * before `from` are left out.
 */
export const joinHistory = (before: History, later: History, from: number): History => {
  if (later.stepSeconds !== before.stepSeconds) return later
  const begin = Date.parse(later.from)
  const kept = before.points.filter(
    ({ at }) => Date.parse(at) < begin && Date.parse(at) + before.stepSeconds * 1000 > from
  )
  const step = before.stepSeconds * 1000
  const first = Math.max(Date.parse(before.from), Math.floor(from / step) * step)
  return { ...later, from: new Date(first).toISOString(), points: [...kept, ...later.points] }
}

/** From where a history is read again: its last step with a point, and the one before, whose last notes may come late. */
export const readAgainFrom = ({ points, stepSeconds, to }: History): number => {
  const last = points.at(-1)
  const step = stepSeconds * 1000
  return last === undefined ? Date.parse(to) - step : Date.parse(last.at) - step
}

/** The lines of a history. `null` where nobody moved the pipe, or where a count makes no sense. */
export interface HistoryLines {
  readonly times: ReadonlyArray<number>
  readonly from: number
  readonly to: number
  /** Whether the last step has not ended. */
  readonly isRunning: boolean
  /** Rows a second. */
  readonly rows: ReadonlyArray<number | null>
  /** Bytes a second. */
  readonly bytes: ReadonlyArray<number | null>
  /** Rows at the end of each step. */
  readonly lag: ReadonlyArray<number | null>
  /** Rejected rows of each step. */
  readonly errors: ReadonlyArray<number | null>
}

// A count that goes back, as after a restart, says nothing of the step.
const count = (value: number | null | undefined): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null

// A rate of less than this has no meaning.
const shortest = 5

/** The lines of a history at a time: a step that has not ended has the rate of what of it is over. */
export const linesOf = (history: History, now: number): HistoryLines => {
  const step = history.stepSeconds * 1000
  const first = Date.parse(history.from)
  const points = new Map(history.points.map((point) => [Date.parse(point.at), point]))
  const end = Math.min(Date.parse(history.to), Math.floor(now / step) * step + step)
  const times: Array<number> = []
  for (let at = first; at < end; at += step) times.push(at)
  const isRunning = (times.at(-1) ?? Infinity) + step > now
  const line = (value: (point: HistoryPoint) => number | null | undefined) =>
    times.map((at) => {
      const point = points.get(at)
      return point === undefined ? null : count(value(point))
    })
  const rates = (values: ReadonlyArray<number | null>) =>
    values.map((value, index) => {
      const seconds =
        isRunning && index === values.length - 1 ? (now - (times[index] ?? 0)) / 1000 : history.stepSeconds
      return value === null || seconds < shortest ? null : value / seconds
    })
  return {
    times,
    from: first,
    to: Math.max(end, first + step),
    isRunning,
    rows: rates(line(({ rows }) => rows)),
    bytes: rates(line(({ bytes }) => bytes)),
    lag: line(({ lag }) => lag),
    errors: line(({ errors }) => errors)
  }
}
