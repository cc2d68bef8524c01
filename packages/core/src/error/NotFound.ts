import * as Schema from "effect/Schema"
import { OrganizationId } from "../id/organization.ts"
import { TokenId } from "../id/token.ts"
import { AlertId, ConnectionId, DashboardId, SavedSearchId, SourceId, WebhookId } from "../id/dashboard.ts"
import { ApiKeyAddress, ApiKeyId } from "../id/key.ts"
import { RoleAddress, RoleId } from "../id/role.ts"
import { PipeAddress } from "../id/pipe.ts"
import { ServiceAddress } from "../id/service.ts"
import { ReversePrivateEndpointAddress } from "../id/endpoint.ts"
import { CallError, type CallFields, callFields, Forbidden } from "./CallError.ts"

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

/** What each "not found" error is made from. */
export interface NotFoundParams {
  readonly OrganizationNotFound: { readonly organizationId: OrganizationId }
  readonly ServiceNotFound: ServiceAddress
  readonly ReversePrivateEndpointNotFound: ReversePrivateEndpointAddress
  readonly PipeNotFound: PipeAddress
  readonly KeyNotFound: ApiKeyAddress
  readonly DashboardNotFound: { readonly dashboardId: DashboardId }
  readonly ConnectionNotFound: { readonly connectionId: ConnectionId }
  readonly SourceNotFound: { readonly sourceId: SourceId }
  readonly SavedSearchNotFound: { readonly savedSearchId: SavedSearchId }
  readonly WebhookNotFound: { readonly webhookId: WebhookId }
  readonly AlertNotFound: { readonly alertId: AlertId }
  readonly RoleNotFound: RoleAddress
  readonly TokenNotFound: { readonly organizationId: OrganizationId; readonly tokenId: TokenId }
}

type NotFoundOf<Tag extends NotFound["_tag"]> = Extract<NotFound, { readonly _tag: Tag }>

/**
 * All that is known of each "not found" error: whether its resource has a version, which is its `ETag`, what its message
 * says, and how it is made.
 *
 * @example
 * ```ts
 * import { notFoundErrors } from "@headgate/core/adapter"
 *
 * console.log(notFoundErrors.PipeNotFound.hasVersion, notFoundErrors.ServiceNotFound.hasVersion) // true false
 * ```
 */
export const notFoundErrors: {
  readonly [Tag in NotFound["_tag"]]: {
    readonly hasVersion: boolean
    readonly summary: (params: NotFoundParams[Tag]) => string
    readonly make: (fields: CallFields, params: NotFoundParams[Tag]) => NotFoundOf<Tag>
  }
} = {
  OrganizationNotFound: {
    hasVersion: false,
    summary: ({ organizationId }) => `there is no organization ${organizationId}`,
    make: (fields, { organizationId }) => new OrganizationNotFound({ ...fields, organizationId })
  },
  ServiceNotFound: {
    hasVersion: false,
    summary: ({ serviceId }) => `the organization has no service ${serviceId}`,
    make: (fields, address) => new ServiceNotFound({ ...fields, address })
  },
  ReversePrivateEndpointNotFound: {
    hasVersion: true,
    summary: ({ reversePrivateEndpointId }) =>
      `the service has no reverse private endpoint ${reversePrivateEndpointId}`,
    make: (fields, address) => new ReversePrivateEndpointNotFound({ ...fields, address })
  },
  PipeNotFound: {
    hasVersion: true,
    summary: ({ pipeId }) => `the service has no pipe ${pipeId}`,
    make: (fields, address) => new PipeNotFound({ ...fields, address })
  },
  KeyNotFound: {
    hasVersion: true,
    summary: ({ keyId }) => `the organization has no API key ${keyId}`,
    make: (fields, { keyId, organizationId }) => new KeyNotFound({ ...fields, organizationId, keyId })
  },
  DashboardNotFound: {
    hasVersion: true,
    summary: ({ dashboardId }) => `the organization has no dashboard ${dashboardId}`,
    make: (fields, { dashboardId }) => new DashboardNotFound({ ...fields, dashboardId })
  },
  ConnectionNotFound: {
    hasVersion: true,
    summary: ({ connectionId }) => `the organization has no connection ${connectionId}`,
    make: (fields, { connectionId }) => new ConnectionNotFound({ ...fields, connectionId })
  },
  SourceNotFound: {
    hasVersion: true,
    summary: ({ sourceId }) => `the organization has no source ${sourceId}`,
    make: (fields, { sourceId }) => new SourceNotFound({ ...fields, sourceId })
  },
  SavedSearchNotFound: {
    hasVersion: true,
    summary: ({ savedSearchId }) => `the organization has no saved search ${savedSearchId}`,
    make: (fields, { savedSearchId }) => new SavedSearchNotFound({ ...fields, savedSearchId })
  },
  WebhookNotFound: {
    hasVersion: true,
    summary: ({ webhookId }) => `the organization has no webhook ${webhookId}`,
    make: (fields, { webhookId }) => new WebhookNotFound({ ...fields, webhookId })
  },
  AlertNotFound: {
    hasVersion: true,
    summary: ({ alertId }) => `the organization has no alert ${alertId}`,
    make: (fields, { alertId }) => new AlertNotFound({ ...fields, alertId })
  },
  RoleNotFound: {
    hasVersion: true,
    summary: ({ roleId }) => `the organization has no role ${roleId}`,
    make: (fields, { organizationId, roleId }) => new RoleNotFound({ ...fields, organizationId, roleId })
  },
  TokenNotFound: {
    hasVersion: false,
    summary: ({ tokenId }) => `the organization has no token ${tokenId}`,
    make: (fields, { organizationId, tokenId }) => new TokenNotFound({ ...fields, organizationId, tokenId })
  }
}

/**
 * Makes a "not found" error, with the message that all adapters share: `fieldsWith` may put it into another one, beside what
 * else is known of the call.
 *
 * @example
 * ```ts
 * import type { ServiceAddress, ServiceId } from "@headgate/core"
 * import { notFound } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // The check of a list: an unknown service is an error, not an empty list.
 * export const requireService = (services: ReadonlySet<ServiceId>) => (address: ServiceAddress) =>
 *   services.has(address.serviceId) ? Effect.void : Effect.fail(notFound("ServiceNotFound", address))
 * ```
 */
export const notFound = <Tag extends NotFound["_tag"]>(
  tag: Tag,
  params: NotFoundParams[Tag],
  fieldsWith: (summary: string) => CallFields = (message) => ({ message })
): NotFoundOf<Tag> => {
  const { make, summary } = notFoundErrors[tag]
  return make(fieldsWith(summary(params)), params)
}

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
