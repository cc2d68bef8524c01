import {
  AlertId,
  Alerts,
  ApiKeyId,
  ApiKeys,
  ConnectionId,
  Connections,
  DashboardId,
  Dashboards,
  DashboardSources,
  OrganizationId,
  Organizations,
  PipeId,
  Pipes,
  ReversePrivateEndpointId,
  ReversePrivateEndpoints,
  RoleId,
  Roles,
  SavedSearches,
  SavedSearchId,
  type ServiceAddress,
  ServiceId,
  Services,
  SourceId,
  WebhookId,
  Webhooks
} from "@headgate/core"
import { Uuid } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { organization, service } from "../settings/settings.ts"
import { resolveSetting } from "./resolveName.ts"

const isUuid = Schema.is(Uuid)

/**
 * Tells the ids of dashboards and of what belongs to them from names. The contract says only that they are strings; those
 * of the services are UUIDs or 24 hexadecimal digits.
 */
const opaqueId =
  <Id extends string>(make: (text: string) => Id) =>
  (text: string): Option.Option<Id> =>
    isUuid(text) || /^[\da-f]{24}$/i.test(text) ? Option.some(make(text)) : Option.none()

/** What can be named in place of its id. */
export const nouns = {
  organization: {
    noun: "organization",
    idIn: Schema.decodeOption(OrganizationId),
    list: Organizations.use((organizations) => organizations.list())
  },
  service: (id: OrganizationId) => ({
    noun: "service",
    idIn: Schema.decodeOption(ServiceId),
    list: Services.use((services) => services.list({ organizationId: id }))
  }),
  pipe: (address: ServiceAddress) => ({
    noun: "pipe",
    idIn: Schema.decodeOption(PipeId),
    list: Pipes.use((pipes) => pipes.list(address))
  }),
  key: (id: OrganizationId) => ({
    noun: "key",
    idIn: Schema.decodeOption(ApiKeyId),
    list: ApiKeys.use((keys) => keys.list({ organizationId: id }))
  }),
  role: (id: OrganizationId) => ({
    noun: "role",
    idIn: Schema.decodeOption(RoleId),
    list: Roles.use((roles) => roles.list({ organizationId: id }))
  }),
  dashboard: {
    noun: "dashboard",
    idIn: opaqueId((text) => DashboardId.make(text)),
    list: Dashboards.use((dashboards) => dashboards.list())
  },
  connection: {
    noun: "connection",
    idIn: opaqueId((text) => ConnectionId.make(text)),
    list: Connections.use((connections) => connections.list())
  },
  source: {
    noun: "source",
    idIn: opaqueId((text) => SourceId.make(text)),
    list: DashboardSources.use((sources) => sources.list())
  },
  savedSearch: {
    noun: "saved-search",
    idIn: opaqueId((text) => SavedSearchId.make(text)),
    list: SavedSearches.use((searches) => searches.list())
  },
  webhook: {
    noun: "webhook",
    idIn: opaqueId((text) => WebhookId.make(text)),
    list: Webhooks.use((webhooks) => webhooks.list())
  },
  alert: {
    noun: "alert",
    idIn: opaqueId((text) => AlertId.make(text)),
    list: Alerts.use((alerts) => alerts.list())
  },
  privateEndpoint: (address: ServiceAddress) => ({
    noun: "private-endpoint",
    idIn: Schema.decodeOption(ReversePrivateEndpointId),
    list: ReversePrivateEndpoints.use((endpoints) => endpoints.list(address))
  })
}

/** The organization of `--organization`, by id or name; by default the only one of the key. */
export const organizationId = resolveSetting(nouns.organization, organization)

/** The service of `--service`, by id or name; by default the only one of the organization. */
export const serviceAddress = Effect.gen(function* () {
  const id = yield* organizationId
  const address: ServiceAddress = {
    organizationId: id,
    serviceId: yield* resolveSetting(nouns.service(id), service)
  }
  return address
})
