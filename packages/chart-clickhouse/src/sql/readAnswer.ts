import type { QueryAnswer } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Answer = Schema.fromJsonString(
  Schema.Struct({
    meta: Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String })),
    data: Schema.Array(Schema.Array(Schema.Unknown)),
    statistics: Schema.optionalKey(Schema.Struct({ elapsed: Schema.Finite, rows_read: Schema.Finite }))
  })
)
const decode = Schema.decodeUnknownEffect(Answer)

/** Settings under which the engine writes answers as `QueryAnswer` says. */
export const formatSettings = {
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_64bit_floats: 0,
  output_format_json_quote_decimals: 1,
  output_format_json_quote_denormals: 0,
  output_format_write_statistics: 1,
  // In UTC, whatever the zone of the engine or the column. There is no zone of the session: a column without one keeps the zone of the
  // engine, and what it is compared with would have the other one.
  date_time_output_format: "iso"
}

/** Reads an answer in the format `JSONCompact`. Without names, the columns have those of the engine. */
export const readAnswer = (text: string, names?: ReadonlyArray<string>, hasGroupCount = false) =>
  Effect.map(decode(text), ({ data, meta, statistics }): QueryAnswer => {
    const columns = names === undefined ? meta : names.map((name, index) => ({ name, type: meta[index]?.type ?? "" }))
    const answer = {
      columns,
      rows: hasGroupCount ? data.map((row) => row.slice(0, columns.length)) : data,
      rowsRead: statistics?.rows_read ?? 0,
      elapsed: Math.round((statistics?.elapsed ?? 0) * 1000)
    }
    return hasGroupCount ? { ...answer, groups: Number(data[0]?.[columns.length] ?? 0) } : answer
  })
