import { Services } from "@headgate/core"
import { serviceOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import type { ManagementApi } from "../connect.ts"
import { portOf } from "../portOf.ts"

/** The port `Services` over a connection, without a layer. */
export const makeHttpServices = (connection: ManagementApi): Services["Service"] =>
  portOf<Services["Service"]>()(serviceOperations(connection.dialect), connection, "HttpServices")

const layer: Layer.Layer<Services, never, ManagementConnection> = Layer.effect(
  Services,
  Effect.map(ManagementConnection, makeHttpServices)
)

/**
 * The `Services` port over the management API. A service of another organization is `ServiceNotFound`.
 *
 * @example
 * ```ts
 * import { type ServiceAddress, Services } from "@headgate/core"
 * import { HttpServices } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 *
 * // It leaves a `ManagementConnection` to provide.
 * export const stop = (address: ServiceAddress) =>
 *   Services.use((services) => services.setState(address, { command: "stop" })).pipe(Effect.provide(HttpServices.layer))
 * ```
 */
export const HttpServices = { layer }
