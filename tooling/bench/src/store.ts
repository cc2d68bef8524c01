// `npm run bench:store`: what the servers that share a Postgres cost it while nothing changes, beyond the rows that they move.
import { countOf, readFlags, runCommand, UsageError } from "@headgate/harness/Command"
import { say } from "@headgate/harness/Verdict"
import { machine, table, type Target, targetTable, versions } from "@headgate/harness/table"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { postgresBinaries } from "../../../packages/sql-adapter/test/support/postgresBinaries.ts"
import { type Measured, measureStore, type StoreOptions } from "./store/measure.ts"

/** How many pipes the second database has. */
const fewPipes = 100

/** A server polls twice a second. */
const pollInterval = 0.5

/** The statement by which a server keeps its pipes. */
const leases = "SqlLeases.share"

const quantile = (numbers: ReadonlyArray<number>, share: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.ceil(numbers.length * share) - 1] ?? Number.NaN

const linesOf = ({ durations, name }: Measured) =>
  Array.from(durations, ([span, found]) => [
    `${span}, ${name}`,
    `${found.length}`,
    quantile(found, 0.5).toFixed(1),
    quantile(found, 0.99).toFixed(1)
  ])

const p99Of = ({ durations }: Measured) => quantile(durations.get(leases) ?? [], 0.99)

/** How much of the polls took place that servers make: one that waits for Postgres makes fewer, which cost less. */
const pollsOf = ({ durations }: Measured, { seconds, servers }: StoreOptions) =>
  (durations.get(leases)?.length ?? 0) / ((servers * seconds) / pollInterval)

/** Which databases a run compares, and the targets. What Postgres uses for no connection counts for the first one. */
const comparisons = {
  /** Many pipes beside few. */
  pipes: {
    databases: (pipes: number) => [
      { name: `${pipes} pipes`, pipes, historyDays: 7 },
      { name: `${fewPipes} pipes`, pipes: fewPipes, historyDays: 7 }
    ],
    targetsOf: (many: Measured, few: Measured, cores: number): ReadonlyArray<Target> => [
      { what: `cores of Postgres, ${many.name}`, atMost: 1, measured: cores - few.cores },
      { what: `p99 of ${leases}, ${many.name} / ${few.name}`, atMost: 3, measured: p99Of(many) / p99Of(few) }
    ]
  },
  /** The same pipes with and without a history. */
  history: {
    databases: (pipes: number) => [
      { name: "with history", pipes, historyDays: 7 },
      { name: "without history", pipes, historyDays: 0 }
    ],
    targetsOf: (on: Measured, off: Measured): ReadonlyArray<Target> => [
      { what: `cores of Postgres, ${on.name} / ${off.name}`, atMost: 1.1, measured: on.cores / off.cores }
    ]
  }
} as const

const isComparison = (name: string): name is keyof typeof comparisons => Object.hasOwn(comparisons, name)

const report = (
  { clientCores, cores, measured }: Effect.Success<ReturnType<typeof measureStore>>,
  targetsOf: (one: Measured, other: Measured, cores: number) => ReadonlyArray<Target>,
  options: StoreOptions
): void => {
  const [one, other] = measured
  if (one === undefined || other === undefined) throw new Error("nothing was measured")
  say()
  for (const line of table([["", "calls", "p50 ms", "p99 ms"], ...linesOf(one), ...linesOf(other)])) say(line)
  say()
  const parts = measured.map((database) => `${database.cores.toFixed(2)} for ${database.name}`).join(", ")
  say(
    `Postgres: ${cores.toFixed(2)} cores; its connections: ${parts}; the simulated servers: ${clientCores.toFixed(2)}`
  )
  say()
  const sum = (of: (database: Measured) => number) => measured.reduce((total, database) => total + of(database), 0)
  for (const line of targetTable([
    ...targetsOf(one, other, cores),
    { what: `polls that took place, ${one.name}`, atLeast: 0.8, measured: pollsOf(one, options) },
    { what: "pipes lost", atMost: 0, measured: sum(({ lost }) => lost) },
    { what: "pipes without a mover", atMost: 0, measured: sum(({ held, pipes }) => pipes - held) }
  ]))
    say(line)
  process.exit()
}

/** Ends this process, and Postgres with it: to close what a Postgres holds that is busy takes minutes. */
const fail = (cause: Cause.Cause<unknown>): void => {
  process.stderr.write(`bench-store: could not be carried out: ${Cause.pretty(cause)}\n`)
  process.exit(1)
}

await runCommand("bench-store", async () => {
  const flags = readFlags({ pipes: "text", servers: "text", seconds: "text", start: "text", compare: "text" })
  const compare = String(flags.compare ?? "pipes")
  if (!isComparison(compare)) {
    throw new UsageError(`--compare ${compare}: expected one of ${Object.keys(comparisons).join(", ")}`)
  }
  const options = {
    servers: countOf("servers", flags.servers, 50),
    seconds: countOf("seconds", flags.seconds, 60),
    start: countOf("start", flags.start, 120)
  }
  const { databases, targetsOf } = comparisons[compare]
  const opened = databases(countOf("pipes", flags.pipes, 10_000))
  const binaries = postgresBinaries()
  if (binaries === undefined) throw new Error("Postgres is not installed: apt-get install -y postgresql")
  say(`${machine()}; ${versions(import.meta.filename, ["effect"])}`)
  const names = opened.map(({ name }) => name).join(", and as many over ")
  say(`${options.servers} servers over ${names}, for ${options.seconds} s`)
  const measured = Effect.map(measureStore(binaries, opened, options), (found) => report(found, targetsOf, options))
  await Effect.runPromise(Effect.scoped(Effect.tapCause(measured, (cause) => Effect.sync(() => fail(cause)))))
})
