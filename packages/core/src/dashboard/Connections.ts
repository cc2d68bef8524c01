import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { OrganizationId } from "../id/organization.ts"
import type { ConnectionNotFound } from "../error/NotFound.ts"
import { secretText } from "../schema/fieldSchemas.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { ConnectionId } from "../id/dashboard.ts"
import { boundedText } from "./documentFields.ts"
import type { OwnedDocuments } from "./OwnedDocuments.ts"

const fields = {
  username: nullish(Schema.String, "The name of the user."),
  hyperdxSettingPrefix: nullish(Schema.String, "The prefix of the settings that queries send."),
  prometheusEndpoint: nullish(Schema.String, "The URL of the Prometheus API of the database.")
}

/**
 * A connection of dashboards to a database, as the service answers it: without its password. Unknown fields are kept.
 * Contract: docs/wire-contract.md#connections-and-data-sources.
 */
export const Connection = looseStruct({
  id: ConnectionId,
  name: Schema.String.annotate({ description: "The name of the connection." }),
  host: nullish(Schema.String, "The URL of the database."),
  ...fields
}).pipe(withIdentifier("Connection", "A connection of dashboards to a database."))
export type Connection = typeof Connection.Type

/**
 * The request for a new connection, and to replace one. `password` is write-only. In a request to replace a connection, a
 * `password`, `hyperdxSettingPrefix` or `prometheusEndpoint` that is absent stays and `null` removes it. Contract:
 * docs/wire-contract.md#connections-and-data-sources.
 *
 * @example
 * ```ts
 * import type { ConnectionCreate } from "@headgate/core"
 * import * as Redacted from "effect/Redacted"
 *
 * export const request: ConnectionCreate = {
 *   name: "production",
 *   host: "https://db.example.com:8443",
 *   username: "dashboards",
 *   password: Redacted.make("secret")
 * }
 * ```
 */
export const ConnectionCreate = looseStruct({
  name: boundedText(255, "The name of the connection"),
  host: boundedText(2048, "The URL of the database").check(
    Schema.isPattern(/^(?![a-z][a-z0-9+.-]*:\/\/[^/?#]*@)/iu, {
      message: "Expected a URL without user information: use username and password"
    })
  ),
  password: nullish(secretText("password"), "The password of the user: at most 4096 characters. Write-only."),
  ...fields
}).pipe(withIdentifier("ConnectionCreate", "The request for a connection."))
export type ConnectionCreate = typeof ConnectionCreate.Type

/**
 * The port to the connections of one organization. The layer decides which one, as a bearer token does over HTTP.
 * Contract: docs/wire-contract.md#connections-and-data-sources.
 *
 * @example
 * ```ts
 * import { type ConnectionCreate, Connections } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // Creates a connection unless one with this name exists.
 * export const ensure = Effect.fn("ensure")(function* (request: ConnectionCreate) {
 *   const connections = yield* Connections
 *   const existing = (yield* connections.list()).find(({ name }) => name === request.name)
 *   return existing ?? (yield* connections.create(request))
 * })
 * ```
 */
export class Connections extends Context.Service<
  Connections,
  OwnedDocuments<{ readonly connectionId: ConnectionId }, ConnectionCreate, Connection, ConnectionNotFound>
>()("@headgate/core/dashboard/Connections") {}

/**
 * The port to the connections of every organization in a store, as `OrganizationDashboards` is for dashboards.
 *
 * @example
 * ```ts
 * import { OrganizationConnections, type TokenPrincipal } from "@headgate/core/adapter"
 *
 * export const listFor = (caller: TokenPrincipal) =>
 *   OrganizationConnections.use((connections) => connections.of(caller.organizationId).list())
 * ```
 */
export class OrganizationConnections extends Context.Service<
  OrganizationConnections,
  {
    /** The `Connections` port of one organization. Nothing is read until a method is called. */
    readonly of: (organizationId: OrganizationId) => Connections["Service"]
  }
>()("@headgate/core/dashboard/OrganizationConnections") {}
