import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import type { ServiceNotFound } from "../error/NotFound.ts"
import type { ServiceAddress } from "../id/service.ts"
import { checkServiceRuns } from "../service/serviceLifecycle.ts"
import { Services } from "../service/Services.ts"
import { OrganizationDashboards, ServiceDashboards } from "./Dashboards.ts"
import { type DocumentKind, type DocumentKindName, documentKinds, OrganizationDocuments } from "./documentKinds.ts"
import type { OwnedDocuments, ServiceDocuments } from "./OwnedDocuments.ts"

/** A port to what callers reach through a service: every store has it by {@link servicePorts}. */
export type ServicePort =
  | ServiceDashboards
  | NonNullable<(typeof documentKinds)[DocumentKindName]["servicePort"]>["Identifier"]

const serviceDashboards = Layer.effect(
  ServiceDashboards,
  Effect.gen(function* () {
    const organizations = yield* OrganizationDashboards
    const services = yield* Services
    return ServiceDashboards.of({
      of: (address: ServiceAddress) => {
        const dashboards = organizations.of(address.organizationId)
        const found = services.get(address)
        const running = Effect.flatMap(found, ({ state }) => checkServiceRuns(state))
        return {
          list: () => Effect.andThen(found, dashboards.list()),
          get: (dashboard) => Effect.andThen(found, dashboards.get(dashboard)),
          validate: (document) => Effect.andThen(found, dashboards.validate(document)),
          create: (request) => Effect.andThen(running, dashboards.create(request)),
          update: (dashboard, request) => Effect.andThen(running, dashboards.update(dashboard, request)),
          delete: (dashboard) => Effect.andThen(running, dashboards.delete(dashboard))
        }
      }
    })
  })
)

/** The documents of a kind below each service. */
const serviceDocuments = (port: NonNullable<DocumentKind["servicePort"]>, name: DocumentKindName) =>
  Layer.effect(
    port,
    Effect.gen(function* () {
      const organizations = yield* OrganizationDocuments
      const services = yield* Services
      const documents = ({ organizationId }: ServiceAddress): OwnedDocuments<any, any, any, any> =>
        organizations.of(organizationId)[name]
      const running = (address: ServiceAddress) =>
        Effect.flatMap(services.get(address), ({ state }) => checkServiceRuns(state))
      const { idIn, notFound }: DocumentKind = documentKinds[name]
      /** Below a service that is not there is no document. */
      const of = <A, E>(service: Effect.Effect<A, ServiceNotFound | E>, address: any) =>
        Effect.catchTag(service, "ServiceNotFound", () => Effect.fail(notFound(idIn(address))))
      const methods: ServiceDocuments<any, any, any, any, any> = {
        list: (address) => Effect.andThen(services.get(address), documents(address).list()),
        get: (address) => Effect.andThen(of(services.get(address), address), documents(address).get(address)),
        create: (address, request) => Effect.andThen(running(address), documents(address).create(request)),
        update: (address, request) =>
          Effect.andThen(of(running(address), address), documents(address).update(address, request)),
        delete: (address) => Effect.andThen(of(running(address), address), documents(address).delete(address))
      }
      return methods
    })
  )

/**
 * The ports to what callers reach through a service, over a store: the documents of the organization, once its service is found.
 * A change needs a service that runs.
 *
 * @example
 * ```ts
 * import { ServiceDashboards, type Services } from "@headgate/core"
 * import { type OrganizationDashboards, type OrganizationDocuments, servicePorts } from "@headgate/core/adapter"
 * import * as Layer from "effect/Layer"
 *
 * // Yours: the ports over one store.
 * declare const store: Layer.Layer<OrganizationDashboards | OrganizationDocuments | Services>
 *
 * export const layer: Layer.Layer<ServiceDashboards> = Layer.provide(servicePorts, store)
 * ```
 */
export const servicePorts: Layer.Layer<ServicePort, never, OrganizationDashboards | OrganizationDocuments | Services> =
  Layer.mergeAll(
    serviceDashboards,
    ...Struct.keys(documentKinds).flatMap((name) => {
      const { servicePort }: DocumentKind = documentKinds[name]
      return servicePort === undefined ? [] : [serviceDocuments(servicePort, name)]
    })
  )
