import { type ObjectReference, ObjectRejected } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ClickHouse } from "../connection/ClickHouse.ts"
import { EngineFailure, warehouseFailure } from "../connection/EngineFailure.ts"
import { knownSettings } from "../table/describeTable.ts"
import { objectRefusal } from "./checkObject.ts"
import { isUnreadable, objectFunction, objectSettings, recentObjectSettings, redactKey } from "./objectQuery.ts"

const decodeField = Schema.decodeEffect(
  Schema.fromJsonString(Schema.Struct({ name: Schema.String, type: Schema.String }))
)

/**
 * The fields of an object and the types of the columns that take them, as the engine infers them from its first rows. Fails
 * with `ObjectRejected` if it is not of its format.
 */
export const describeObject = Effect.fn("describeObject")(function* (object: ObjectReference) {
  const engine = yield* ClickHouse
  const refusal = objectRefusal(object)
  if (refusal !== undefined) return yield* new ObjectRejected({ reason: refusal })
  const settings = objectSettings(object, yield* knownSettings(engine, recentObjectSettings))
  const { parameters, sql } = objectFunction(object, "auto")
  const rejected = ({ code, message }: EngineFailure) => {
    const failure = new EngineFailure({ code, message: redactKey(object, message) })
    return isUnreadable(failure) ? new ObjectRejected({ reason: failure.message }) : warehouseFailure(failure)
  }
  const answer = yield* Effect.mapError(
    engine.run(`DESCRIBE TABLE ${sql} ${settings} FORMAT JSONEachRow`, parameters),
    rejected
  )
  const lines = answer.split("\n").filter((line) => line !== "")
  return yield* Effect.orDie(Effect.forEach(lines, (line) => decodeField(line)))
})
