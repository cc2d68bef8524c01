import { type ObjectReference, ObjectRejected } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ClickHouse } from "../connection/ClickHouse.ts"
import { EngineFailure, warehouseFailure } from "../connection/EngineFailure.ts"
import { knownSettings } from "../table/describeTable.ts"
import { objectRefusal } from "./checkObject.ts"
import { objectFunction, objectSettings, recentObjectSettings, redactKey, unreadableReason } from "./objectQuery.ts"

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
  has: ReadonlySet<string>
) {
  const { parameters, sql } = objectFunction(object, "auto")
  const answer = yield* Effect.mapError(
    engine.run(`DESCRIBE TABLE ${sql} ${objectSettings(object, has)} FORMAT JSONEachRow`, parameters),
    objectFailure(object)
  )
  const lines = answer.split("\n").filter((line) => line !== "")
  return yield* Effect.orDie(Effect.forEach(lines, (line) => decodeField(line)))
})

/**
 * The fields of an object and the types of the columns that take them, as the engine infers them from its first rows. Fails
 * with `ObjectRejected` if it is not of its format.
 */
export const describeObject = Effect.fn("describeObject")(function* (object: ObjectReference) {
  const engine = yield* ClickHouse
  const refusal = objectRefusal(object)
  if (refusal !== undefined) return yield* new ObjectRejected({ reason: refusal })
  return yield* readFields(engine, object, yield* knownSettings(engine, recentObjectSettings))
})
