import { type CallError, type PipeAddress, PipeNotFound, Pipes } from "@headgate/core"
import { pipeOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { ManagementConnection } from "../Connection.ts"
import { operation } from "../Operation.ts"

const reportFields = ["status", "requestId", "method", "path", "attempts"] as const

// What was there a moment ago was perhaps deleted by this very call.
const doubtAboutDelete = ({ attempts = 0, method }: CallError): string =>
  method === "DELETE" && attempts > 1 ? "; an earlier attempt, whose answer was lost, may have deleted it" : ""

const orNotFound = <A>(effect: Effect.Effect<A, CallError>, address: PipeAddress) =>
  Effect.mapError(effect, (error) =>
    error._tag === "UnexpectedResponse" && error.status === 404
      ? new PipeNotFound({
          ...Struct.pick(error, reportFields),
          // What the service said stays: a 404 may also come from a wrong base URL.
          message: `the service has no pipe ${address.pipeId} (${error.message})${doubtAboutDelete(error)}`,
          address
        })
      : error
  )

const layer: Layer.Layer<Pipes, never, ManagementConnection> = Layer.effect(
  Pipes,
  Effect.gen(function* () {
    const connection = yield* ManagementConnection
    const operations = pipeOperations(connection.dialect)
    const read = operation(connection, operations.get)
    const remove = operation(connection, operations.delete)

    return Pipes.of({
      get: Effect.fn("HttpPipes.get")(function* (address) {
        return yield* read(address, undefined)
      }, orNotFound),
      delete: Effect.fn("HttpPipes.delete")(function* (address) {
        return yield* remove(address, undefined)
      }, orNotFound)
    })
  })
)

/**
 * The `Pipes` port over the management API. A pipe of another service or organization is `PipeNotFound`, as the service
 * answers it with 404; where a delete was sent more than once, the message says that an earlier attempt may have done it.
 * Contract: section 4.1 (read) and section 1 (delete).
 *
 * @example
 * ```ts
 * import { HttpPipes, ManagementConnection } from "@headgate/http-adapter"
 * import * as Config from "effect/Config"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 *
 * // From the environment: what is missing or malformed ends the program before its first call.
 * export const layer = Layer.unwrap(
 *   Effect.gen(function* () {
 *     const baseUrl = yield* Config.String("HEADGATE_URL")
 *     const keyId = yield* Config.String("HEADGATE_KEY_ID")
 *     const keySecret = yield* Config.Redacted("HEADGATE_KEY_SECRET")
 *     return Layer.provide(HttpPipes.layer, ManagementConnection.layer({ baseUrl, keyId, keySecret }))
 *   })
 * ).pipe(Layer.provide(FetchHttpClient.layer))
 * ```
 */
export const HttpPipes = { layer }
