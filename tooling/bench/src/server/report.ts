import type { Summary } from "./ratios.ts"
import type { Scenario } from "./Scenario.ts"

const row = (cells: ReadonlyArray<string>): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(16) : cell.padStart(11))).join("")

/** The table of one scenario. */
export const table = (summaries: ReadonlyArray<Summary>): ReadonlyArray<string> => [
  row(["", "CPU us", "/ fastify", "/ raw", "requests/s", "p99 ms", "/ fastify"]),
  ...summaries.map(({ cpuPerRequest, cpuTo, name, p99, p99ToFastify, requestsPerSecond }) =>
    row([
      name,
      cpuPerRequest.toFixed(1),
      cpuTo.fastify.toFixed(2),
      cpuTo.raw.toFixed(2),
      requestsPerSecond.toFixed(0),
      p99.toFixed(2),
      p99ToFastify.toFixed(2)
    ])
  )
]

const rounded = (value: number): number => Math.round(value * 100) / 100

/** One line a target: whether it was reached is told of the rounded figure that stands in the table. */
export const target = (what: string, value: number, atMost: number, unit = ""): string =>
  `${rounded(value) <= atMost ? "reached" : "MISSED "}  ${what}: ${rounded(value).toFixed(2)}${unit}, target at most ${atMost.toFixed(2)}${unit}`

/** The same of a figure that was to be large. */
export const targetAtLeast = (what: string, value: number, atLeast: number): string =>
  `${rounded(value) >= atLeast ? "reached" : "MISSED "}  ${what}: ${rounded(value).toFixed(2)}, target at least ${atLeast.toFixed(2)}`

/** What was to be reached by the memory store, and whether it was; SQLite is told beside it. */
export const targets = (
  { atMost, name: scenario }: Scenario,
  summaries: ReadonlyArray<Summary>
): ReadonlyArray<string> =>
  summaries
    .filter(({ name }) => name === "headgate memory")
    .flatMap(({ cpuTo, name }) => [
      target(`${scenario}, ${name}, CPU / fastify`, cpuTo.fastify, atMost.fastify),
      ...(atMost.raw === undefined ? [] : [target(`${scenario}, ${name}, CPU / raw`, cpuTo.raw, atMost.raw)])
    ])
