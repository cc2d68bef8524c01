import {
  ApiKeyId,
  ApiKeys,
  OrganizationId,
  Organizations,
  PipeId,
  Pipes,
  ReversePrivateEndpointId,
  ReversePrivateEndpoints,
  RoleId,
  Roles,
  type ServiceAddress,
  ServiceId,
  Services
} from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { organization, service } from "../settings/settings.ts"
import { resolveSetting } from "./resolveName.ts"

/** What can be named in place of its id. Dashboards, and what belongs to them, are named in their folder. */
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
