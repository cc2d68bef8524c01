import { type EngineFailure, quoteString } from "@headgate/clickhouse"
import { type ObjectFormat, ObjectRejected } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type { KnownSettings } from "../sql/insertSettings.ts"
import { isUnpaired, mayEndQuoted } from "./joinLines.ts"
import { objectFailure } from "./objectFailure.ts"
import { type AddressedObject, objectFunction } from "./objectFunction.ts"
import { inexact, objectSettings } from "./objectQuery.ts"
import { longestRead, type StagingTarget } from "./Stagings.ts"
import { divideByLength, unionAll, wholeUnion } from "./unionAll.ts"

// The engine reads more than JSON, CSV and TSV: `"\x41"` as x41, 01 as a text, two objects of a line as two rows, the rest of an object as
// a value whose quotes have no end, and `\xam` as another character. What it has read does not show that. The lines do.

const matches = (pattern: string): string => `match(line, ${quoteString(pattern)})`

const isRowLine = matches(String.raw`^\s*\{(?s:.*)\}\s*$`)
// With what the engine reads between rows, and after the last one.
const isListedLine = matches(String.raw`^[\s,]*\{(?s:.*)\}[\s,;]*$`)
// A line of an array, or of an object of several lines.
const isDivided = matches(String.raw`^\s*[\[\]}]|[{\[]\s*$`)

/**
 * Whether most of some lines are rows of JSON, as an aggregate of SQL. Commas may stand between them, if no line shows that they are the
 * elements of a list.
 */
const mostOf = (isRow: string, isListed: string, isDivided: string): string =>
  `(countIf(${isRow}) * 2 >= count() OR (countIf(${isListed}) * 2 >= count() AND countIf(${isDivided}) = 0))`

/** Whether most of the lines `line` are rows of JSON, as an aggregate of SQL. */
export const mostAreRows = mostOf(isRowLine, isListedLine, isDivided)

/** A text of an object without the mark of UTF-8 that it may begin with, as SQL. */
export const withoutMark = "if(startsWith(line, '\\xEF\\xBB\\xBF'), substring(line, 4), line)"

const withoutCommas = `replaceRegexpAll(line, '^[ \\t\\r]*,|,[ \\t\\r]*$', '')`
// The engine's check refuses numbers that 64 bits do not hold.
const shortNumbers = `replaceRegexpAll(${withoutCommas}, '([0-9]{16}|[eE][+-]?[0-9])[0-9]{2,}', '\\\\1')`

const escapes = String.raw`\\(["\\/bfnrt]|u[dD][89abAB]..\\u[dD][c-fC-F]..|u([0-9a-cefA-CEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}))`
const hasWrongEscape = `position(replaceRegexpAll(line, ${quoteString(escapes)}, ''), '\\\\') > 0`

/**
 * Whether lines of an object are no JSON: those of an object that has a row in most lines. Where rows have several lines, a line alone
 * tells of its escapes only.
 */
const wrongJson = (lines: string): string =>
  `SELECT if(countIf(wrong) > 0 AND (${mostOf("isRow", "isListed", "isDivided")}
      OR countIf(wrong AND ${hasWrongEscape}) > 0), 'wrong', '') AS found
    FROM (SELECT object, line, NOT isWhole AND NOT isValidJSON(${shortNumbers}) AS wrong,
        if(isWhole, match(line, '^\\\\s*\\\\{'), ${isRowLine}) AS isRow,
        if(isWhole, match(line, '^\\\\s*\\\\{'), ${isListedLine}) AS isListed, NOT isWhole AND ${isDivided} AS isDivided
      FROM (SELECT object, line, isValidJSON(line) AS isWhole
        FROM (SELECT object, ${withoutMark} AS line FROM ${lines}) WHERE match(line, '[^ \\\\t\\\\r]'))) GROUP BY object`

// All escapes of TSV but a backslash before x without two hex digits, which the engine reads as some character.
const tsvEscapes = String.raw`\\(x[0-9a-fA-F]{2}|[^x])`

/** Whether lines of an object of TSV have such an escape, or the last one ends within an escape. */
const wrongEscapes = (lines: string): string =>
  `SELECT if(countIf(position(rest, '\\\\x') > 0) > 0 OR endsWith(argMax(rest, number), '\\\\'), 'wrong', '') AS found
    FROM (SELECT object, if(position(line, '\\\\') = 0, '', replaceRegexpAll(line, ${quoteString(tsvEscapes)}, '')) AS rest,
      rowNumberInAllBlocks() AS number FROM ${lines}) GROUP BY object`

// Of a longer line, the end is looked at.
const longestLine = 64 * 1024

/** The last line of an object of CSV that has a quote which is not one of a pair. */
const lastQuoted = (lines: string): string =>
  `SELECT base64Encode(substring(argMax(line, rowNumberInAllBlocks()), -${longestLine})) AS found
    FROM ${lines} WHERE position(line, '"') > 0 AND NOT match(line, '^([^"]|"")*$') GROUP BY object`

const checkSettings = {
  // One thread reads the lines in their order.
  max_threads: 1,
  ...wholeUnion,
  input_format_parallel_parsing: 0,
  max_memory_usage: 1024 * 1024 * 1024
}
const memoryLimitExceeded = 241

/** Whether a quoted value of an object may have no end, by its last line with a quote that is not one of a pair. */
const mayBeOpen = (found: string, delimiter: string): boolean => {
  const line = Buffer.from(found, "base64")
  // Lines end with carriage returns, too.
  const pieces = line
    .toString("latin1")
    .split("\r")
    .map((piece) => Buffer.from(piece, "latin1"))
  const at = pieces.findLastIndex(isUnpaired)
  const piece = pieces[at]
  if (piece === undefined) return false
  return (at === 0 && line.length === longestLine) || mayEndQuoted(piece, delimiter)
}

/** Fails if lines of objects may not be what the engine reads them as. The rows of such an object are looked at one by one. */
export const checkLines = Effect.fnUntraced(function* (
  { engine }: StagingTarget,
  settings: KnownSettings,
  format: ObjectFormat,
  objects: ReadonlyArray<AddressedObject>
) {
  const [object] = objects
  const isCsv = format.startsWith("CSV")
  const check =
    format === "JSONEachRow" ? wrongJson : isCsv ? lastQuoted : format === "Parquet" ? undefined : wrongEscapes
  if (object === undefined || check === undefined) return
  const lines = objects.map((one) => objectFunction(one, "line String", "LineAsString"))
  for (const part of divideByLength(lines)) {
    // The lines are checked together, each with its object: a check for each object takes longer than its lines.
    const { parameters, sql } = unionAll(part, (index) => `${index} AS object`)
    const look = (max_block_size: number) => {
      const limits = objectSettings(object, settings, { ...checkSettings, max_block_size })
      const statement = `SELECT found FROM (${check(sql)}) WHERE found != '' ${limits} FORMAT TSV`
      return engine.run(statement, parameters, { timeout: longestRead })
    }
    const isTooMuch = ({ code }: EngineFailure) => code === memoryLimitExceeded
    // A line of any length is one value to the engine, and few objects have lines of megabytes.
    const found = yield* look(400).pipe(
      Effect.catchIf(isTooMuch, () => look(8)),
      // Lines of more than a hundred megabytes are no rows.
      Effect.catchIf(isTooMuch, () => Effect.succeed("")),
      Effect.mapError(objectFailure(objects))
    )
    const lines = found.split("\n").filter((line) => line !== "")
    if (isCsv ? lines.some((line) => mayBeOpen(line, object.delimiter ?? ",")) : lines.length > 0) {
      return yield* new ObjectRejected({ reason: inexact })
    }
  }
})
