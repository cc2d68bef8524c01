import { countOf, readFlags, runCommand } from "@headgate/harness/Command"
import { say } from "@headgate/harness/Verdict"
import { machine, versions } from "@headgate/harness/table"

export interface WorkOptions {
  readonly rounds: number
  /** Small batches: enough to see that the benchmark runs, too few for a figure. */
  readonly isQuick: boolean
  /** The share of the full size: `--percent`. */
  readonly size: number
  /** An empty folder. */
  readonly directory: string
}

/** Runs a benchmark, and prints the machine and the versions of `packages` first. */
export const runWorkBenchmark = (
  name: string,
  packages: ReadonlyArray<string>,
  benchmark: (options: WorkOptions) => Promise<void>
): Promise<void> =>
  runCommand(`bench-${name}`, async (directory) => {
    const { percent, quick, rounds } = readFlags({ rounds: "text", quick: "switch", percent: "text" })
    const isQuick = quick === true
    say(`${machine()}; ${versions(import.meta.filename, packages)}`)
    await benchmark({
      directory,
      rounds: countOf("rounds", rounds, isQuick ? 2 : 15),
      isQuick,
      size: countOf("percent", percent, isQuick ? 2 : 100) / 100
    })
  })
