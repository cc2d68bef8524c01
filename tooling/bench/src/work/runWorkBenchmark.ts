import { countOf, readFlags, runCommand, UsageError } from "@headgate/harness/Command"
import { say } from "@headgate/harness/Verdict"
import { machine, versions } from "@headgate/harness/table"

export interface WorkOptions {
  readonly rounds: number
  /** Small batches: enough to see that the benchmark runs, too few for a figure. */
  readonly isQuick: boolean
  /** The share of the full size: `--percent`. */
  readonly size: number
  /** Whether a part is to run: `--only` names one of them. */
  readonly runs: (part: string) => boolean
}

/** Runs a benchmark, all of its `parts` or one, and prints the machine and the versions of `packages` first. */
export const runWorkBenchmark = (
  name: string,
  packages: ReadonlyArray<string>,
  benchmark: (options: WorkOptions) => Promise<void>,
  parts: ReadonlyArray<string> = []
): Promise<void> =>
  runCommand(`bench-${name}`, async () => {
    const {
      only,
      percent,
      quick = false,
      rounds
    } = readFlags({
      rounds: "text",
      quick: "switch",
      only: "text",
      percent: "text"
    })
    const isQuick = quick === true
    if (only !== undefined && !parts.includes(String(only))) {
      throw new UsageError(`--only ${only}: expected one of ${parts.join(", ") || "none"}`)
    }
    const options = {
      rounds: countOf("rounds", rounds, isQuick ? 2 : 15),
      isQuick,
      size: countOf("percent", percent, isQuick ? 2 : 100) / 100,
      runs: (part: string) => only === undefined || only === part
    }
    say(`${machine()}; ${versions(import.meta.filename, packages)}`)
    await benchmark(options)
  })
