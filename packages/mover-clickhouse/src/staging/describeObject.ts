import { ClickHouse, quoteIdentifier } from "@headgate/clickhouse"
import type { ObjectReference } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { KnownSettings } from "../sql/insertSettings.ts"
import { knownSettings } from "../table/describeTable.ts"
import { type InferredColumn, type InferredFields, inferredType } from "../table/inferColumns.ts"
import { SampledRow, sampleRows, samplesOf } from "../table/sampleRows.ts"
import { objectFailure } from "./objectFailure.ts"
import { addressed, objectFunction } from "./objectFunction.ts"
import { objectSettings, recentObjectSettings } from "./objectQuery.ts"

const decodeField = Schema.decodeEffect(
  Schema.fromJsonString(Schema.Struct({ name: Schema.String, type: Schema.String }))
)

const linesOf = (answer: string) => answer.split("\n").filter((line) => line !== "")

/** The fields of an object, for an engine that has these settings. */
export const readFields = Effect.fnUntraced(function* (
  engine: ClickHouse["Service"],
  reference: ObjectReference,
  has: KnownSettings
) {
  const object = yield* addressed(reference)
  const { parameters, sql } = objectFunction(object, "auto")
  const answer = yield* Effect.mapError(
    engine.run(`DESCRIBE TABLE ${sql} ${objectSettings(object, has)} FORMAT JSONEachRow`, parameters, {
      looksAtObject: true
    }),
    objectFailure([object])
  )
  return yield* Effect.orDie(Effect.forEach(linesOf(answer), (line) => decodeField(line)))
})

const sampledRows = 1000

const decodeNulls = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ nulls: Schema.Array(Schema.Int) }))
)

const decodeSample = Schema.decodeUnknownEffect(Schema.fromJsonString(SampledRow))

/**
 * The columns that take the fields of an object, and its first rows, with the types that the engine infers from its first rows. Those that are null
 * in one of its first 1,000 rows, or missing, are optional. Fails with `ObjectRejected` if it is not of its format.
 */
export const describeObject = Effect.fn("describeObject")(function* (reference: ObjectReference) {
  const engine = yield* ClickHouse
  const settings = yield* knownSettings(engine, recentObjectSettings)
  const fields = (yield* readFields(engine, reference, settings)).map(({ name, type }) => ({
    name,
    type: inferredType(type.replace(/^Nullable\(([^]*)\)$/, "$1"), false)
  }))
  const structure = fields.map(({ name, type }) => `${quoteIdentifier(name)} ${inferredType(type, true)}`).join(", ")
  const object = yield* addressed(reference)
  const { parameters, sql } = objectFunction(object, structure)
  // An empty value of CSV is none.
  const readSettings = objectSettings(object, settings, { input_format_csv_empty_as_default: 1 })
  const counts = fields.map(({ name }) => `countIf(isNull(${quoteIdentifier(name)}))`).join(", ")
  const answer = yield* Effect.mapError(
    engine.run(
      `SELECT arrayMap(nulls -> toUInt32(nulls), [${counts}]) AS nulls FROM (SELECT * FROM ${sql} LIMIT ${sampledRows}) ${readSettings} FORMAT JSONEachRow`,
      parameters,
      { looksAtObject: true }
    ),
    objectFailure([object])
  )
  const { nulls } = yield* Effect.orDie(decodeNulls(answer))
  const columns = fields.map(({ name, type }, index): InferredColumn => {
    const isOptional = (nulls[index] ?? 0) > 0
    return { name, type: inferredType(type, isOptional), isOptional }
  })
  const names = fields.map(({ name }) => name)
  const statement = `${samplesOf(names, sql)} ${readSettings} FORMAT JSONEachRow`
  const samples = yield* engine.run(statement, parameters, { looksAtObject: true }).pipe(
    Effect.flatMap((answer) => Effect.forEach(linesOf(answer), (line) => decodeSample(line))),
    Effect.map(sampleRows),
    // The columns are what was asked for.
    Effect.orElseSucceed(() => [])
  )
  const found: InferredFields = { columns, samples }
  return found
})
