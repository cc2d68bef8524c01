import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ServerError } from "../error/CallError.ts"
import type { OrganizationId } from "../id/organization.ts"
import type { Connection } from "./Connections.ts"

/**
 * The connections that an organization has without having created them: those to the warehouses of its server. They are not stored.
 * Adapters read it in each call that checks the references of a dashboard. None by default.
 *
 * @example
 * ```ts
 * import { type Connection, ConnectionId } from "@headgate/core"
 * import { BuiltInConnections } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const warehouse: Connection = { id: ConnectionId.make("c0000000000000000000000a"), name: "warehouse" }
 * export const layer = Layer.succeed(BuiltInConnections, () => Effect.succeed([warehouse]))
 * ```
 */
export const BuiltInConnections = Context.Reference<
  (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Connection>, ServerError>
>("@headgate/core/dashboard/BuiltInConnections", { defaultValue: () => () => Effect.succeed([]) })

/**
 * Those of these ids that are built-in connections of an organization. Nothing is read for no id.
 *
 * @example
 * ```ts
 * import { OrganizationId } from "@headgate/core"
 * import { builtInIds } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * const id = OrganizationId.make("4f9c2b1e-0000-4000-8000-000000000001")
 * console.log(await Effect.runPromise(builtInIds(id, ["c0000000000000000000000a"]))) // []
 * ```
 */
export const builtInIds = Effect.fnUntraced(function* (organizationId: OrganizationId, ids: ReadonlyArray<string>) {
  if (ids.length === 0) return []
  const builtInOf = yield* BuiltInConnections
  const builtIn = yield* builtInOf(organizationId)
  return builtIn.flatMap(({ id }) => (ids.includes(id) ? [id] : []))
})
