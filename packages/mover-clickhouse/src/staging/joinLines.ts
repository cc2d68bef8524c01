import type { ObjectReference } from "@headgate/mover"

/** A row of an object. */
export interface ObjectRow {
  /** Which line of the object it begins in, from 0. */
  readonly row: number
  /** The line after its last one. */
  readonly next: number
  readonly content: Uint8Array
}

/** A line of an object, without its line break. */
export interface ObjectLine {
  readonly number: number
  readonly line: Buffer
  /** What ends it; a line feed by default. */
  readonly end?: Uint8Array
}

const [quote, backslash] = [0x22, 0x5c]
const newline = Buffer.from("\n")

/** Whether a line of CSV ends within a quoted value. A quote begins one where a value begins. */
const endsQuoted = (line: Buffer, beginsQuoted: boolean, delimiter: number): boolean => {
  let isQuoted = beginsQuoted
  for (let at = 0; ; at += 1) {
    if (!isQuoted) {
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

/** Whether a line has a quote that is not one of a pair: others neither begin nor end a value that goes on in other lines. */
export const isUnpaired = (line: Buffer): boolean => {
  let at = line.indexOf(quote)
  while (at >= 0 && line[at + 1] === quote) at = line.indexOf(quote, at + 2)
  return at >= 0
}

/** Whether a line may end within a quoted value, wherever it begins. */
export const mayEndQuoted = (line: Buffer, delimiter: string): boolean =>
  [false, true].some((beginsQuoted) => endsQuoted(line, beginsQuoted, delimiter.charCodeAt(0)))

/** Whether the line break after a line of TSV is a part of its last value. */
const endsEscaped = (line: Buffer): boolean => {
  let slashes = 0
  while (line.at(-1 - slashes) === backslash) slashes += 1
  return slashes % 2 === 1
}

/**
 * The rows of CSV or TSV that lines are. A row of several lines ends where the engine ends it. `isOpen`: the last row does not end with
 * the last line.
 */
export const joinLines = ({ delimiter = ",", format }: ObjectReference, lines: ReadonlyArray<ObjectLine>) => {
  const isCsv = format.startsWith("CSV")
  const delimiterByte = delimiter.charCodeAt(0)
  const rows: Array<ObjectRow> = []
  let parts: Array<Uint8Array> = []
  let [row, isOpen] = [0, false]
  for (const { end = newline, line, number } of lines) {
    if (parts.length === 0) row = number
    parts.push(line)
    isOpen = isCsv ? endsQuoted(line, isOpen, delimiterByte) : endsEscaped(line)
    if (isOpen && number !== lines.at(-1)?.number) {
      parts.push(end)
      continue
    }
    rows.push({ row, next: number + 1, content: Buffer.concat(parts) })
    parts = []
  }
  return { rows, isOpen }
}
