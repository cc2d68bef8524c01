import { quoteString } from "@headgate/clickhouse"

export type Settings = Readonly<Record<string, string | number>>

/** The names of the settings that an engine has. */
export type KnownSettings = Pick<ReadonlySet<string>, "has">

/** Settings as the `SETTINGS` of a statement. */
export const writeSettings = (settings: Settings): string =>
  `SETTINGS ${Object.entries(settings)
    .map(([name, value]) => `${name} = ${typeof value === "number" ? value : quoteString(value)}`)
    .join(", ")}`

// More rows and bytes than any range has.
const unlimited = 1_000_000_000_000

/**
 * They make one block of the rows, whatever the user's profile says, and are part of the statement: the embedded engine keeps what
 * is set in any other way for the statements that follow.
 */
const blockSettings: Settings = {
  // One block, or a part of the rows is committed under the token when an insert breaks off.
  async_insert: 0,
  input_format_parallel_parsing: 0,
  max_insert_block_size: unlimited,
  min_insert_block_size_rows: unlimited,
  min_insert_block_size_bytes: unlimited,
  input_format_max_block_size_bytes: 0,
  input_format_max_block_wait_ms: 0,
  max_insert_block_size_bytes: 0,
  max_insert_threads: 1,
  insert_deduplicate: 1,
  deduplicate_insert: "enable",
  // A replay completes the views that an insert broke off before.
  deduplicate_blocks_in_dependent_materialized_views: 1
}

const rowSettings: Settings = {
  // Rows that cannot be read are errors that name the row.
  input_format_allow_errors_num: 0,
  input_format_allow_errors_ratio: 0,
  input_format_skip_unknown_fields: 1,
  // The mover has refused nulls where no default stands.
  input_format_null_as_default: 1,
  input_format_defaults_for_omitted_fields: 1,
  precise_float_parsing: 1,
  date_time_input_format: "best_effort",
  session_timezone: "UTC",
  // A text in a column of the type Dynamic or JSON is a text, and no date: the engine would make another day of 2024-02-30.
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0
}

/** The settings that came with later releases. An engine that lacks them behaves as if they had these values. */
const recent = new Set([
  "deduplicate_insert",
  "input_format_max_block_size_bytes",
  "input_format_max_block_wait_ms",
  "max_insert_block_size_bytes"
])

/** The names of the settings that an engine may lack. */
export const recentSettings: ReadonlyArray<string> = Array.from(recent)

/** Settings that make one block of an insert, under a token, for an engine that has these of the recent settings. */
export const oneBlock = (token: string, has: KnownSettings): Settings => {
  const known = Object.entries(blockSettings).filter(([name]) => !recent.has(name) || has.has(name))
  return { ...Object.fromEntries(known), insert_deduplication_token: token }
}

/** The `SETTINGS` of an insert of rows of JSON. */
export const insertSettings = (token: string, has: KnownSettings): string =>
  writeSettings({ ...rowSettings, ...oneBlock(token, has) })

/** The `SETTINGS` of an insert of rows of JSON that leaves out those that the engine cannot read. */
export const searchSettings = (has: KnownSettings): string =>
  writeSettings({
    ...rowSettings,
    ...oneBlock("", has),
    insert_deduplicate: 0,
    max_threads: 1,
    input_format_allow_errors_num: unlimited,
    input_format_allow_errors_ratio: 1
  })

/** The `SETTINGS` of an insert of versioned rows: the engine reads a line of TSV as it stands, whatever the user's profile says. */
export const tsvSettings = writeSettings({
  async_insert: 0,
  // The rows carry versions. The engine would drop a block that is like an earlier one.
  insert_deduplicate: 0,
  // Versions of a row replace one another when parts are merged, and need not be looked for in each insert.
  optimize_on_insert: 0,
  input_format_allow_errors_num: 0,
  input_format_allow_errors_ratio: 0,
  // A row that is like the names of the columns is no header.
  input_format_tsv_detect_header: 0,
  input_format_tsv_skip_first_lines: 0,
  input_format_tsv_empty_as_default: 0,
  input_format_tsv_crlf_end_of_line: 0,
  input_format_tsv_enum_as_number: 0,
  format_tsv_null_representation: String.raw`\N`,
  input_format_null_as_default: 1,
  input_format_defaults_for_omitted_fields: 1,
  input_format_skip_unknown_fields: 0,
  precise_float_parsing: 1,
  date_time_input_format: "basic",
  date_time_overflow_behavior: "throw",
  session_timezone: "UTC"
})
