import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { availableParallelism, cpus, loadavg, totalmem } from "node:os"
import { join } from "node:path"

/** The machine in one line. */
export const machine = (): string => {
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  const load = loadavg()[0]?.toFixed(1)
  return `${cpus()[0]?.model.trim() ?? "unknown CPU"}, ${availableParallelism()} cores, ${gibibytes} GiB, Node ${process.versions.node}, load average ${load}`
}

/** `zod 4.6.7, arktype 2.2.9`: the installed versions of packages, as the module at `from` finds them. */
export const versions = (from: string, names: ReadonlyArray<string>): string => {
  const { resolve } = createRequire(from)
  // Not every package exports its package.json.
  const versionOf = (name: string): string => {
    const file = (resolve.paths(name) ?? [])
      .map((folder) => join(folder, name, "package.json"))
      .find((path) => existsSync(path))
    if (file === undefined) throw new Error(`${name} is not installed`)
    return JSON.parse(readFileSync(file, "utf8")).version
  }
  return names.map((name) => `${name} ${versionOf(name)}`).join(", ")
}

/** The lines of a table: the first column is text, the others are figures. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd()
  )
}

/** A figure to reach: at most `atMost`, or at least `atLeast`. */
export interface Target {
  readonly what: string
  readonly measured: number
  readonly atMost?: number
  readonly atLeast?: number
}

const shown = (value: number): string => value.toFixed(2)

/** The targets as a table. The rounded figure that is shown decides whether a target is reached. */
export const targetTable = (targets: ReadonlyArray<Target>): ReadonlyArray<string> =>
  table([
    ["", "target", "measured", "reached"],
    ...targets.map(({ atLeast, atMost, measured, what }) => {
      const isReached =
        Number(shown(measured)) <= (atMost ?? Infinity) && Number(shown(measured)) >= (atLeast ?? -Infinity)
      const bound = atMost === undefined ? `>= ${shown(atLeast ?? Number.NaN)}` : `<= ${shown(atMost)}`
      return [what, bound, shown(measured), isReached ? "yes" : "no"]
    })
  ])
