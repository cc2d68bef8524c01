import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import type { OrganizationId } from "../id/organization.ts"
import { checkServiceRuns } from "../service/serviceLifecycle.ts"
import { Services } from "../service/Services.ts"
import { BelowService } from "./BelowService.ts"
import { Dashboards, OrganizationDashboards } from "./Dashboards.ts"
import { DashboardSources, OrganizationSources } from "./DashboardSources.ts"
import { type DocumentKindName, documentKinds, OrganizationDocuments } from "./documentKinds.ts"

type KindsBelowService = {
  readonly [Name in DocumentKindName]: BelowService<(typeof documentKinds)[Name]["port"]["Identifier"]>
}

type DocumentsBelowService =
  | BelowService<Dashboards>
  | BelowService<DashboardSources>
  | KindsBelowService[DocumentKindName]

const changes: ReadonlySet<string> = new Set(["create", "update", "delete"])

/**
 * The port of each service over that of its organization, whose methods are called once the service is found. A change needs a service
 * that runs.
 */
export const layerBelowService = <Identifier, Port extends object>(
  port: Context.Key<Identifier, Port>,
  portOf: (organizationId: OrganizationId) => Port
): Layer.Layer<BelowService<Identifier>, never, Services> =>
  Layer.effect(
    BelowService(port),
    Services.useSync((services) => ({
      of: (address) => {
        const found = services.get(address)
        const running = Effect.flatMap(found, ({ state }) => checkServiceRuns(state))
        const methods = Object.entries(portOf(address.organizationId)).map(([name, method]) => [
          name,
          (...args: ReadonlyArray<unknown>) => Effect.andThen(changes.has(name) ? running : found, method(...args))
        ])
        // The same methods, whose errors include those of a service.
        return Object.fromEntries(methods) as Port
      }
    }))
  )

/**
 * The ports of {@link BelowService} over a store: those of the organization, once its service is found. A change needs a service
 * that runs.
 *
 * @example
 * ```ts
 * import type { Services } from "@headgate/core"
 * import {
 *   documentsBelowService,
 *   type OrganizationDashboards,
 *   type OrganizationDocuments,
 *   type OrganizationSources
 * } from "@headgate/core/adapter"
 * import * as Layer from "effect/Layer"
 *
 * // Yours: the ports over one store.
 * declare const store: Layer.Layer<OrganizationDashboards | OrganizationDocuments | OrganizationSources | Services>
 *
 * export const layer = Layer.provide(documentsBelowService, store)
 * ```
 */
export const documentsBelowService: Layer.Layer<
  DocumentsBelowService,
  never,
  OrganizationDashboards | OrganizationDocuments | OrganizationSources | Services
> = Layer.unwrap(
  Effect.gen(function* () {
    const dashboards = yield* OrganizationDashboards
    const sources = yield* OrganizationSources
    const documents = yield* OrganizationDocuments
    return Layer.mergeAll(
      layerBelowService(Dashboards, dashboards.of),
      layerBelowService(DashboardSources, sources.of),
      ...Struct.keys(documentKinds).map((name) =>
        layerBelowService<any, object>(documentKinds[name].port, (organizationId) => documents.of(organizationId)[name])
      )
    )
  })
)
