import { ReversePrivateEndpoints } from "@headgate/core"
import { endpointOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import type { ManagementApi } from "../connect.ts"
import { portOf } from "../portOf.ts"

/** The port `ReversePrivateEndpoints` over a connection, without a layer. */
export const makeHttpReversePrivateEndpoints = (connection: ManagementApi): ReversePrivateEndpoints["Service"] =>
  portOf<ReversePrivateEndpoints["Service"]>()(
    endpointOperations(connection.dialect),
    connection,
    "HttpReversePrivateEndpoints"
  )

const layer: Layer.Layer<ReversePrivateEndpoints, never, ManagementConnection> = Layer.effect(
  ReversePrivateEndpoints,
  Effect.map(ManagementConnection, makeHttpReversePrivateEndpoints)
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
