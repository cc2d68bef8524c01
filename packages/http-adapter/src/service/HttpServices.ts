import { Services } from "@headgate/core"
import { serviceOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import { call, callList } from "../call.ts"

const layer: Layer.Layer<Services, never, ManagementConnection> = Layer.effect(
  Services,
  Effect.gen(function* () {
    const connection = yield* ManagementConnection
    const operations = serviceOperations(connection.dialect)
    return Services.of({
      list: callList(connection, operations.list, "HttpServices.list"),
      get: call(connection, operations.get, "HttpServices.get"),
      setState: call(connection, operations.setState, "HttpServices.setState")
    })
  })
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
