import type { ObjectAddress, ObjectFormat, ObjectReference } from "@headgate/mover"
import type { EngineFailure } from "../connection/EngineFailure.ts"
import { type Column, takesNull } from "../row/typeMapping.ts"
import { type KnownSettings, oneBlock, type Settings, writeSettings } from "../sql/insertSettings.ts"
import { quoteIdentifier, quoteString } from "../sql/quote.ts"
import { type AddressedObject, addressSettings, objectFunction } from "./objectFunction.ts"
import { divideByLength, type ObjectQuery, unionAll } from "./unionAll.ts"

/** A column, and the field of an object that it is read from. */
export interface ReadColumn extends Column {
  readonly field: string
}

const integer = /^U?Int(?:8|16|32|64)$/
const nullableInteger = /^Nullable\(U?Int(?:8|16|32|64)\)$/
// Types that Nullable cannot wrap: a null in them is the engine's to read.
const neverNull =
  /^(Array|Map|Tuple|Nested|LowCardinality|JSON|Object|AggregateFunction|SimpleAggregateFunction|Point|Ring|LineString|MultiLineString|Polygon|MultiPolygon|Geometry)/

const lowCardinality = /^LowCardinality\(((?!Nullable).*)\)$/s

/** The reason for an object whose rows lack a column; for rows that pass through the mover it is the same. */
export const missing = (field: string): string => `column ${field}: missing, and the column has no default`

/**
 * A default that fails where the engine needs it: for a row without the field. A null is an error of the format. The engine would
 * compute a constant before it reads a row.
 */
const failingDefault = ({ field, type }: ReadColumn): string => {
  const value = `defaultValueOfTypeName(${quoteString(type)})`
  return `if(throwIf(rand() >= 0, ${quoteString(missing(field))}) = 0, ${value}, ${value})`
}

/**
 * How a column is read, so that the engine does in silence as little as with rows that pass through the mover: a null or a missing
 * field for a column that takes none and has no default is an error, and so is an integer out of the range of its type.
 */
const readColumn = (read: ReadColumn, isText: boolean) => {
  const { field, hasDefault, name, type } = read
  const column = quoteIdentifier(field)
  const problem = (when: string, what: string) => `${when}, concat(${quoteString(`column ${name}: `)}, ${what})`
  const isNull = problem(`isNull(${column})`, "'null, and the column takes none'")
  const cast = (to: string, how = "CAST") => `${how}(${column}, ${quoteString(to)})`
  if (integer.test(type) || nullableInteger.test(type)) {
    const takesNull = hasDefault || nullableInteger.test(type)
    const to = takesNull && !nullableInteger.test(type) ? `Nullable(${type})` : type
    const isOut = `isNotNull(${column}) AND isNull(${cast(type.replace(/^Nullable\((.*)\)$/, "$1"), "accurateCastOrNull")})`
    const outOfRange = problem(isOut, `toString(${column}), ${quoteString(`: it is out of the range of ${type}`)}`)
    return {
      structure: `${column} Nullable(Int128)`,
      select: cast(to, "accurateCast"),
      problems: takesNull ? [outOfRange] : [isNull, outOfRange]
    }
  }
  const [, valueOfLow] = lowCardinality.exec(type) ?? []
  if (hasDefault && !isText && valueOfLow !== undefined) {
    return { structure: `${column} LowCardinality(Nullable(${valueOfLow}))`, select: column, problems: [] }
  }
  // An empty text of CSV is an empty text, and no null. The header says which columns a file lacks.
  const isEmptyText = isText && /^(String|FixedString)/.test(type)
  if (takesNull(type) || neverNull.test(type) || isEmptyText) {
    const fails = !isText && !hasDefault && !takesNull(type)
    return {
      structure: fails ? `${column} ${type} DEFAULT ${failingDefault(read)}` : `${column} ${type}`,
      select: column,
      problems: []
    }
  }
  const structure = `${column} Nullable(${type})`
  return hasDefault
    ? { structure, select: column, problems: [] }
    : { structure, select: cast(type), problems: [isNull] }
}

/**
 * How these columns are read from an object of a format: the types that take its values, what makes them values of the columns, and
 * the reason for which that fails, which is empty if it does not.
 */
export const objectColumns = (format: ObjectFormat, columns: ReadonlyArray<ReadColumn>) => {
  const isText = format !== "JSONEachRow" && format !== "Parquet"
  const read = columns.map((column) => readColumn(column, isText))
  return {
    structure: read.map(({ structure }) => structure).join(", "),
    select: read.map(({ select }) => select).join(", "),
    problem: `multiIf(${["false, ''", ...read.flatMap(({ problems }) => problems), "''"].join(", ")})`
  }
}

/** What reads the rows of objects of one format for these columns: a query, or several for many objects. */
export const objectRows = (
  format: ObjectFormat,
  objects: ReadonlyArray<AddressedObject>,
  columns: ReadonlyArray<ReadColumn>
): ReadonlyArray<ObjectQuery> => {
  const { select, structure } = objectColumns(format, columns)
  return divideByLength(objects.map((object) => objectFunction(object, structure))).map((functions) => {
    const { parameters, sql } = unionAll(functions)
    return { sql: `SELECT ${select} FROM ${sql}`, parameters }
  })
}

const settings: Readonly<Record<string, string | number>> = {
  async_insert: 0,
  // Two objects may have the same rows. An engine would take those of the second one for a repeat.
  insert_deduplicate: 0,
  input_format_allow_errors_num: 0,
  input_format_allow_errors_ratio: 0,
  input_format_skip_unknown_fields: 1,
  input_format_null_as_default: 0,
  // A null that a column without a default does not take was an error before this.
  insert_null_as_default: 1,
  precise_float_parsing: 1,
  date_time_input_format: "best_effort",
  session_timezone: "UTC",
  // Where a row of CSV ends does not depend on the user's profile.
  format_csv_allow_single_quotes: 0,
  format_csv_allow_double_quotes: 1,
  s3_ignore_file_doesnt_exist: 0,
  max_execution_time: 0,
  // A long insert shows that it goes on, so that its connection stays open; each time a header, of which there may be few.
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: 60_000
}

/** Settings that came with later releases. */
const recent: Readonly<Record<string, string | number>> = {
  s3_retry_attempts: 5,
  allow_archive_path_syntax: 0,
  use_hive_partitioning: 0,
  schema_inference_use_cache_for_s3: 0,
  schema_inference_use_cache_for_url: 0,
  input_format_csv_skip_first_lines: 0,
  input_format_tsv_skip_first_lines: 0,
  input_format_csv_trim_whitespaces: 1,
  // Null within arrays and tuples where a row has it, and not everywhere.
  schema_inference_make_columns_nullable: 2,
  // How much of an object is looked at to tell its fields, where it does not name them at its beginning or its end.
  input_format_max_rows_to_read_for_schema_inference: 1000,
  input_format_max_bytes_to_read_for_schema_inference: 1024 * 1024
}

/** The names of the settings that an engine may lack. */
export const recentObjectSettings: ReadonlyArray<string> = Object.keys(recent)

/** The name of the setting for the number of threads that parse the rows of a statement. */
export const parsingThreads = "max_parsing_threads"

/** An object, with its address if the statement reads it itself. */
type ReadObject = ObjectReference & { readonly at?: ObjectAddress }

const readingSettings = ({ at, delimiter = "," }: ReadObject, has: KnownSettings): Settings => {
  const known = Object.entries(recent).filter(([name]) => has.has(name))
  return { ...settings, ...addressSettings(at), ...Object.fromEntries(known), format_csv_delimiter: delimiter }
}

/** The `SETTINGS` of a statement that reads an object, for an engine that has these of the recent settings. */
export const objectSettings = (object: ReadObject, has: KnownSettings): string =>
  writeSettings(readingSettings(object, has))

/** The `SETTINGS` of an insert of lines of an object under a token, which are read as those of the object. */
export const linesSettings = (object: ObjectReference, token: string, has: KnownSettings): string =>
  writeSettings({
    ...readingSettings(object, has),
    ...oneBlock(token, has),
    // A row that is like the names of the columns is no header.
    input_format_csv_detect_header: 0,
    input_format_tsv_detect_header: 0
  })

// The engine's numbers of errors that say that an object is not of its format or does not fit the table. Every other failure
// is tried again: an object must not go to the error table because a network failed.
const unreadable = new Set([
  6, 25, 26, 27, 32, 33, 38, 41, 53, 69, 70, 72, 117, 130, 131, 190, 271, 321, 349, 354, 376, 407, 441, 448, 467, 554,
  561, 636, 638, 675, 676, 691
])

// The number of the error that `throwIf` is. A view that gets the rows may throw as well.
const thrown = 395
const missingField = /^column .*?: missing, and the column has no default/su

/** Why no user can read the object, by the failure to read it; `undefined` for any other failure. */
export const unreadableReason = ({ code, message }: EngineFailure): string | undefined => {
  if (code === undefined) return undefined
  if (code === thrown) return missingField.exec(message)?.[0]
  return unreadable.has(code) ? message : undefined
}
