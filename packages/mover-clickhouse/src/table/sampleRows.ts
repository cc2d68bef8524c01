import { quoteIdentifier } from "@headgate/clickhouse"
import * as Schema from "effect/Schema"

/** A row of a source, a text or null for each of its columns. */
export type SampleRow = ReadonlyArray<string | null>

/** How many rows are shown, and how many characters of a value. */
const limits = { rows: 20, characters: 1024 }

/** The name of the only column of {@link samplesOf}. */
const column = "headgate_sample"

/** A row of {@link samplesOf}. */
export const SampledRow = Schema.Struct({ [column]: Schema.Array(Schema.NullOr(Schema.String)) })

/**
 * The statement that reads the first rows of `from`: the values of these columns as texts, as the engine writes them. Bytes that are no
 * UTF-8 are replaced, and of a long value its beginning is followed by an ellipsis.
 */
export const samplesOf = (names: ReadonlyArray<string>, from: string): string => {
  const { characters, rows } = limits
  const texts = names.map((name) => `toValidUTF8(toString(${quoteIdentifier(name)}))`).join(", ")
  const cut = `value -> if(lengthUTF8(value) > ${characters}, concat(substringUTF8(value, 1, ${characters}), '…'), value)`
  return `SELECT arrayMap(${cut}, [${texts}]) AS ${column} FROM (SELECT * FROM ${from} LIMIT ${rows})`
}

/** The rows of an answer to {@link samplesOf}. */
export const sampleRows = (found: ReadonlyArray<typeof SampledRow.Type>): ReadonlyArray<SampleRow> =>
  found.map((row) => row[column])
