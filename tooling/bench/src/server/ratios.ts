import type { Measured, Round } from "./rounds.ts"

/** The middle of some numbers; the mean of the two in the middle when they are even in number. */
export const median = (numbers: ReadonlyArray<number>): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN
  const high = sorted[Math.ceil((sorted.length - 1) / 2)] ?? NaN
  return (low + high) / 2
}

/** What one contestant came to, over all rounds: medians, and the medians of its ratios to others within a round. */
export interface Summary {
  readonly name: string
  readonly cpuPerRequest: number
  readonly requestsPerSecond: number
  readonly p99: number
  /** CPU time for a request, as a multiple of another contestant's in the same round. */
  readonly cpuTo: { readonly fastify: number; readonly raw: number }
  /** The 99th percentile of the latency, as a multiple of Fastify's in the same round. */
  readonly p99ToFastify: number
}

const ratios = (rounds: ReadonlyArray<Round>, name: string, to: string, of: (measured: Measured) => number) =>
  median(
    rounds.flatMap((round) => {
      const mine = round.get(name)
      const its = round.get(to)
      return mine === undefined || its === undefined ? [] : [of(mine) / of(its)]
    })
  )

/**
 * Sums up the rounds, a contestant each. The ratios are taken within a round and their median after: a machine that is
 * slow for a while is slow for both.
 */
export const summarize = (rounds: ReadonlyArray<Round>): ReadonlyArray<Summary> =>
  Array.from(rounds[0]?.keys() ?? [], (name) => {
    const all = rounds.flatMap((round) => round.get(name) ?? [])
    return {
      name,
      cpuPerRequest: median(all.map(({ cpuPerRequest }) => cpuPerRequest)),
      requestsPerSecond: median(all.map(({ requestsPerSecond }) => requestsPerSecond)),
      p99: median(all.map(({ p99 }) => p99)),
      cpuTo: {
        fastify: ratios(rounds, name, "fastify", ({ cpuPerRequest }) => cpuPerRequest),
        raw: ratios(rounds, name, "raw", ({ cpuPerRequest }) => cpuPerRequest)
      },
      p99ToFastify: ratios(rounds, name, "fastify", ({ p99 }) => p99)
    }
  })
