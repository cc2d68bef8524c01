import { availableParallelism, cpus, totalmem } from "node:os"

export const say = (line = ""): void => {
  process.stdout.write(`${line}\n`)
}

/** What this is measured on, in one line. */
export const machine = (): string => {
  const [cpu] = cpus()
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  return `${cpu?.model.trim() ?? "unknown CPU"}, ${availableParallelism()} cores, ${gibibytes} GiB, Node ${process.versions.node}`
}

/** A table: the first column is text, the others are figures. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd()
  )
}

/** Something that is to be at most so much, and how much it is. */
export interface Target {
  readonly what: string
  readonly atMost: number
  readonly measured: number
}

const figure = (value: number): string => value.toFixed(2)

/** The targets and what became of them. Whether one is reached is told of the figure that is shown. */
export const targetTable = (targets: ReadonlyArray<Target>): ReadonlyArray<string> =>
  table([
    ["", "target", "measured", "reached"],
    ...targets.map(({ atMost, measured, what }) => [
      what,
      `<= ${figure(atMost)}`,
      figure(measured),
      Number(figure(measured)) <= atMost ? "yes" : "no"
    ])
  ])
