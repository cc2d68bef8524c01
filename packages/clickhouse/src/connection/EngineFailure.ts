import * as Schema from "effect/Schema"

/** The engine cannot be opened: an option is wrong, a package is not installed, a folder cannot be used. */
export class EngineConfigError extends Schema.TaggedError<EngineConfigError>("@headgate/clickhouse/EngineConfigError")(
  "EngineConfigError",
  { message: Schema.String }
) {}

/** A statement failed: with the engine's number of the error, or none if the engine did not answer. */
export class EngineFailure extends Schema.TaggedError<EngineFailure>("@headgate/clickhouse/EngineFailure")(
  "EngineFailure",
  { code: Schema.UndefinedOr(Schema.Int), message: Schema.String }
) {}

// What a message may hold of the engine's own: its beginning and its end. In between the engine may quote megabytes of rows,
// and the end names the row.
const mostOfEachEnd = 490

const shortened = (message: string): string =>
  message.length <= 2 * mostOfEachEnd
    ? message
    : `${message.slice(0, mostOfEachEnd)} ... ${message.slice(-mostOfEachEnd)}`

/** The folder from whose files the embedded engine takes the rows of inserts. */
export const insertsFolder = "headgate_inserts"

// What the engine says of such a file. A failure is the same however the rows came.
const insertFile = new RegExp(String.raw`\(in file/uri [^\n]*/${insertsFolder}/[\w-]+\): `, "g")

const codeOf = /^(?:Code: (\d+)\. DB::\w*Exception: )+/

const mark = /\(at row (\d+)\)(?=\n: )/g

/** Whether a text of the engine names a row. */
export const namesRow = (text: string): boolean => text.search(mark) >= 0

/**
 * Leaves out how the engine has read the row of CSV or TSV that it names, and the row before it. Those hold texts of the rows: where
 * one looks like a mark with another number, no row is named.
 */
const withoutDiagnostics = (message: string): string => {
  const marks = Array.from(message.matchAll(mark))
  const [first] = marks
  const last = Array.from(message.matchAll(/: While executing \w*InputFormat/g)).at(-1)
  if (first === undefined || last === undefined || marks.some(([found]) => found !== first[0])) return message
  return message.slice(0, first.index + first[0].length) + message.slice(last.index)
}

// The query of an address, which may be its signature. The engine writes some addresses without their host, repeats what it was
// asked for, and quotes what the other side has answered.
const queryOf = /\?[^\s?'"<>=]*=[^\s'"<>]*/gu
const signedPart = /(X-Amz-(?:Signature|Credential|Security-Token)["'>]*[=:]?\s*)[^\s&'"<>]+/giu

/** A text without the queries of addresses: anyone who has a signed one may read the object. */
const withoutQueries = (text: string): string =>
  text.replaceAll(queryOf, "?[redacted]").replaceAll(signedPart, "$1[redacted]")

/** Reads the text of an error as the engine writes it. */
export const engineFailure = (text: string): EngineFailure => {
  const [prefix = "", code] = codeOf.exec(text) ?? []
  const message = withoutQueries(withoutDiagnostics(text.slice(prefix.length)))
    .replaceAll(insertFile, "")
    .replaceAll(/ \(version [^()]*(?:\([^()]*\))?\)/g, "")
    .trim()
  return new EngineFailure({ code: code === undefined ? undefined : Number(code), message: shortened(message) })
}

const rowNumber = /\(at row (\d+)\)\s*: While executing \w*InputFormat/g

/**
 * Which row, from 0, the format could not read. `undefined` if the failure names none: the text of a row may itself look
 * like one, so what counts is the last mark, which the engine wrote, and never what a view has thrown.
 */
export const rejectedRow = ({ message }: EngineFailure): number | undefined => {
  if (message.includes("while pushing to view")) return undefined
  const last = Array.from(message.matchAll(rowNumber)).at(-1)
  return last === undefined || message.includes("\n", last.index + last[0].length) ? undefined : Number(last[1]) - 1
}

/** The reason why a row was rejected, without what follows the engine's mark. */
export const rejectionReason = ({ message }: EngineFailure): string =>
  message.replace(/: \(at row \d+\)\s*: While executing \w*InputFormat[^]*$/, "")
