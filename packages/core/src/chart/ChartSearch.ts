import * as Schema from "effect/Schema"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"

/**
 * The request for rows of a source, as today's service takes it: `chartSchemas.ChartSearch` has its fields. They are checked by the port,
 * with the texts of the service.
 */
export const ChartSearch = looseStruct({}).pipe(withIdentifier("ChartSearch", "The request for rows of a source."))
export type ChartSearch = typeof ChartSearch.Type

/** Found rows, each an object with the selected columns, and how many they are. */
export const FoundRows = looseStruct({
  data: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)).annotate({
    description: "The rows, each an object with the selected columns."
  }),
  rows: Schema.Int.annotate({ description: "How many rows were found, at most `maxResults`." })
}).pipe(withIdentifier("FoundRows", "Found rows."))
export type FoundRows = typeof FoundRows.Type
