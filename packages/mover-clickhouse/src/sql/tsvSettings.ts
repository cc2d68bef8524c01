import { quoteString } from "./quote.ts"

/** Settings under which the engine reads a line of TSV as it stands, whatever the user's profile says. */
const settings: Readonly<Record<string, string | number>> = {
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
}

/** The `SETTINGS` of an insert of versioned rows. */
export const tsvSettings = `SETTINGS ${Object.entries(settings)
  .map(([name, value]) => `${name} = ${typeof value === "number" ? value : quoteString(value)}`)
  .join(", ")}`
