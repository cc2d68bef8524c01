import { ApiKeys, ConnectionId, Pipes, type PortError, ReversePrivateEndpoints, Roles } from "@headgate/core"
import {
  type CountedKind,
  type DocumentKindName,
  documentKinds,
  mapKinds,
  OrganizationConnections,
  OrganizationDashboards,
  OrganizationDocuments,
  OrganizationSources,
  type OwnedDocuments
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { fixtureIds } from "../fixtures/ids.ts"
import { documentAddress, documentRequest } from "./documentRequest.ts"

/** The ports that create what is counted. */
export type CreatingPorts =
  | ApiKeys
  | OrganizationConnections
  | OrganizationDashboards
  | OrganizationDocuments
  | OrganizationSources
  | Pipes
  | ReversePrivateEndpoints
  | Roles

const { organizations, services } = fixtureIds
const { acme } = organizations

const service = { organizationId: acme, serviceId: services.ingest }
const archive = { organizationId: acme, serviceId: services.archive }

/** A resource that was created, and how it is changed and deleted. */
export interface Created {
  readonly update: Effect.Effect<unknown, PortError>
  readonly delete: Effect.Effect<void, PortError>
}

/** How the resources of one kind are created, and how many acme has. */
export interface Counted {
  readonly create: Effect.Effect<Created, PortError>
  readonly count: Effect.Effect<number, PortError>
}

const sizeOf = (list: Effect.Effect<ReadonlyArray<unknown>, PortError>) => Effect.map(list, ({ length }) => length)

const ofDocuments = (kind: DocumentKindName): Effect.Effect<Counted, never, OrganizationDocuments> =>
  OrganizationDocuments.useSync(({ of }) => {
    const port: OwnedDocuments<any, any, { readonly id: string }, PortError> = of(acme)[kind]
    // No two webhooks have one name.
    let created = 0
    return {
      create: Effect.suspend(() =>
        Effect.map(port.create(documentRequest(kind, `x${(created += 1)}`)), ({ id }) => ({
          update: port.update(documentAddress(kind, id), documentRequest(kind, "y")),
          delete: port.delete(documentAddress(kind, id))
        }))
      ),
      count: sizeOf(port.list())
    }
  })

/** Every kind that is limited: a new one does not compile until it is here. */
export const countedKinds: { readonly [Kind in CountedKind]: Effect.Effect<Counted, never, CreatingPorts> } = {
  keys: Effect.map(ApiKeys, (port) => ({
    create: Effect.map(port.create({ organizationId: acme }, { name: "x" }), ({ key }): Created => {
      const address = { organizationId: acme, keyId: key.id }
      return { update: port.update(address, { name: "y" }), delete: port.delete(address) }
    }),
    count: sizeOf(port.list({ organizationId: acme }))
  })),
  roles: Effect.map(Roles, (port) => ({
    create: Effect.map(
      port.create({ organizationId: acme }, { name: "x", actors: [], policies: [] }),
      ({ id }): Created => {
        const address = { organizationId: acme, roleId: id }
        return { update: port.update(address, { name: "y" }), delete: port.delete(address) }
      }
    ),
    // The system roles do not count.
    count: Effect.map(
      port.list({ organizationId: acme }),
      (roles) => roles.filter(({ type }) => type === "custom").length
    )
  })),
  pipes: Effect.map(Pipes, (port) => ({
    create: Effect.map(
      port.create(service, {
        name: "x",
        source: { kafka: { type: "kafka", format: "JSONEachRow", brokers: "b.example.com:9092", topics: "orders" } },
        destination: { database: "default", table: "orders", managedTable: true, columns: [] }
      }),
      ({ id }): Created => {
        const address = { ...service, pipeId: id }
        return { update: port.update(address, { name: "y" }), delete: port.delete(address) }
      }
    ),
    count: Effect.map(
      Effect.forEach([service, archive], (address) => port.list(address)),
      (lists) => lists.flat().length
    )
  })),
  endpoints: Effect.map(ReversePrivateEndpoints, (port) => ({
    create: Effect.map(
      port.create(service, { description: "x", type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "vpce-svc" }),
      ({ id }): Created => {
        const address = { ...service, reversePrivateEndpointId: id }
        const customPrivateDnsMappings = [{ privateDnsName: "y.example.com" }]
        return { update: port.update(address, { customPrivateDnsMappings }), delete: port.delete(address) }
      }
    ),
    count: sizeOf(port.list(service))
  })),
  dashboards: Effect.map(OrganizationDashboards, ({ of }) => {
    const port = of(acme)
    return {
      create: Effect.map(port.create({ name: "x" }), ({ id }): Created => ({
        update: port.update({ dashboardId: id }, { name: "y" }),
        delete: port.delete({ dashboardId: id })
      })),
      count: sizeOf(port.list())
    }
  }),
  ...mapKinds<{ readonly [Kind in DocumentKindName]: ReturnType<typeof ofDocuments> }>(
    Struct.keys(documentKinds),
    ofDocuments
  ),
  connections: Effect.map(OrganizationConnections, ({ of }) => {
    const port = of(acme)
    const host = "localhost:8123"
    return {
      create: Effect.map(port.create({ name: "x", host }), ({ id }): Created => ({
        update: port.update({ connectionId: id }, { name: "y", host }),
        delete: port.delete({ connectionId: id })
      })),
      count: sizeOf(port.list())
    }
  }),
  sources: Effect.map(OrganizationSources, ({ of }) => {
    const port = of(acme)
    const source = { kind: "log", connection: ConnectionId.make("c0000000000000000000000a") } as const
    return {
      create: Effect.map(port.create({ name: "x", ...source }), ({ id }): Created => ({
        update: port.update({ sourceId: id }, { name: "y", ...source }),
        delete: port.delete({ sourceId: id })
      })),
      count: sizeOf(port.list())
    }
  })
}
