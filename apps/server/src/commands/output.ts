import * as Flag from "effect/cli/Flag"

// JSON.stringify leaves these as they are; a terminal obeys them, or reverses text for them.
const control = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** Escapes the control characters of a JSON text, so that a name that a caller chose cannot control the terminal. */
const escapeTerminal = (json: string): string =>
  json.replace(control, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** JSON for a terminal. */
export const jsonText = (value: unknown, indent?: number): string =>
  escapeTerminal(JSON.stringify(value, undefined, indent))

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
