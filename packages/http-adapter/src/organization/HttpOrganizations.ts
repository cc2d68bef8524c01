import { Organizations } from "@headgate/core"
import { organizationOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import type { ManagementApi } from "../connect.ts"
import { portOf } from "../portOf.ts"

/** The port `Organizations` over a connection, without a layer. */
export const makeHttpOrganizations = (connection: ManagementApi): Organizations["Service"] =>
  portOf<Organizations["Service"]>()(organizationOperations(connection.dialect), connection, "HttpOrganizations")

const layer: Layer.Layer<Organizations, never, ManagementConnection> = Layer.effect(
  Organizations,
  Effect.map(ManagementConnection, makeHttpOrganizations)
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
