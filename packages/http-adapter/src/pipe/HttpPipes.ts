import { type InvalidRequest, Pipes, type PipeStateChange, type PipeUpdate } from "@headgate/core"
import { pipeOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import type { ManagementApi } from "../connect.ts"
import { portOf } from "../portOf.ts"

/** Whether an earlier attempt, whose answer was lost, has started the pipe. */
const hasStarted = ({ command }: PipeStateChange, { attempts = 0, message }: InvalidRequest): boolean =>
  command === "start" && attempts > 1 && message.includes("is already running")

/** Whether an update adds or removes tables. */
const changesTables = ({ source }: PipeUpdate): boolean =>
  [source?.postgres, source?.mysql, source?.mongodb, source?.bigquery].some(
    (changes) => (changes?.tableMappingsToAdd?.length ?? 0) + (changes?.tableMappingsToRemove?.length ?? 0) > 0
  )

/** The port `Pipes` over a connection, without a layer. */
export const makeHttpPipes = (connection: ManagementApi): Pipes["Service"] => {
  const table = pipeOperations(connection.dialect)
  const pipes = portOf<Pipes["Service"]>()(table, connection, "HttpPipes")
  // A repeat of a change of tables, whose answer was lost, would be refused. A resync that was repeated would begin again.
  const once = portOf<Pick<Pipes["Service"], "setState" | "update">>()(
    { setState: { ...table.setState, isRepeatable: false }, update: { ...table.update, isRepeatable: false } },
    connection,
    "HttpPipes"
  )
  return {
    ...pipes,
    update: (address, request) => (changesTables(request) ? once : pipes).update(address, request),
    setState: (address, request) =>
      request.command === "resync"
        ? once.setState(address, request)
        : Effect.catchTag(pipes.setState(address, request), "InvalidRequest", (error) =>
            hasStarted(request, error) ? pipes.get(address) : Effect.fail(error)
          )
  }
}

const layer: Layer.Layer<Pipes, never, ManagementConnection> = Layer.effect(
  Pipes,
  Effect.map(ManagementConnection, makeHttpPipes)
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
