import { Pipes } from "@headgate/core"
import { pipeOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import { call, callList } from "../call.ts"

const layer: Layer.Layer<Pipes, never, ManagementConnection> = Layer.effect(
  Pipes,
  Effect.gen(function* () {
    const connection = yield* ManagementConnection
    const operations = pipeOperations(connection.dialect)
    return Pipes.of({
      list: callList(connection, operations.list, "HttpPipes.list"),
      get: call(connection, operations.get, "HttpPipes.get"),
      delete: call(connection, operations.delete, "HttpPipes.delete")
    })
  })
)

/**
 * The `Pipes` port over the management API. A pipe of another service or organization is `PipeNotFound`. If a delete was
 * sent more than once, the message of `PipeNotFound` says that an earlier attempt may have deleted the pipe. Contract:
 * section 4.1 (read) and section 1 (delete).
 *
 * @example
 * ```ts
 * import { HttpPipes, ManagementConnection } from "@headgate/http-adapter"
 * import * as Config from "effect/Config"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 *
 * // From the environment: the layer fails if a variable is missing or malformed.
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
