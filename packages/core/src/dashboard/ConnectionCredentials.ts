import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { FailedDependency, type ServerError } from "../error/CallError.ts"
import type { ConnectionId } from "../id/dashboard.ts"
import type { OrganizationId } from "../id/organization.ts"

/** Where a connection leads to, and as whom. */
export interface ConnectionTarget {
  /** The URL of the database, as the caller has written it. */
  readonly host?: string | undefined
  readonly username?: string | undefined
  readonly password?: Redacted.Redacted | undefined
}

/**
 * The port to the stored connections with their passwords, for what queries their databases. No operation answers them.
 *
 * @example
 * ```ts
 * import type { ConnectionId, OrganizationId } from "@headgate/core"
 * import { ConnectionCredentials } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const hasPassword = (organizationId: OrganizationId, connectionId: ConnectionId) =>
 *   ConnectionCredentials.use((credentials) =>
 *     Effect.map(credentials.of(organizationId, connectionId), (target) => target?.password !== undefined)
 *   )
 * ```
 */
export class ConnectionCredentials extends Context.Service<
  ConnectionCredentials,
  {
    /**
     * The target of a connection; `undefined` if the organization has no such one. Fails with `FailedDependency` if its password was
     * damaged in the store.
     */
    readonly of: (
      organizationId: OrganizationId,
      connectionId: ConnectionId
    ) => Effect.Effect<ConnectionTarget | undefined, FailedDependency | ServerError>
  }
>()("@headgate/core/dashboard/ConnectionCredentials") {}

/**
 * The failure of a connection whose stored password does not open.
 *
 * @example
 * ```ts
 * import { ConnectionId } from "@headgate/core"
 * import { damagedPassword } from "@headgate/core/adapter"
 *
 * console.log(damagedPassword(ConnectionId.make("c0000000000000000000000a"))._tag) // FailedDependency
 * ```
 */
export const damagedPassword = (connectionId: ConnectionId): FailedDependency =>
  new FailedDependency({
    message: `the stored password of connection ${connectionId} does not open: replace the connection with its password`
  })
