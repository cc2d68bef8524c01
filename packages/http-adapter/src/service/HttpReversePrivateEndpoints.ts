import { ReversePrivateEndpoints } from "@headgate/core"
import { endpointOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import { call, callList } from "../call.ts"

const layer: Layer.Layer<ReversePrivateEndpoints, never, ManagementConnection> = Layer.effect(
  ReversePrivateEndpoints,
  Effect.gen(function* () {
    const connection = yield* ManagementConnection
    const operations = endpointOperations(connection.dialect)
    return ReversePrivateEndpoints.of({
      list: callList(connection, operations.list, "HttpReversePrivateEndpoints.list"),
      get: call(connection, operations.get, "HttpReversePrivateEndpoints.get"),
      create: call(connection, operations.create, "HttpReversePrivateEndpoints.create"),
      update: call(connection, operations.update, "HttpReversePrivateEndpoints.update"),
      delete: call(connection, operations.delete, "HttpReversePrivateEndpoints.delete")
    })
  })
)

/**
 * The `ReversePrivateEndpoints` port over the management API.
 *
 * @example
 * ```ts
 * import { ReversePrivateEndpoints, type ServiceAddress } from "@headgate/core"
 * import { HttpReversePrivateEndpoints } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 *
 * // It leaves a `ManagementConnection` to provide.
 * export const list = (address: ServiceAddress) =>
 *   ReversePrivateEndpoints.use((endpoints) => endpoints.list(address)).pipe(
 *     Effect.provide(HttpReversePrivateEndpoints.layer)
 *   )
 * ```
 */
export const HttpReversePrivateEndpoints = { layer }
