import { type ClickHouse, quoteString } from "@headgate/clickhouse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { query } from "./describeTable.ts"
import { type SampleRow, SampledRow, sampleRows, samplesOf } from "./sampleRows.ts"

/** A column that takes a field of sampled rows. */
export interface InferredColumn {
  readonly name: string
  /** As the engine writes it. */
  readonly type: string
  /** Whether some row has null in the field, or lacks it. */
  readonly isOptional: boolean
}

/** The columns that take the fields of a source, and its first rows: a text or null for each column. */
export interface InferredFields {
  readonly columns: ReadonlyArray<InferredColumn>
  /** Empty if the engine cannot show them. */
  readonly samples: ReadonlyArray<SampleRow>
}

// The parser of statements reads 256 KiB, and quotes and backslashes are escaped.
const longestSample = 100 * 1024

const DescribedRow = Schema.Struct({ name: Schema.String, type: Schema.String })
const parseRow = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
const decoder = new TextDecoder()

const takesNull = (type: string): boolean =>
  !/^(Array|Map|Tuple|Nested|Nullable|LowCardinality|JSON|Object|Dynamic|Variant)\b/.test(type)

/** The type of a column that takes null if it is to and can. The engine writes some types in several lines. */
export const inferredType = (type: string, isOptional: boolean): string => {
  const bare = type.replaceAll(/\n\s*/g, " ").replaceAll("( ", "(")
  return isOptional && takesNull(bare) ? `Nullable(${bare})` : bare
}

/** The first of some rows as they would stand in their columns. */
const readSamples = (engine: ClickHouse["Service"], sample: string, names: ReadonlyArray<string>) =>
  query(
    engine,
    SampledRow,
    `${samplesOf(names, `format(JSONEachRow, ${sample})`)} SETTINGS schema_inference_make_columns_nullable = 1`
  ).pipe(
    Effect.map(sampleRows),
    // The columns are what was asked for.
    Effect.orElseSucceed(() => [])
  )

/**
 * The columns that take the fields of these rows, and the first of these rows, in the order of the fields, with the types that the engine finds. Rows that are
 * not one JSON object are left out, and so are rows beyond 100 KiB.
 */
export const inferColumns = Effect.fn("inferColumns")(function* (
  engine: ClickHouse["Service"],
  rows: ReadonlyArray<Uint8Array>
) {
  const parsed: Array<{ readonly text: string; readonly fields: { readonly [name: string]: unknown } }> = []
  let length = 0
  for (const row of rows) {
    const text = decoder.decode(row)
    const fields = Option.getOrUndefined(parseRow(text))
    if (fields === undefined) continue
    length += quoteString(text).length
    if (length > longestSample) break
    parsed.push({ text: text.replaceAll("\n", " "), fields })
  }
  if (parsed.length === 0) return { columns: [], samples: [] }
  const sample = quoteString(parsed.map(({ text }) => text).join("\n"))
  const described = yield* query(
    engine,
    DescribedRow,
    `DESCRIBE TABLE format(JSONEachRow, ${sample}) SETTINGS schema_inference_make_columns_nullable = 0`
  )
  const columns = described.map(({ name, type }): InferredColumn => {
    const isOptional = parsed.some(({ fields }) => fields[name] === null || !Object.hasOwn(fields, name))
    return { name, type: inferredType(type, isOptional), isOptional }
  })
  const names = columns.map(({ name }) => name)
  const found: InferredFields = { columns, samples: yield* readSamples(engine, sample, names) }
  return found
})
