import { ConsoleSessions } from "@headgate/core/adapter"
import { consoleOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import type { ManagementApi } from "../connect.ts"
import { portOf } from "../portOf.ts"

/** The port `ConsoleSessions` over a connection, without a layer. */
export const makeHttpConsoleSessions = (connection: ManagementApi): ConsoleSessions["Service"] =>
  portOf<ConsoleSessions["Service"]>()(consoleOperations(connection.dialect), connection, "HttpConsoleSessions")

const layer: Layer.Layer<ConsoleSessions, never, ManagementConnection> = Layer.effect(
  ConsoleSessions,
  Effect.map(ManagementConnection, makeHttpConsoleSessions)
)

/**
 * The `ConsoleSessions` port over the management API, for the key of the connection. Only `headgate-server` has the console: elsewhere the
 * calls fail as for a path that is not there.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core"
 * import { ConsoleSessions } from "@headgate/core/adapter"
 * import { HttpConsoleSessions } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 *
 * export const consoleUrl = Effect.fn("consoleUrl")(
 *   function* (organizationId: OrganizationId, baseUrl: string) {
 *     const { code } = yield* ConsoleSessions.use((sessions) => sessions.createCode({ organizationId }))
 *     return `${baseUrl}/console#code=${Redacted.value(code)}`
 *   },
 *   Effect.provide(HttpConsoleSessions.layer) // which leaves a `ManagementConnection` to provide
 * )
 * ```
 */
export const HttpConsoleSessions = { layer }
