import { randomInt } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect, parseArgs } from "node:util"
import { serverScript } from "./ServerProcess.ts"
import { say } from "./Verdict.ts"

/** The command line is wrong: the message says how. */
export class UsageError extends Error {}

/** Reads flags whose values are text; `true` for those that are switches. */
export const readFlags = <Name extends string>(
  names: Readonly<Record<Name, "text" | "switch">>
): Readonly<Partial<Record<Name, string | boolean>>> => {
  const options = Object.entries<"text" | "switch">(names).map(
    ([name, kind]) => [name, { type: kind === "text" ? "string" : "boolean" }] as const
  )
  try {
    // The values have the names and types of the options.
    return parseArgs({ options: Object.fromEntries(options) }).values as Partial<Record<Name, string | boolean>>
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** A flag's whole number above 0. */
export const countOf = (name: string, text: string | boolean | undefined, byDefault: number): number => {
  const value = text === undefined ? byDefault : Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new UsageError(`--${name} ${text}: expected a whole number above 0`)
}

/** Runs `main` with a temporary directory, which is removed at exit. An error ends the process with 1, wrong usage with 2. */
export const runCommand = async (name: string, main: (directory: string) => Promise<void>): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), `headgate-${name}-`))
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  try {
    await main(directory)
  } catch (error) {
    const isUsage = error instanceof UsageError
    // What a request failed with stands in the cause of its error.
    const text = isUsage ? error.message : inspect(error)
    process.stderr.write(`${name}: could not be carried out: ${text}\n`)
    // Child processes would keep this one alive; they end with it.
    process.exit(isUsage ? 2 : 1)
  }
}

/** The options of every trial. */
export interface TrialOptions {
  /** How often or how many: each trial says what it counts. */
  readonly count: number
  readonly seed: number
  /** The script of the server under test. `--server` names another, to show that the trial can fail. */
  readonly server: string
  /** A pattern of the names of the parts to run, where a trial has such; all of them if absent. */
  readonly only: string | undefined
}

/** Runs a trial. One that could not be carried out fails too, because it proved nothing. */
export const runTrial = (
  name: string,
  counted: { readonly name: string; readonly byDefault: number },
  trial: (options: TrialOptions, directory: string) => Promise<void>
): Promise<void> =>
  runCommand(name, async (directory) => {
    const flags: Readonly<Partial<Record<string, string | boolean>>> = readFlags({
      [counted.name]: "text",
      seed: "text",
      server: "text",
      only: "text"
    })
    const seed = countOf("seed", flags["seed"], randomInt(1, 1_000_000))
    const server = String(flags["server"] ?? serverScript)
    say(`${name}: seed ${seed} (repeat with --seed ${seed}), server ${server}`)
    const only = flags["only"] === undefined ? undefined : String(flags["only"])
    await trial({ count: countOf(counted.name, flags[counted.name], counted.byDefault), seed, server, only }, directory)
  })
