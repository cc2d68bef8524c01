import * as Flag from "effect/cli/Flag"

export const jsonFlag = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON with every field, as on the wire"),
  Flag.withDefault(false)
)

/** A table for a terminal and for awk: a header, columns two spaces apart. Only the last column may hold more than ASCII. */
export const table = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const lines = [header, ...rows]
  const widths = header.map((_, index) => Math.max(...lines.map((cells) => (cells[index] ?? "").length)))
  return lines
    .map((cells) =>
      cells.map((cell, index) => (index === cells.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join("  ")
    )
    .join("\n")
}
