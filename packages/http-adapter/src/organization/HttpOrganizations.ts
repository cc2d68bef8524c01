import { Organizations } from "@headgate/core"
import { organizationOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import { call, callList } from "../call.ts"

const layer: Layer.Layer<Organizations, never, ManagementConnection> = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const connection = yield* ManagementConnection
    const operations = organizationOperations(connection.dialect)
    const list = callList(connection, operations.list, "HttpOrganizations.list")
    const whoami = call(connection, operations.whoami, "HttpOrganizations.whoami")
    return Organizations.of({
      list: () => list({}),
      get: call(connection, operations.get, "HttpOrganizations.get"),
      whoami: () => whoami({})
    })
  })
)

/**
 * The `Organizations` port over the management API: `list` returns the organization of the key.
 *
 * @example
 * ```ts
 * import { Organizations } from "@headgate/core"
 * import { HttpOrganizations } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 *
 * // It leaves a `ManagementConnection` to provide.
 * export const whoami = Organizations.use((organizations) => organizations.whoami()).pipe(
 *   Effect.provide(HttpOrganizations.layer)
 * )
 * ```
 */
export const HttpOrganizations = { layer }
