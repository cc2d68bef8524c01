import * as Schema from "effect/Schema"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"

/** The request for rows of a source, as today's service takes it. Its fields are checked by `readSearch`, with the texts of the service. */
export const ChartSearch = looseStruct({}).pipe(withIdentifier("ChartSearch", "The request for rows of a source."))
export type ChartSearch = typeof ChartSearch.Type

/** Found rows, each an object. */
export const FoundRows = looseStruct({
  data: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
  rows: Schema.Int
}).pipe(withIdentifier("FoundRows", "Found rows."))
export type FoundRows = typeof FoundRows.Type
