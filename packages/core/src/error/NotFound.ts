import * as Schema from "effect/Schema"
import { OrganizationId } from "../id/organization.ts"
import { TokenId } from "../id/token.ts"
import {
  AlertId,
  ConnectionId,
  DashboardId,
  DashboardRoleId,
  SavedSearchId,
  SourceId,
  WebhookId
} from "../id/dashboard.ts"
import { ApiKeyId } from "../id/key.ts"
import { RoleId } from "../id/role.ts"
import { PipeAddress } from "../id/pipe.ts"
import { ServiceAddress } from "../id/service.ts"
import { ReversePrivateEndpointAddress } from "../id/endpoint.ts"
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

/** The organization has no such role of dashboards (HTTP 404). */
export class DashboardRoleNotFound extends Schema.TaggedError<DashboardRoleNotFound>(
  "@headgate/core/dashboard/DashboardRoleNotFound"
)("DashboardRoleNotFound", { ...callFields, dashboardRoleId: DashboardRoleId }) {}

/**
 * What a chart needs is not there, or its organization may not read it (HTTP 404): the dashboard, the tile, the source, the connection,
 * the pipe or the table. The message says which; of a table it is the same for one that is not there and for one that is not to be read.
 */
export class ChartNotFound extends Schema.TaggedError<ChartNotFound>("@headgate/core/chart/ChartNotFound")(
  "ChartNotFound",
  callFields
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
  DashboardRoleNotFound,
  ChartNotFound,
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
