import { type EngineFailure, quoteIdentifier, quoteTable } from "@headgate/clickhouse"
import {
  type ObjectReference,
  ObjectRejected,
  type RangeChanged,
  type SourceError,
  type WarehouseError,
  type WarehouseRefused
} from "@headgate/mover"
import * as Effect from "effect/Effect"
import { warehouseFailure } from "../connection/warehouseFailure.ts"
import type { KnownSettings } from "../sql/insertSettings.ts"
import { parseType } from "../row/ColumnType.ts"
import { execute } from "../table/describeTable.ts"
import { mostAreRows, withoutMark } from "./checkLines.ts"
import { joinLines, type ObjectLine } from "./joinLines.ts"
import { objectFailure } from "./objectFailure.ts"
import { type AddressedObject, objectFunction } from "./objectFunction.ts"
import { objectSettings } from "./objectQuery.ts"
import { dropStaging, longestRead, type StagingTarget } from "./Stagings.ts"
import type { ObjectQuery } from "./unionAll.ts"
import type { ReadColumn } from "./wideColumn.ts"
import { writtenParquet } from "./wideParquet.ts"

/** How many lines of an object are searched for rejected ones at a time, and held in memory. */
const mostLines = 50_000
const mostBytes = 8 * 1024 * 1024

// A line of any length is one value to the engine. A line above `mostBytes` is no row, and this has space for some of them: for
// blocks of 10 lines of that length.
const memoryOfCopy = 1024 * 1024 * 1024
const memoryLimitExceeded = 241

const newline = Buffer.from("\n")

/** What a failure to copy lines is: one that is too long for its memory is the object's, whatever else the engine lacks. */
const copyFailure = (object: AddressedObject) => (failure: EngineFailure) =>
  failure.code === memoryLimitExceeded && /^(Query memory limit|Memory limit \(for query\))/u.test(failure.message)
    ? new ObjectRejected({ reason: "it has a line that is too long" })
    : objectFailure([object])(failure)

// What a copied line ended with.
const ends = ["\n", "\r\n", "\r"].map((end) => Buffer.from(end))

/**
 * The lines of an object, with what each ends with. The engine divides at line feeds. Carriage returns end lines, too; the last piece of each
 * line ends as that does.
 */
const dividedLines = (from: string): string => {
  const isLastByte = "endsWith(line, '\\r')"
  const text = `if(${isLastByte}, substring(line, 1, length(line) - 1), line)`
  return `SELECT piece.1 AS line, piece.2 AS ending FROM (
    SELECT arrayJoin(arrayMap((part, place) -> (part, if(place < length(parts), 2, ends)), parts, arrayEnumerate(parts))) AS piece
    FROM (SELECT splitByChar('\\r', ${text}) AS parts, toUInt8(${isLastByte}) AS ends FROM ${from}))`
}

/**
 * The rows of Parquet as lines of JSON, with their numbers. A field is written in the type of the file, which keeps it, except where the
 * file has no type of its own for that of the column.
 */
export const parquetLines = (
  object: AddressedObject,
  fields: ReadonlyArray<{ readonly name: string; readonly type: string }>,
  columns: ReadonlyArray<ReadColumn>
) => {
  const types = new Map(columns.map(({ field, type }) => [field, parseType(type)]))
  const structure = fields.map(
    ({ name, type }) => `${quoteIdentifier(name)} ${writtenParquet(parseType(type), types.get(name))}`
  )
  const names = fields.map(({ name }) => quoteIdentifier(name)).join(", ")
  const { parameters, sql } = objectFunction(object, structure.join(", "))
  return {
    parameters,
    sql: `SELECT _row_number AS number, formatRowNoNewline('JSONEachRow', ${names}) AS line FROM ${sql}`
  }
}

const copySettings = {
  // One thread reads the lines in their order.
  max_threads: 1,
  max_insert_threads: 1,
  input_format_parallel_parsing: 0,
  max_block_size: 10,
  max_memory_usage: memoryOfCopy,
  // How a row of Parquet is written.
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_64bit_floats: 0,
  output_format_json_quote_decimals: 0,
  output_format_json_quote_denormals: 1,
  output_format_json_escape_forward_slashes: 0,
  output_format_json_named_tuples_as_objects: 1,
  output_format_json_skip_null_value_in_named_tuples: 0,
  output_format_decimal_trailing_zeros: 0,
  date_time_output_format: "simple"
}

/** Copies the lines of an object into a table, with their numbers. Lines of white space are no rows of JSON, as in the engine. */
export const copyLines = Effect.fnUntraced(function* (
  target: StagingTarget,
  settings: KnownSettings,
  object: AddressedObject,
  copy: string,
  lines: ObjectQuery
): Effect.fn.Return<void, WarehouseError | WarehouseRefused | ObjectRejected | SourceError | RangeChanged> {
  const { database, engine } = target
  const { format } = object
  const name = quoteTable(database, copy)
  yield* dropStaging(target, copy)
  // Small granules: a batch of lines reads little of those beside it.
  yield* execute(
    engine,
    `CREATE TABLE ${name} (number UInt64, line String, ending UInt8, bytes UInt64 DEFAULT length(line)) ENGINE = MergeTree
    ORDER BY number SETTINGS index_granularity_bytes = ${1024 * 1024}`
  )
  const isJson = format === "JSONEachRow"
  const numbered =
    format === "Parquet"
      ? `SELECT number, line, 0 AS ending FROM (${lines.sql})`
      : `SELECT rowNumberInAllBlocks() AS number, line, ending FROM (${isJson ? `SELECT line, 0 AS ending FROM ${lines.sql}` : dividedLines(lines.sql)})`
  // The engine leaves out the mark of UTF-8 where it reads rows.
  const sql = `INSERT INTO ${name} (number, line, ending) ${objectSettings(object, settings, copySettings)}
    SELECT number, if(number = 0, ${withoutMark}, line), ending
    FROM (${numbered})
    ${isJson ? "WHERE match(line, '[^ \\\\t\\\\r]')" : ""}`
  const copies = engine.run(sql, lines.parameters, { queryId: copy, timeout: longestRead })
  yield* Effect.mapError(copies, copyFailure(object))
})

/**
 * Whether the lines of an object are its rows: none is too long, and most of those of JSON are objects. It may also be an array, have
 * rows of several lines, or be something else than it is said to be.
 */
export const areRows = ({ database, engine }: StagingTarget, { format }: ObjectReference, copy: string) => {
  return engine
    .run(
      `SELECT max(bytes) <= ${mostBytes} AND ${format === "JSONEachRow" ? mostAreRows : 1}
      FROM ${quoteTable(database, copy)} FORMAT TSV`,
      {},
      { timeout: longestRead }
    )
    .pipe(
      Effect.mapError(warehouseFailure),
      Effect.map((answer) => answer.trim() === "1")
    )
}

/**
 * The lines from a number on, as many as memory takes. The lengths say where they end, so that each line is read once. They travel
 * as base64: a line may be no text.
 */
export const readLines = ({ database, engine }: StagingTarget, copy: string, from: number) =>
  engine
    .run(
      `SELECT number, ending, base64Encode(line) FROM ${quoteTable(database, copy)}
      WHERE number BETWEEN {from:UInt64} AND (
        SELECT max(number) FROM (
          SELECT number, sum(bytes) OVER (ORDER BY number) AS total FROM (
            SELECT number, bytes FROM ${quoteTable(database, copy)}
            WHERE number >= {from:UInt64} ORDER BY number LIMIT ${mostLines}
          )
        ) WHERE total <= ${mostBytes}
      ) ORDER BY number FORMAT TSV`,
      { from: String(from) },
      { timeout: longestRead }
    )
    .pipe(
      Effect.mapError(warehouseFailure),
      Effect.map((answer): ReadonlyArray<ObjectLine> =>
        answer.split("\n").flatMap((text) => {
          const [number, ending, line] = text.split("\t")
          const end = ends[Number(ending)] ?? newline
          return line === undefined ? [] : [{ number: Number(number), line: Buffer.from(line, "base64"), end }]
        })
      )
    )

/** The rows of CSV or TSV from a line on. The last one is left for the next time if it does not end here. */
export const readJoined = Effect.fnUntraced(function* (
  target: StagingTarget,
  object: ObjectReference,
  copy: string,
  from: number
) {
  const { isOpen, rows } = joinLines(object, yield* readLines(target, copy, from))
  const last = rows.at(-1)
  if (!isOpen || last === undefined) return rows
  if (rows.length > 1) return rows.slice(0, -1)
  if ((yield* readLines(target, copy, last.next)).length > 0) {
    return yield* new ObjectRejected({ reason: `the row that begins in line ${from} is too long` })
  }
  return [last]
})
