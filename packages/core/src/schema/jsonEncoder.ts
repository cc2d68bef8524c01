import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { fastEncoder } from "./FastDecoder.ts"

/**
 * Writes values of a schema as JSON, as `Schema.encodeEffect(Schema.fromJsonString(schema))` does, but without Effect's
 * interpreter: for a server, whose answers are such values. Unknown fields keep their place. Dies if the schema does not
 * allow the value.
 *
 * @example
 * ```ts
 * import { Dashboard, DashboardId } from "@headgate/core"
 * import { jsonEncoder } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * const write = jsonEncoder(Dashboard)
 * const dashboard = Dashboard.make({ id: DashboardId.make("66d6f9c8a1b2c3d4e5f60718"), name: "Errors" })
 * console.log(Effect.runSync(write(dashboard))) // {"id":"66d6f9c8a1b2c3d4e5f60718","name":"Errors"}
 * ```
 */
export const jsonEncoder = <A>(schema: Schema.Codec<A, unknown>) => {
  const encode = fastEncoder(schema)
  const interpret = Schema.encodeUnknownEffect(Schema.fromJsonString(schema))
  return (value: unknown): Effect.Effect<string> => {
    const encoded = encode(value)
    return encoded === undefined ? Effect.orDie(interpret(value)) : Effect.succeed(JSON.stringify(encoded))
  }
}
