import { type EngineFailure, quoteString } from "@headgate/clickhouse"
import type { ObjectAddress, ObjectFormat, ObjectReference } from "@headgate/mover"
import { type KnownSettings, type Settings, writeSettings } from "../sql/insertSettings.ts"
import { type AddressedObject, addressSettings, objectFunction } from "./objectFunction.ts"
import {
  divideByLength,
  numberColumn,
  numbersWithoutRow,
  type ObjectQuery,
  unionAll,
  unionOfNumbered
} from "./unionAll.ts"
import { type ReadColumn, wideColumns } from "./wideColumn.ts"

/** What the statement for whole objects fails with if a value may not be one of its column. */
export const inexact = "a value that a column may not hold as it stands"

/** What the statement for several objects fails with if one of them has no row. */
const withoutRow = "an object has no row"

/** A query that reads several objects, and one for the numbers of those among them, from 1, that have no row. */
interface RowsQuery extends ObjectQuery {
  readonly objects: ReadonlyArray<AddressedObject>
  readonly empty: ObjectQuery
}

/**
 * What reads the rows of objects of one format for these columns: a query, or several for many objects. `failsIfEmpty`: it fails if one of
 * them has no row.
 */
export const objectRows = (
  format: ObjectFormat,
  objects: ReadonlyArray<AddressedObject>,
  columns: ReadonlyArray<ReadColumn>,
  fields?: ReadonlyMap<string, string>,
  failsIfEmpty = false
): ReadonlyArray<RowsQuery> => {
  const { exact, select, structure } = wideColumns(format, columns, fields)
  const queries = objects.map((object) => ({ object, ...objectFunction(object, structure) }))
  return divideByLength(queries).map((functions) => {
    const numbered = unionOfNumbered(functions)
    const { parameters, sql } = failsIfEmpty ? numbered : unionAll(functions)
    const isRow = failsIfEmpty ? `${numberColumn} != 0 AND ` : ""
    const checks = [
      ...(exact === "true" ? [] : [`throwIf(${isRow}NOT ifNull(${exact}, false), ${quoteString(inexact)}) = 0`]),
      ...(failsIfEmpty ? [`throwIf(${numberColumn} = 0, ${quoteString(withoutRow)}) = 0`] : [])
    ]
    const where = checks.length === 0 ? "" : ` WHERE ${checks.join(" AND ")}`
    return {
      sql: `SELECT ${select} FROM ${sql}${where}`,
      parameters,
      objects: functions.map(({ object }) => object),
      empty: numbersWithoutRow(numbered)
    }
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
  // An empty value of CSV is an empty text. What it is in other columns, the statement says.
  input_format_csv_empty_as_default: 0,
  input_format_tsv_empty_as_default: 0,
  format_csv_null_representation: String.raw`\N`,
  format_tsv_null_representation: String.raw`\N`,
  input_format_json_defaults_for_missing_elements_in_named_tuple: 0,
  input_format_json_read_numbers_as_strings: 1,
  input_format_json_read_objects_as_strings: 1,
  // Lines end with CR, LF or both.
  input_format_csv_allow_cr_end_of_line: 1,
  input_format_tsv_crlf_end_of_line: 1,
  // Where a row of CSV ends does not depend on the user's profile.
  format_csv_allow_single_quotes: 0,
  format_csv_allow_double_quotes: 1,
  // Of a join the numbers of the objects are held, and never their rows.
  join_algorithm: "hash",
  join_use_nulls: 0,
  s3_ignore_file_doesnt_exist: 0,
  max_execution_time: 0,
  // A long insert shows that it goes on, so that its connection stays open; each time a header, of which there may be few.
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: 60_000
}

/** Settings that came with later releases. */
const recent: Readonly<Record<string, string | number>> = {
  s3_retry_attempts: 5,
  query_plan_join_swap_table: "false",
  allow_archive_path_syntax: 0,
  use_hive_partitioning: 0,
  schema_inference_use_cache_for_s3: 0,
  schema_inference_use_cache_for_url: 0,
  input_format_csv_skip_first_lines: 0,
  input_format_tsv_skip_first_lines: 0,
  input_format_csv_trim_whitespaces: 0,
  // A row that is like the names of the columns is no header.
  input_format_csv_detect_header: 0,
  input_format_tsv_detect_header: 0,
  input_format_json_read_bools_as_strings: 1,
  input_format_json_read_arrays_as_strings: 1,
  cast_string_to_date_time_mode: "best_effort",
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

/** The `SETTINGS` of a statement that reads an object, for an engine that has these of the recent settings, and others. */
export const objectSettings = (object: ReadObject, has: KnownSettings, more: Settings = {}): string =>
  writeSettings({ ...readingSettings(object, has), ...more })

// The engine's numbers of errors that say that an object is not of its format or does not fit the table. Every other failure
// is tried again: an object must not go to the error table because a network failed.
const unreadable = new Set([
  6, 25, 26, 27, 32, 33, 38, 41, 53, 69, 70, 72, 117, 130, 131, 190, 271, 321, 349, 354, 376, 407, 441, 448, 467, 554,
  561, 636, 638, 675, 676, 691
])

// The number of the error that `throwIf` is. A view that gets the rows may throw as well.
const thrown = 395
const reasons = new RegExp(`^(?:column .*?: missing, and the column has no default|${inexact})`, "su")

/** Whether a statement for several objects has failed because one of them has no row. */
export const saysWithoutRow = ({ code, message }: EngineFailure): boolean =>
  code === thrown && message.startsWith(withoutRow)

/** Why no user can read the object, by the failure to read it; `undefined` for any other failure. */
export const unreadableReason = ({ code, message }: EngineFailure): string | undefined => {
  if (code === undefined) return undefined
  if (code === thrown) return reasons.exec(message)?.[0]
  return unreadable.has(code) ? message : undefined
}
