import { type ObjectReference, ObjectRejected } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ClickHouse } from "../connection/ClickHouse.ts"
import { EngineFailure, warehouseFailure } from "../connection/EngineFailure.ts"
import { quoteIdentifier } from "../sql/quote.ts"
import type { KnownSettings } from "../sql/insertSettings.ts"
import { knownSettings } from "../table/describeTable.ts"
import { type InferredColumn, inferredType } from "../table/inferColumns.ts"
import {
  objectFunction,
  objectRefusal,
  objectSettings,
  recentObjectSettings,
  redactKey,
  unreadableReason
} from "./objectQuery.ts"

const decodeField = Schema.decodeEffect(
  Schema.fromJsonString(Schema.Struct({ name: Schema.String, type: Schema.String }))
)

/** What a failure to read an object is: the object, or the warehouse. */
export const objectFailure = (object: ObjectReference) => (error: EngineFailure) => {
  const failure = new EngineFailure({ code: error.code, message: redactKey(object, error.message) })
  const reason = unreadableReason(failure)
  return reason === undefined ? warehouseFailure(failure) : new ObjectRejected({ reason })
}

/** The fields of an object, for an engine that has these settings. */
export const readFields = Effect.fnUntraced(function* (
  engine: ClickHouse["Service"],
  object: ObjectReference,
  has: KnownSettings
) {
  const { parameters, sql } = objectFunction(object, "auto")
  const answer = yield* Effect.mapError(
    engine.run(`DESCRIBE TABLE ${sql} ${objectSettings(object, has)} FORMAT JSONEachRow`, parameters, {
      looksAtObject: true
    }),
    objectFailure(object)
  )
  const lines = answer.split("\n").filter((line) => line !== "")
  return yield* Effect.orDie(Effect.forEach(lines, (line) => decodeField(line)))
})

const sampledRows = 1000

const decodeNulls = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ nulls: Schema.Array(Schema.Int) }))
)

/**
 * The columns that take the fields of an object, with the types that the engine infers from its first rows. Those that are null
 * in one of its first 1,000 rows, or missing, are optional. Fails with `ObjectRejected` if it is not of its format.
 */
export const describeObject = Effect.fn("describeObject")(function* (object: ObjectReference) {
  const engine = yield* ClickHouse
  const refusal = objectRefusal(object)
  if (refusal !== undefined) return yield* new ObjectRejected({ reason: refusal })
  const settings = yield* knownSettings(engine, recentObjectSettings)
  const fields = (yield* readFields(engine, object, settings)).map(({ name, type }) => ({
    name,
    type: inferredType(type.replace(/^Nullable\(([^]*)\)$/, "$1"), false)
  }))
  const structure = fields.map(({ name, type }) => `${quoteIdentifier(name)} ${inferredType(type, true)}`).join(", ")
  const { parameters, sql } = objectFunction(object, structure)
  const counts = fields.map(({ name }) => `countIf(isNull(${quoteIdentifier(name)}))`).join(", ")
  const answer = yield* Effect.mapError(
    engine.run(
      `SELECT arrayMap(nulls -> toUInt32(nulls), [${counts}]) AS nulls FROM (SELECT * FROM ${sql} LIMIT ${sampledRows}) ${objectSettings(object, settings)} FORMAT JSONEachRow`,
      parameters,
      { looksAtObject: true }
    ),
    objectFailure(object)
  )
  const { nulls } = yield* Effect.orDie(decodeNulls(answer))
  return fields.map(({ name, type }, index): InferredColumn => {
    const isOptional = (nulls[index] ?? 0) > 0
    return { name, type: inferredType(type, isOptional), isOptional }
  })
})
