import type { ObjectReference, ObjectRow } from "@headgate/mover"

/** A line of an object, without its line break. */
export interface ObjectLine {
  readonly number: number
  readonly line: Buffer
}

const [tab, space, quote, backslash] = [0x09, 0x20, 0x22, 0x5c]
const newline = Buffer.from("\n")

/** Whether a line of CSV ends within a quoted value. A quote begins one where a value begins, after spaces and tabs. */
const endsQuoted = (line: Buffer, beginsQuoted: boolean, delimiter: number): boolean => {
  let isQuoted = beginsQuoted
  for (let at = 0; ; at += 1) {
    if (!isQuoted) {
      while (line[at] === space || line[at] === tab) at += 1
      isQuoted = line[at] === quote
      if (isQuoted) at += 1
    }
    if (isQuoted) {
      at = line.indexOf(quote, at)
      // Two quotes are one of the text.
      while (at >= 0 && line[at + 1] === quote) at = line.indexOf(quote, at + 2)
      if (at < 0) return true
      isQuoted = false
    }
    at = line.indexOf(delimiter, at)
    if (at < 0) return false
  }
}

/** Whether the line break after a line of TSV is a part of its last value. */
const endsEscaped = (line: Buffer): boolean => {
  let slashes = 0
  while (line.at(-1 - slashes) === backslash) slashes += 1
  return slashes % 2 === 1
}

/**
 * The rows of CSV or TSV that lines are. A row of several lines ends where the engine ends it. The input of a row begins with its
 * number. `isOpen`: the last row does not end with the last line.
 */
export const joinLines = ({ delimiter = ",", format }: ObjectReference, lines: ReadonlyArray<ObjectLine>) => {
  const isCsv = format.startsWith("CSV")
  const delimiterByte = delimiter.charCodeAt(0)
  const rows: Array<ObjectRow> = []
  let parts: Array<Uint8Array> = []
  let [row, prefix, isOpen] = [0, 0, false]
  for (const { line, number } of lines) {
    if (parts.length === 0) {
      const first = firstValue(format, delimiter, String(number))
      ;[row, prefix] = [number, first.length]
      parts.push(first)
    } else parts.push(newline)
    parts.push(line)
    isOpen = isCsv ? endsQuoted(line, isOpen, delimiterByte) : endsEscaped(line)
    if (isOpen && number !== lines.at(-1)?.number) continue
    const input = Buffer.concat(parts)
    rows.push({ row, next: number + 1, input, content: input.subarray(prefix) })
    parts = []
  }
  return { rows, isOpen }
}

/** A value, with what divides it from the next one. In quotes it is none of a delimiter's characters. */
export const firstValue = (format: ObjectReference["format"], delimiter: string, value: string): Buffer =>
  Buffer.from(format.startsWith("CSV") ? `"${value}"${delimiter}` : `${value}\t`)
