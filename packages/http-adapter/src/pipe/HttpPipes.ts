import { type InvalidRequest, Pipes, type PipeStateChange, type PipeUpdate } from "@headgate/core"
import { pipeOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import { call, callList } from "../call.ts"

/** Whether an earlier attempt, whose answer was lost, has started the pipe. */
const hasStarted = ({ command }: PipeStateChange, { attempts = 0, message }: InvalidRequest): boolean =>
  command === "start" && attempts > 1 && message.includes("is already running")

/** Whether an update adds or removes tables. */
const changesTables = ({ source }: PipeUpdate): boolean =>
  [source?.postgres, source?.mysql, source?.mongodb, source?.bigquery].some(
    (changes) => (changes?.tableMappingsToAdd?.length ?? 0) + (changes?.tableMappingsToRemove?.length ?? 0) > 0
  )

const layer: Layer.Layer<Pipes, never, ManagementConnection> = Layer.effect(
  Pipes,
  Effect.gen(function* () {
    const connection = yield* ManagementConnection
    const operations = pipeOperations(connection.dialect)
    const get = call(connection, operations.get, "HttpPipes.get")
    const setState = call(connection, operations.setState, "HttpPipes.setState")
    // A resync that was repeated would begin again.
    const resync = call(connection, { ...operations.setState, isRepeatable: false }, "HttpPipes.setState")
    const update = call(connection, operations.update, "HttpPipes.update")
    // A repeat of a change of tables, whose answer was lost, would be refused.
    const updateTables = call(connection, { ...operations.update, isRepeatable: false }, "HttpPipes.update")
    return Pipes.of({
      list: callList(connection, operations.list, "HttpPipes.list"),
      get,
      create: call(connection, operations.create, "HttpPipes.create"),
      update: (address, request) => (changesTables(request) ? updateTables : update)(address, request),
      delete: call(connection, operations.delete, "HttpPipes.delete"),
      setState: (address, request) =>
        request.command === "resync"
          ? resync(address, request)
          : Effect.catchTag(setState(address, request), "InvalidRequest", (error) =>
              hasStarted(request, error) ? get(address) : Effect.fail(error)
            ),
      resume: call(connection, operations.resume, "HttpPipes.resume"),
      adopt: call(connection, operations.adopt, "HttpPipes.adopt"),
      scale: call(connection, operations.scale, "HttpPipes.scale"),
      settings: call(connection, operations.settings, "HttpPipes.settings"),
      updateSettings: call(connection, operations.updateSettings, "HttpPipes.updateSettings"),
      discoverSchema: call(connection, operations.discoverSchema, "HttpPipes.discoverSchema"),
      status: call(connection, operations.status, "HttpPipes.status"),
      context: call(connection, operations.context, "HttpPipes.context")
    })
  })
)

/**
 * The `Pipes` port over the management API. A pipe of another service or organization is `PipeNotFound`. If a delete
 * was sent more than once, the message of `PipeNotFound` says that an earlier attempt may have deleted the pipe.
 * Contract: docs/wire-contract.md#read-a-pipe and docs/wire-contract.md#delete-a-pipe.
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
