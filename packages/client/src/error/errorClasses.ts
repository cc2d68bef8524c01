import type { PortError } from "@headgate/core"
import { connectionCause } from "@headgate/http-adapter"
import * as Predicate from "effect/Predicate"
import { plain } from "../Plain.ts"
import { brand, HeadgateError, type HeadgateErrorFields, setErrorName } from "./HeadgateError.ts"

/** One wrong field of a request. */
export interface FieldIssue {
  /** The path of the field, as in `tiles[2].w`. Empty for the whole request. */
  readonly path: string
  /** What is expected there. */
  readonly message: string
}

/** What is not there, by its address. */
interface At<Address> {
  /** The address of what is not there. */
  readonly address: Address
}

interface InOrganization {
  /** The id of the organization, a UUID. */
  readonly organizationId: string
}
interface InService extends InOrganization {
  /** The id of the service, a UUID. */
  readonly serviceId: string
}
interface OfPipe extends InService {
  /** The id of the pipe, a UUID. */
  readonly pipeId: string
}
interface OfEndpoint extends InService {
  /** The id of the reverse private endpoint, a UUID. */
  readonly reversePrivateEndpointId: string
}
interface OfKey extends InOrganization {
  /** The id of the key, a UUID. It is not the key ID of its credentials. */
  readonly keyId: string
}
interface OfRole extends InOrganization {
  /** The id of the role, a UUID. */
  readonly roleId: string
}
interface OfToken extends InOrganization {
  /** The id of the token, a UUID. */
  readonly tokenId: string
}
interface OfDashboard {
  /** The id of the dashboard. */
  readonly dashboardId: string
}
interface OfConnection {
  /** The id of the connection. */
  readonly connectionId: string
}
interface OfSource {
  /** The id of the data source. */
  readonly sourceId: string
}
interface OfSavedSearch {
  /** The id of the saved search. */
  readonly savedSearchId: string
}
interface OfWebhook {
  /** The id of the webhook. */
  readonly webhookId: string
}
interface OfAlert {
  /** The id of the alert. */
  readonly alertId: string
}
interface OfDashboardRole {
  /** The id of the role of dashboards. */
  readonly dashboardRoleId: string
}
interface InState {
  /** The state that the pipe is in. */
  readonly state: string
}
interface Issues {
  /** One issue for each wrong field; empty if only `message` is known. */
  readonly issues: ReadonlyArray<FieldIssue>
}

// The fields of each error beside those that every one has, by its tag.
interface Fields {
  readonly InvalidRequest: Issues
  readonly Unauthorized: {}
  readonly Forbidden: {}
  readonly OrganizationNotFound: InOrganization
  readonly ServiceNotFound: At<InService>
  readonly ReversePrivateEndpointNotFound: At<OfEndpoint>
  readonly PipeNotFound: At<OfPipe>
  readonly KeyNotFound: OfKey
  readonly DashboardNotFound: OfDashboard
  readonly ConnectionNotFound: OfConnection
  readonly SourceNotFound: OfSource
  readonly SavedSearchNotFound: OfSavedSearch
  readonly WebhookNotFound: OfWebhook
  readonly AlertNotFound: OfAlert
  readonly DashboardRoleNotFound: OfDashboardRole
  readonly ChartNotFound: {}
  readonly RoleNotFound: OfRole
  readonly TokenNotFound: OfToken
  readonly Conflict: {}
  readonly PreconditionFailed: {}
  readonly FailedDependency: {}
  readonly RateLimited: {}
  readonly ServerError: {}
  readonly ConnectionError: {}
  readonly TimeoutError: {}
  readonly UnexpectedResponse: {}
  readonly ClientClosed: {}
  readonly UnreachableState: InState
}

type ErrorClass<Tag extends keyof Fields> = new (
  fields: HeadgateErrorFields & Fields[Tag]
) => HeadgateError & Fields[Tag] & { readonly _tag: Tag }

const errorClass = <Tag extends keyof Fields>(tag: Tag): ErrorClass<Tag> => {
  class TaggedError extends HeadgateError {
    override readonly _tag = tag
    static {
      setErrorName(this.prototype, tag.endsWith("Error") ? tag : `${tag}Error`)
    }
  }
  // The base class assigns all fields of the tag, which the compiler cannot see.
  return TaggedError as unknown as ErrorClass<Tag>
}

/**
 * The request itself is wrong (HTTP 400, 413, 415 and the like): correct it, a repeat gives the same response. `issues`
 * names each wrong field, as in `{ path: "tiles[2].w", message: "..." }`; it is empty when only `message` says more.
 */
export class InvalidRequestError extends errorClass("InvalidRequest") {}

/** The credentials are missing, unknown, expired or disabled (HTTP 401). */
export class UnauthorizedError extends errorClass("Unauthorized") {}

/** The credentials are good but do not allow this: wrong role, organization or address (HTTP 403). */
export class ForbiddenError extends errorClass("Forbidden") {}

/**
 * The organization has no service at `address` (HTTP 404).
 *
 * @example
 * ```ts
 * import { type ManagementClient, type Pipe, ServiceNotFoundError } from "@headgate/client"
 *
 * export const pipesOf = async (
 *   { pipes }: ManagementClient,
 *   address: { readonly organizationId: string; readonly serviceId: string }
 * ): Promise<ReadonlyArray<Pipe>> => {
 *   try {
 *     return await pipes.list(address)
 *   } catch (error) {
 *     if (error instanceof ServiceNotFoundError) return []
 *     throw error
 *   }
 * }
 * ```
 */
export class ServiceNotFoundError extends errorClass("ServiceNotFound") {}

/** The service has no pipe at `address` (HTTP 404). */
export class PipeNotFoundError extends errorClass("PipeNotFound") {}

/**
 * There is no organization with this id (HTTP 404).
 *
 * @example
 * ```ts
 * import { OrganizationNotFoundError } from "@headgate/client"
 *
 * export const missingOrganization = (error: unknown): string | undefined =>
 *   error instanceof OrganizationNotFoundError ? error.organizationId : undefined
 * ```
 */
export class OrganizationNotFoundError extends errorClass("OrganizationNotFound") {}

/**
 * The service has no such reverse private endpoint (HTTP 404).
 *
 * @example
 * ```ts
 * import { ReversePrivateEndpointNotFoundError } from "@headgate/client"
 *
 * export const missingEndpoint = (error: unknown): string | undefined =>
 *   error instanceof ReversePrivateEndpointNotFoundError ? error.address.reversePrivateEndpointId : undefined
 * ```
 */
export class ReversePrivateEndpointNotFoundError extends errorClass("ReversePrivateEndpointNotFound") {}

/** The organization has no such API key (HTTP 404). */
export class KeyNotFoundError extends errorClass("KeyNotFound") {}

/**
 * There is no such dashboard (HTTP 404).
 *
 * @example
 * ```ts
 * import { DashboardNotFoundError, type ObservabilityClient } from "@headgate/client"
 *
 * // Deletes a dashboard if it exists.
 * export const remove = async ({ dashboards }: ObservabilityClient, id: string): Promise<void> => {
 *   try {
 *     await dashboards.delete(id)
 *   } catch (error) {
 *     if (!(error instanceof DashboardNotFoundError)) throw error
 *   }
 * }
 * ```
 */
export class DashboardNotFoundError extends errorClass("DashboardNotFound") {}
/** The organization has no such role (HTTP 404). */
export class RoleNotFoundError extends errorClass("RoleNotFound") {}

/**
 * There is no such connection of dashboards (HTTP 404).
 *
 * @example
 * ```ts
 * import { ConnectionNotFoundError } from "@headgate/client"
 *
 * export const missingConnection = (error: unknown): string | undefined =>
 *   error instanceof ConnectionNotFoundError ? error.connectionId : undefined
 * ```
 */
export class ConnectionNotFoundError extends errorClass("ConnectionNotFound") {}

/**
 * There is no such data source of dashboards (HTTP 404).
 *
 * @example
 * ```ts
 * import { SourceNotFoundError } from "@headgate/client"
 *
 * export const missingSource = (error: unknown): string | undefined =>
 *   error instanceof SourceNotFoundError ? error.sourceId : undefined
 * ```
 */
export class SourceNotFoundError extends errorClass("SourceNotFound") {}

/**
 * The organization has no such saved search (404).
 *
 * @example
 * ```ts
 * import { SavedSearchNotFoundError } from "@headgate/client"
 *
 * export const missing = (error: unknown): string | undefined =>
 *   error instanceof SavedSearchNotFoundError ? error.savedSearchId : undefined
 * ```
 */
export class SavedSearchNotFoundError extends errorClass("SavedSearchNotFound") {}

/**
 * The organization has no such webhook (404).
 *
 * @example
 * ```ts
 * import { WebhookNotFoundError } from "@headgate/client"
 *
 * export const missing = (error: unknown): string | undefined =>
 *   error instanceof WebhookNotFoundError ? error.webhookId : undefined
 * ```
 */
export class WebhookNotFoundError extends errorClass("WebhookNotFound") {}

/**
 * The organization has no such alert (404).
 *
 * @example
 * ```ts
 * import { AlertNotFoundError } from "@headgate/client"
 *
 * export const missing = (error: unknown): string | undefined =>
 *   error instanceof AlertNotFoundError ? error.alertId : undefined
 * ```
 */
export class AlertNotFoundError extends errorClass("AlertNotFound") {}

/**
 * The organization has no such role of dashboards (HTTP 404).
 *
 * @example
 * ```ts
 * import { DashboardRoleNotFoundError } from "@headgate/client"
 *
 * export const missing = (error: unknown): string | undefined =>
 *   error instanceof DashboardRoleNotFoundError ? error.dashboardRoleId : undefined
 * ```
 */
export class DashboardRoleNotFoundError extends errorClass("DashboardRoleNotFound") {}

/**
 * What a chart needs is not there, or may not be read (HTTP 404): `message` says what.
 *
 * @example
 * ```ts
 * import { ChartNotFoundError } from "@headgate/client"
 *
 * export const missing = (error: unknown): string | undefined =>
 *   error instanceof ChartNotFoundError ? error.message : undefined
 * ```
 */
export class ChartNotFoundError extends errorClass("ChartNotFound") {}

/** The organization has no such bearer token (HTTP 404). */
class TokenNotFoundError extends errorClass("TokenNotFound") {}

/** The present state of the resource, or a limit of the organization, does not allow this (HTTP 409). */
export class ConflictError extends errorClass("Conflict") {}

/** The resource has changed since it was read (HTTP 412): read it again. */
export class PreconditionFailedError extends errorClass("PreconditionFailed") {}

/** The service is not running (HTTP 424): start or wake it. Or its warehouse does not answer, or it queries nothing: `message` says it. */
export class FailedDependencyError extends errorClass("FailedDependency") {}

/** Too many requests (HTTP 429): see `retryAfter`. */
export class RateLimitedError extends errorClass("RateLimited") {}

/** The service failed (HTTP 5xx). Whether a write took effect is not known. */
export class ServerError extends errorClass("ServerError") {}

/** The request or its response was lost: no connection, a reset, a TLS or name resolution failure. */
export class ConnectionError extends errorClass("ConnectionError") {}

/** No response in time. Whether a write took effect is not known. */
export class TimeoutError extends errorClass("TimeoutError") {}

/** The service sent a response that the contract does not describe. */
export class UnexpectedResponseError extends errorClass("UnexpectedResponse") {}

/** The client was closed before the call, or during it. */
export class ClientClosedError extends errorClass("ClientClosed") {}

/**
 * The pipe does not get into the awaited state by itself: it stays in its own until a caller changes it.
 *
 * @example
 * ```ts
 * import { type ManagementClient, type PipeAddress, UnreachableStateError } from "@headgate/client"
 *
 * // Waits until a pipe runs, and starts it if somebody has stopped it.
 * export const untilRunning = async ({ pipes }: ManagementClient, address: PipeAddress) => {
 *   try {
 *     return await pipes.waitFor(address, "Running")
 *   } catch (error) {
 *     if (!(error instanceof UnreachableStateError && error.state === "Stopped")) throw error
 *     await pipes.setState({ ...address, command: "start" })
 *     return await pipes.waitFor(address, "Running")
 *   }
 * }
 * ```
 */
export class UnreachableStateError extends errorClass("UnreachableState") {}

/** The class of each error by its tag. An error that core gains does not compile until it has a class. */
export const errorClasses = {
  InvalidRequest: InvalidRequestError,
  Unauthorized: UnauthorizedError,
  Forbidden: ForbiddenError,
  OrganizationNotFound: OrganizationNotFoundError,
  ReversePrivateEndpointNotFound: ReversePrivateEndpointNotFoundError,
  ServiceNotFound: ServiceNotFoundError,
  PipeNotFound: PipeNotFoundError,
  KeyNotFound: KeyNotFoundError,
  DashboardNotFound: DashboardNotFoundError,
  ConnectionNotFound: ConnectionNotFoundError,
  SourceNotFound: SourceNotFoundError,
  SavedSearchNotFound: SavedSearchNotFoundError,
  WebhookNotFound: WebhookNotFoundError,
  AlertNotFound: AlertNotFoundError,
  DashboardRoleNotFound: DashboardRoleNotFoundError,
  ChartNotFound: ChartNotFoundError,
  RoleNotFound: RoleNotFoundError,
  TokenNotFound: TokenNotFoundError,
  Conflict: ConflictError,
  PreconditionFailed: PreconditionFailedError,
  FailedDependency: FailedDependencyError,
  RateLimited: RateLimitedError,
  ServerError,
  ConnectionError,
  TimeoutError,
  UnexpectedResponse: UnexpectedResponseError,
  ClientClosed: ClientClosedError,
  UnreachableState: UnreachableStateError
} satisfies { readonly [Tag in keyof Fields]: ErrorClass<Tag> }

/** Every error of this package: a union that `_tag` tells apart. */
export type AnyHeadgateError = InstanceType<(typeof errorClasses)[keyof Fields]>

/**
 * Whether an error is one of this package, also of another installed copy of it. It narrows the type to a union that
 * `_tag` tells apart.
 *
 * @example
 * ```ts
 * import { isHeadgateError } from "@headgate/client"
 *
 * export const shouldWait = (error: unknown): number => {
 *   if (!isHeadgateError(error)) throw error
 *   switch (error._tag) {
 *     case "RateLimited":
 *       return error.retryAfter ?? 1000
 *     case "ServerError":
 *     case "ConnectionError":
 *       return 1000
 *     default:
 *       throw error
 *   }
 * }
 * ```
 */
export const isHeadgateError = (error: unknown): error is AnyHeadgateError =>
  Predicate.isError(error) && Predicate.hasProperty(error, brand)

/** The error that a call rejects with when a port fails: the same fields, and why a connection failed. */
export const fromPortError = (failure: PortError): AnyHeadgateError => {
  const { _tag, message, ...fields } = failure
  const cause = _tag === "ConnectionError" ? connectionCause(failure) : undefined
  // The compiler does not connect the tag of a failure with its fields.
  return new errorClasses[_tag]({ ...plain(fields), message, cause } as never)
}
