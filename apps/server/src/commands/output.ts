import * as Flag from "effect/cli/Flag"

// What JSON leaves as it is and a terminal obeys, or turns text around for.
const control = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** JSON for a terminal: whoever made a thing chose its name, so control characters are written out, as JSON may. */
export const harmlessJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(
    control,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/** `--json`: documents as they are on the wire, for a program that reads them. */
export const jsonFlag = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON, every field that is known"),
  Flag.withDefault(false)
)

/** A document as it is printed. */
export const jsonText = (document: unknown): string => harmlessJson(document, 2)

/** A table for a terminal and for awk: a header, columns two spaces apart. Cells are ASCII, but for those of the last column. */
export const table = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const lines = [header, ...rows]
  const widths = header.map((_, index) => Math.max(...lines.map((cells) => (cells[index] ?? "").length)))
  return lines
    .map((cells) =>
      cells.map((cell, index) => (index === cells.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join("  ")
    )
    .join("\n")
}
