import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { freshSeed } from "../load/Random.ts"
import { builtServer } from "../server/ServerProcess.ts"
import { say } from "./Verdict.ts"

/** What every trial can be told. */
export interface TrialOptions {
  /** How often, or how many: what it counts is the trial's own. */
  readonly count: number
  readonly seed: number
  /** The script of the server that is tried: another one shows that the trial can turn red. */
  readonly server: string
}

class WrongUsage extends Error {}

const wholeNumber = (name: string, text: string): number => {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new WrongUsage(`--${name} ${text}: expected a whole number above 0`)
}

const readOptions = (counted: string, usual: number): TrialOptions => {
  try {
    const { values } = parseArgs({
      options: { [counted]: { type: "string" }, seed: { type: "string" }, server: { type: "string" } }
    })
    const count = values[counted]
    return {
      count: typeof count === "string" ? wholeNumber(counted, count) : usual,
      seed: typeof values["seed"] === "string" ? wholeNumber("seed", values["seed"]) : freshSeed() + 1,
      server: typeof values["server"] === "string" ? values["server"] : builtServer
    }
  } catch (error) {
    throw error instanceof WrongUsage ? error : new WrongUsage(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Runs a trial in a directory of its own, removed afterwards. A trial that could not be carried out is red too: it
 * proved nothing.
 */
export const runTrial = async (
  name: string,
  counted: { readonly name: string; readonly usual: number },
  trial: (options: TrialOptions, directory: string) => Promise<void>
): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), `headgate-trial-${name}-`))
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  try {
    const options = readOptions(counted.name, counted.usual)
    say(`${name}: seed ${options.seed} (the same again with --seed ${options.seed}), server ${options.server}`)
    await trial(options, directory)
  } catch (error) {
    const why = error instanceof WrongUsage ? error.message : error instanceof Error ? error.stack : String(error)
    say(`${name}: could not be carried out: ${why}`)
    // At once: servers that a trial left running would keep it alive. They end with the process.
    process.exit(error instanceof WrongUsage ? 2 : 1)
  }
}
