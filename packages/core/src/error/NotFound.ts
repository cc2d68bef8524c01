import * as Schema from "effect/Schema"
import { OrganizationId, TokenId } from "../access/ids.ts"
import { AlertId, ConnectionId, DashboardId, SavedSearchId, SourceId, WebhookId } from "../dashboard/ids.ts"
import { ApiKeyId, RoleId } from "../key/ids.ts"
import { PipeAddress, ServiceAddress } from "../pipe/ids.ts"
import { ReversePrivateEndpointAddress } from "../service/ids.ts"
import { CallError, callFields, Forbidden } from "./CallError.ts"

/**
 * The service has no pipe at `address` (HTTP 404). The same error stands for a pipe of another organization.
 *
 * @example
 * ```ts
 * import { type PipeAddress, Pipes } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // Deletes a pipe if it exists, and returns whether it did.
 * export const deleteIfExists = (address: PipeAddress) =>
 *   Pipes.use((pipes) => pipes.delete(address)).pipe(
 *     Effect.as(true),
 *     Effect.catchTag("PipeNotFound", () => Effect.succeed(false))
 *   )
 * ```
 */
export class PipeNotFound extends Schema.TaggedError<PipeNotFound>("@headgate/core/pipe/PipeNotFound")("PipeNotFound", {
  ...callFields,
  address: PipeAddress
}) {}

/** The organization has no service at `address` (HTTP 404). The same error stands for a service of another one. */
export class ServiceNotFound extends Schema.TaggedError<ServiceNotFound>("@headgate/core/pipe/ServiceNotFound")(
  "ServiceNotFound",
  { ...callFields, address: ServiceAddress }
) {}

/** There is no organization with this id (HTTP 404). */
export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>(
  "@headgate/core/organization/OrganizationNotFound"
)("OrganizationNotFound", { ...callFields, organizationId: OrganizationId }) {}

/** The service has no such reverse private endpoint (HTTP 404). */
export class ReversePrivateEndpointNotFound extends Schema.TaggedError<ReversePrivateEndpointNotFound>(
  "@headgate/core/service/ReversePrivateEndpointNotFound"
)("ReversePrivateEndpointNotFound", { ...callFields, address: ReversePrivateEndpointAddress }) {}

/** The organization has no such API key (HTTP 404). The same error stands for a key of another organization. */
export class KeyNotFound extends Schema.TaggedError<KeyNotFound>("@headgate/core/key/KeyNotFound")("KeyNotFound", {
  ...callFields,
  organizationId: OrganizationId,
  keyId: ApiKeyId
}) {}

/** There is no such dashboard (HTTP 404). The same error stands for a dashboard of another organization. */
export class DashboardNotFound extends Schema.TaggedError<DashboardNotFound>(
  "@headgate/core/dashboard/DashboardNotFound"
)("DashboardNotFound", { ...callFields, dashboardId: DashboardId }) {}
/** The organization has no such role (HTTP 404). The same error stands for a role of another organization. */
export class RoleNotFound extends Schema.TaggedError<RoleNotFound>("@headgate/core/key/RoleNotFound")("RoleNotFound", {
  ...callFields,
  organizationId: OrganizationId,
  roleId: RoleId
}) {}

/** The organization has no such connection of dashboards (HTTP 404). */
export class ConnectionNotFound extends Schema.TaggedError<ConnectionNotFound>(
  "@headgate/core/dashboard/ConnectionNotFound"
)("ConnectionNotFound", { ...callFields, connectionId: ConnectionId }) {}

/** The organization has no such data source of dashboards (HTTP 404). */
export class SourceNotFound extends Schema.TaggedError<SourceNotFound>("@headgate/core/dashboard/SourceNotFound")(
  "SourceNotFound",
  { ...callFields, sourceId: SourceId }
) {}

/** The organization has no such saved search (HTTP 404). */
export class SavedSearchNotFound extends Schema.TaggedError<SavedSearchNotFound>(
  "@headgate/core/dashboard/SavedSearchNotFound"
)("SavedSearchNotFound", { ...callFields, savedSearchId: SavedSearchId }) {}

/** The organization has no such webhook (HTTP 404). */
export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>("@headgate/core/dashboard/WebhookNotFound")(
  "WebhookNotFound",
  { ...callFields, webhookId: WebhookId }
) {}

/** The organization has no such alert (HTTP 404). */
export class AlertNotFound extends Schema.TaggedError<AlertNotFound>("@headgate/core/dashboard/AlertNotFound")(
  "AlertNotFound",
  { ...callFields, alertId: AlertId }
) {}

/** The organization has no such bearer token. */
export class TokenNotFound extends Schema.TaggedError<TokenNotFound>("@headgate/core/access/TokenNotFound")(
  "TokenNotFound",
  { ...callFields, organizationId: OrganizationId, tokenId: TokenId }
) {}

/** The "not found" errors, one tag for each noun. */
export const NotFound = Schema.Union([
  OrganizationNotFound,
  ServiceNotFound,
  ReversePrivateEndpointNotFound,
  PipeNotFound,
  KeyNotFound,
  DashboardNotFound,
  ConnectionNotFound,
  SourceNotFound,
  SavedSearchNotFound,
  WebhookNotFound,
  AlertNotFound,
  RoleNotFound,
  TokenNotFound
])
/** One of the "not found" errors. */
export type NotFound = typeof NotFound.Type

/**
 * Every error that a port may fail with: {@link CallError} and {@link NotFound}. Code that handles all errors (the
 * status codes of a server, the exit codes of a CLI) is total over this type, so that a new error does not compile until
 * it is handled.
 *
 * @example
 * ```ts
 * import type { PortError } from "@headgate/core"
 *
 * export const isRetryable = ({ _tag }: PortError): boolean =>
 *   _tag === "RateLimited" || _tag === "ServerError" || _tag === "ConnectionError" || _tag === "TimeoutError"
 * ```
 */
export const PortError = Schema.Union([...CallError.members, ...NotFound.members])
/** Every error that a port may fail with. */
export type PortError = typeof PortError.Type

/**
 * The error of a store whose organization has no such service. Every adapter uses it, so that all say the same.
 *
 * @example
 * ```ts
 * import type { ServiceAddress, ServiceId } from "@headgate/core"
 * import { serviceNotFound } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // The check of a list: an unknown service is an error, not an empty list.
 * export const requireService = (services: ReadonlySet<ServiceId>) => (address: ServiceAddress) =>
 *   services.has(address.serviceId) ? Effect.void : Effect.fail(serviceNotFound(address))
 * ```
 */
export const serviceNotFound = (address: ServiceAddress): ServiceNotFound =>
  new ServiceNotFound({ message: `the organization has no service ${address.serviceId}`, address })

/**
 * Makes the error of a store that has no organization with this id, with the message that all adapters share.
 *
 * @example
 * ```ts
 * import type { Organization, OrganizationId } from "@headgate/core"
 * import { organizationNotFound } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const find = (organizations: ReadonlyMap<OrganizationId, Organization>, id: OrganizationId) => {
 *   const organization = organizations.get(id)
 *   return organization === undefined ? Effect.fail(organizationNotFound(id)) : Effect.succeed(organization)
 * }
 * ```
 */
export const organizationNotFound = (organizationId: OrganizationId): OrganizationNotFound =>
  new OrganizationNotFound({ message: `there is no organization ${organizationId}`, organizationId })

/**
 * Makes the error of a creation in an organization that the store does not have, with the message that all adapters share: it was
 * removed after the credentials of the call were verified.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core"
 * import { noOrganization } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // Before a creation, in its transaction.
 * export const require = (organizations: ReadonlySet<OrganizationId>, id: OrganizationId) =>
 *   organizations.has(id) ? Effect.void : Effect.fail(noOrganization(id))
 * ```
 */
export const noOrganization = (organizationId: OrganizationId): Forbidden =>
  new Forbidden({ message: `there is no organization ${organizationId}` })

/**
 * Makes the error of a store that has no endpoint at this address, with the message that all adapters share.
 *
 * @example
 * ```ts
 * import type { ReversePrivateEndpoint, ReversePrivateEndpointAddress } from "@headgate/core"
 * import { endpointNotFound } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const orNotFound = (address: ReversePrivateEndpointAddress, endpoint: ReversePrivateEndpoint | undefined) =>
 *   endpoint === undefined ? Effect.fail(endpointNotFound(address)) : Effect.succeed(endpoint)
 * ```
 */
export const endpointNotFound = (address: ReversePrivateEndpointAddress): ReversePrivateEndpointNotFound =>
  new ReversePrivateEndpointNotFound({
    message: `the service has no reverse private endpoint ${address.reversePrivateEndpointId}`,
    address
  })

/** Makes the error of a store that has no pipe at this address, with the message that all adapters share. */
export const pipeNotFound = (address: PipeAddress): PipeNotFound =>
  new PipeNotFound({ message: `the service has no pipe ${address.pipeId}`, address })

/**
 * Makes the error of a store whose organization has no such API key, with the message that all adapters share.
 *
 * @example
 * ```ts
 * import type { ApiKey, ApiKeyId, OrganizationId } from "@headgate/core"
 * import { keyNotFound } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const findKey = (keys: ReadonlyMap<ApiKeyId, ApiKey>, organizationId: OrganizationId, id: ApiKeyId) => {
 *   const key = keys.get(id)
 *   return key === undefined ? Effect.fail(keyNotFound(organizationId, id)) : Effect.succeed(key)
 * }
 * ```
 */
export const keyNotFound = (organizationId: OrganizationId, keyId: ApiKeyId): KeyNotFound =>
  new KeyNotFound({ message: `the organization has no API key ${keyId}`, organizationId, keyId })

/** Makes the error of a store whose organization has no such role, with the message that all adapters share. */
export const roleNotFound = (organizationId: OrganizationId, roleId: RoleId): RoleNotFound =>
  new RoleNotFound({ message: `the organization has no role ${roleId}`, organizationId, roleId })

/**
 * Makes the error of a store whose organization has no such dashboard, with the message that all adapters share.
 *
 * @example
 * ```ts
 * import type { Dashboard, DashboardId } from "@headgate/core"
 * import { dashboardNotFound } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const findDashboard = (dashboards: ReadonlyMap<DashboardId, Dashboard>, id: DashboardId) => {
 *   const dashboard = dashboards.get(id)
 *   return dashboard === undefined ? Effect.fail(dashboardNotFound(id)) : Effect.succeed(dashboard)
 * }
 * ```
 */
export const dashboardNotFound = (dashboardId: DashboardId): DashboardNotFound =>
  new DashboardNotFound({ message: `the organization has no dashboard ${dashboardId}`, dashboardId })

/**
 * Makes the error of a store whose organization has no such connection, with the message that all adapters share.
 *
 * @example
 * ```ts
 * import type { Connection, ConnectionId } from "@headgate/core"
 * import { connectionNotFound } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const findConnection = (connections: ReadonlyMap<ConnectionId, Connection>, id: ConnectionId) => {
 *   const connection = connections.get(id)
 *   return connection === undefined ? Effect.fail(connectionNotFound(id)) : Effect.succeed(connection)
 * }
 * ```
 */
export const connectionNotFound = (connectionId: ConnectionId): ConnectionNotFound =>
  new ConnectionNotFound({ message: `the organization has no connection ${connectionId}`, connectionId })

/**
 * Makes the error of a store whose organization has no such data source, with the message that all adapters share.
 *
 * @example
 * ```ts
 * import { SourceId } from "@headgate/core"
 * import { sourceNotFound } from "@headgate/core/adapter"
 *
 * console.log(sourceNotFound(SourceId.make("s-1")).message) // the organization has no source s-1
 * ```
 */
export const sourceNotFound = (sourceId: SourceId): SourceNotFound =>
  new SourceNotFound({ message: `the organization has no source ${sourceId}`, sourceId })

/**
 * Makes the error of a store whose organization has no such saved search, with the message that all adapters share.
 *
 * @example
 * ```ts
 * import { SavedSearchId } from "@headgate/core"
 * import { savedSearchNotFound } from "@headgate/core/adapter"
 *
 * console.log(savedSearchNotFound(SavedSearchId.make("x-1")).message) // the organization has no saved search x-1
 * ```
 */
export const savedSearchNotFound = (savedSearchId: SavedSearchId): SavedSearchNotFound =>
  new SavedSearchNotFound({ message: `the organization has no saved search ${savedSearchId}`, savedSearchId })

/**
 * Makes the error of a store whose organization has no such webhook, with the message that all adapters share.
 *
 * @example
 * ```ts
 * import { WebhookId } from "@headgate/core"
 * import { webhookNotFound } from "@headgate/core/adapter"
 *
 * console.log(webhookNotFound(WebhookId.make("x-1")).message) // the organization has no webhook x-1
 * ```
 */
export const webhookNotFound = (webhookId: WebhookId): WebhookNotFound =>
  new WebhookNotFound({ message: `the organization has no webhook ${webhookId}`, webhookId })

/**
 * Makes the error of a store whose organization has no such alert, with the message that all adapters share.
 *
 * @example
 * ```ts
 * import { AlertId } from "@headgate/core"
 * import { alertNotFound } from "@headgate/core/adapter"
 *
 * console.log(alertNotFound(AlertId.make("x-1")).message) // the organization has no alert x-1
 * ```
 */
export const alertNotFound = (alertId: AlertId): AlertNotFound =>
  new AlertNotFound({ message: `the organization has no alert ${alertId}`, alertId })

/**
 * Makes the error of a store whose organization has no such token, with the message that all adapters share.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core"
 * import { type TokenId, tokenNotFound } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const revoke = (tokens: Set<TokenId>, organizationId: OrganizationId, id: TokenId) =>
 *   Effect.suspend(() => (tokens.delete(id) ? Effect.void : Effect.fail(tokenNotFound(organizationId, id))))
 * ```
 */
export const tokenNotFound = (organizationId: OrganizationId, tokenId: TokenId): TokenNotFound =>
  new TokenNotFound({ message: `the organization has no token ${tokenId}`, organizationId, tokenId })
