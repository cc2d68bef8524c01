/** How many rows and bytes had been moved at a time, in milliseconds of the monotonic clock. */
export interface Sample {
  readonly at: number
  readonly rows: number
  readonly bytes: number
}

/** As many rows a second weigh as much as a pipe that has nothing to move. */
const rowsOfWeight = 1000

/** Over how many milliseconds a load is averaged: a burst is no load. A pipe that moves for a shorter time is not weighed. */
const averaged = 60_000

/** A weight stays until the load is further away from it than by this factor. */
const tolerance = 1.6

/** The average number of rows a second. `since`: when the mover has begun, in milliseconds of the monotonic clock. */
export interface PipeLoad {
  readonly since: number
  readonly at: number
  readonly rowsPerSecond: number
  /** How much the pipe weighs; `undefined` while it is not known. */
  readonly weight: number | undefined
}

/** The weight of a pipe that moves so many rows a second: a power of two, and the one of before while that is nearly right. */
export const weightOf = (rowsPerSecond: number, before?: number): number => {
  const exact = 1 + rowsPerSecond / rowsOfWeight
  const isNear = before !== undefined && exact < before * tolerance && exact > before / tolerance
  return isNear ? before : 2 ** Math.round(Math.log2(exact))
}

/** Averages the load of a pipe, whose mover counts `samples`. */
export const averageLoad = (before: PipeLoad | undefined, samples: ReadonlyArray<Sample>, at: number): PipeLoad => {
  if (before === undefined) return { since: at, at, rowsPerSecond: 0, weight: undefined }
  const [first, last] = [samples[0], samples.at(-1)]
  const seconds = first === undefined || last === undefined ? 0 : (last.at - first.at) / 1000
  const now = first === undefined || last === undefined || seconds === 0 ? 0 : (last.rows - first.rows) / seconds
  const part = 1 - Math.exp(-(at - before.at) / averaged)
  const rowsPerSecond = before.rowsPerSecond + (now - before.rowsPerSecond) * part
  const isKnown = at - before.since >= averaged
  return {
    since: before.since,
    at,
    rowsPerSecond,
    weight: isKnown ? weightOf(rowsPerSecond, before.weight) : undefined
  }
}
