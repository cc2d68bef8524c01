import { Roles } from "@headgate/core"
import { roleOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import type { ManagementApi } from "../connect.ts"
import { portOf } from "../portOf.ts"

/** The port `Roles` over a connection, without a layer. */
export const makeHttpRoles = (connection: ManagementApi): Roles["Service"] =>
  portOf<Roles["Service"]>()(roleOperations(connection.dialect), connection, "HttpRoles")

const layer: Layer.Layer<Roles, never, ManagementConnection> = Layer.effect(
  Roles,
  Effect.map(ManagementConnection, makeHttpRoles)
)

/**
 * The `Roles` port over the management API. What a custom role grants is the service's decision: `headgate-server` stores
 * custom roles, and they grant nothing.
 *
 * @example
 * ```ts
 * import { type OrganizationId, Roles } from "@headgate/core"
 * import { HttpRoles } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const customRoles = Effect.fn("customRoles")(
 *   function* (organizationId: OrganizationId) {
 *     const roles = yield* Roles
 *     return (yield* roles.list({ organizationId })).filter(({ type }) => type === "custom")
 *   },
 *   Effect.provide(HttpRoles.layer) // which leaves a `ManagementConnection` to provide
 * )
 * ```
 */
export const HttpRoles = { layer }
