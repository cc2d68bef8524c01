import type { Round } from "./rounds.ts"

/** The middle of some numbers; the mean of the two in the middle when they are even in number. */
export const median = (numbers: ReadonlyArray<number>): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN
  const high = sorted[Math.ceil((sorted.length - 1) / 2)] ?? NaN
  return (low + high) / 2
}

/** What a contestant came to in the middle of all rounds. */
export const medianOf = (rounds: ReadonlyArray<Round>, name: string): number =>
  median(rounds.flatMap((round) => round.get(name) ?? []))

/**
 * What a contestant came to as a multiple of another: taken within a round and the median after, since a machine that
 * is slow for a while is slow for both.
 */
export const medianRatio = (rounds: ReadonlyArray<Round>, name: string, to: string): number =>
  median(
    rounds.flatMap((round) => {
      const mine = round.get(name)
      const its = round.get(to)
      return mine === undefined || its === undefined ? [] : [mine / its]
    })
  )
