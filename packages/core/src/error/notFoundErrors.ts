import type { OrganizationId } from "../id/organization.ts"
import type { TokenId } from "../id/token.ts"
import type {
  AlertId,
  ConnectionId,
  DashboardId,
  DashboardRoleId,
  SavedSearchId,
  SourceId,
  WebhookId
} from "../id/dashboard.ts"
import type { ApiKeyAddress } from "../id/key.ts"
import type { RoleAddress } from "../id/role.ts"
import type { PipeAddress } from "../id/pipe.ts"
import type { ServiceAddress } from "../id/service.ts"
import type { ReversePrivateEndpointAddress } from "../id/endpoint.ts"
import type { CallFields } from "./CallError.ts"
import {
  AlertNotFound,
  ChartNotFound,
  ConnectionNotFound,
  DashboardNotFound,
  DashboardRoleNotFound,
  KeyNotFound,
  type NotFound,
  OrganizationNotFound,
  PipeNotFound,
  ReversePrivateEndpointNotFound,
  RoleNotFound,
  SavedSearchNotFound,
  ServiceNotFound,
  SourceNotFound,
  TokenNotFound,
  WebhookNotFound
} from "./NotFound.ts"
import { withoutStack } from "./withoutStack.ts"

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
  readonly DashboardRoleNotFound: { readonly dashboardRoleId: DashboardRoleId }
  readonly ChartNotFound: {}
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
  DashboardRoleNotFound: {
    hasVersion: true,
    summary: ({ dashboardRoleId }) => `the organization has no role of dashboards ${dashboardRoleId}`,
    make: (fields, { dashboardRoleId }) => new DashboardRoleNotFound({ ...fields, dashboardRoleId })
  },
  // The request names several things: the message says which of them is not there.
  ChartNotFound: {
    hasVersion: false,
    summary: () => "what the chart needs is not there",
    make: (fields) => new ChartNotFound(fields)
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
  const fields = fieldsWith(summary(params))
  return withoutStack(() => make(fields, params))
}

/**
 * The `ChartNotFound` that says what is not there.
 *
 * @example
 * ```ts
 * import { chartNotFound } from "@headgate/core/adapter"
 *
 * console.log(chartNotFound("the dashboard has no tile t-1").message) // the dashboard has no tile t-1
 * ```
 */
export const chartNotFound = (message: string): ChartNotFound => notFound("ChartNotFound", {}, () => ({ message }))
