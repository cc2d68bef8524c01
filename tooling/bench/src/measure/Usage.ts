import { parseArgs } from "node:util"

/** What a benchmark is told on its command line. */
export interface Usage {
  readonly rounds: number
  /** Small batches: enough to see that it runs, too few to believe a figure. */
  readonly isQuick: boolean
}

class WrongUsage extends Error {}

const usualRounds = 15
const quickRounds = 2

/** Reads `--rounds N` and `--quick`. */
const readUsage = (args: ReadonlyArray<string>): Usage => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { rounds: { type: "string" }, quick: { type: "boolean", default: false } }
    })
    const rounds = values.rounds === undefined ? (values.quick ? quickRounds : usualRounds) : Number(values.rounds)
    if (!Number.isSafeInteger(rounds) || rounds < 1) {
      throw new WrongUsage(`--rounds ${values.rounds}: expected a whole number above 0`)
    }
    return { rounds, isQuick: values.quick }
  } catch (error) {
    throw error instanceof WrongUsage ? error : new WrongUsage(error instanceof Error ? error.message : String(error))
  }
}

/** Runs a benchmark; one that could not be carried out, or whose contestants are wrong, is red. */
export const runBenchmark = (name: string, benchmark: (usage: Usage) => Promise<void>): void => {
  const main = async () => benchmark(readUsage(process.argv.slice(2)))
  main().catch((error: unknown) => {
    const isUsage = error instanceof WrongUsage
    process.stderr.write(
      `bench ${name}: ${isUsage ? error.message : error instanceof Error ? error.stack : String(error)}\n`
    )
    // At once: the processes of the contestants end with this one.
    process.exit(isUsage ? 2 : 1)
  })
}
