import { parseArgs } from "node:util"

/** What the benchmark can be told. */
export interface BenchOptions {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  /** Parts to run; all unless told. */
  readonly only: ReadonlyArray<string>
  readonly logging: ReadonlyArray<boolean>
  /** Whether to draw what was measured, into docs/. */
  readonly plots: boolean
}

/** The command line is wrong: `message` says how. */
export class WrongUsage extends Error {}

const wholeNumber = (name: string, text: string): number => {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new WrongUsage(`--${name} ${text}: expected a whole number above 0`)
}

const logging: Readonly<Record<string, ReadonlyArray<boolean>>> = { off: [false], on: [true], both: [false, true] }

/** Reads the command line; `parts` are the names that `--only` takes. */
export const readUsage = (args: ReadonlyArray<string>, parts: ReadonlyArray<string>): BenchOptions => {
  const parsed = () => {
    try {
      return parseArgs({
        args: [...args],
        options: {
          rounds: { type: "string", default: "7" },
          seconds: { type: "string", default: "4" },
          connections: { type: "string", default: "64" },
          logging: { type: "string", default: "both" },
          plots: { type: "boolean", default: false },
          only: { type: "string", multiple: true, default: [] }
        }
      }).values
    } catch (error) {
      throw new WrongUsage(error instanceof Error ? error.message : String(error))
    }
  }
  const values = parsed()
  const unknown = values.only.find((part) => !parts.includes(part))
  if (unknown !== undefined) throw new WrongUsage(`--only ${unknown}: expected one of ${parts.join(", ")}`)
  const chosen = logging[values.logging]
  if (chosen === undefined) throw new WrongUsage(`--logging ${values.logging}: expected off, on or both`)
  return {
    rounds: wholeNumber("rounds", values.rounds),
    seconds: wholeNumber("seconds", values.seconds),
    connections: wholeNumber("connections", values.connections),
    only: values.only.length === 0 ? parts : values.only,
    logging: chosen,
    plots: values.plots
  }
}
