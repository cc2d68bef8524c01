import {
  apiKeysLaws,
  connectionsLaws,
  dashboardsLaws,
  cdcScalingLaws,
  dashboardSourcesLaws,
  organizationsLaws,
  reversePrivateEndpointsLaws,
  pipeRequestsLaws,
  pipesLaws,
  pipeStatesLaws,
  rolesLaws,
  servicesLaws,
  versionsLaws
} from "@headgate/conformance"
import { fixtureCredentials, fixtureIds } from "@headgate/conformance/fixtures"
import type { OrganizationId, Snapshot } from "@headgate/core"
import { HttpAdapter, HttpDashboards, ManagementConnection } from "@headgate/http-adapter"
import { clickhouse, type Dialect, neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { liveServer, ServerUrl } from "./support/liveServer.ts"
import { overEveryStore, type Store } from "./support/stores.ts"

/** An adapter that calls a server of its own, which stands on a store of its own. */
const overHttp =
  <A, E>(store: Store, dialect: Dialect, client: (baseUrl: string) => Layer.Layer<A, E>) =>
  (snapshot: Snapshot): Layer.Layer<A, unknown> =>
    Layer.unwrap(Effect.map(ServerUrl, client)).pipe(
      Layer.provide(Layer.fresh(liveServer(store.holding(snapshot), { dialect })))
    )

const management = (dialect: Dialect) => (baseUrl: string) =>
  HttpAdapter.layerManagement({ baseUrl, dialect, ...fixtureCredentials.keys.admin }).pipe(
    Layer.provide(FetchHttpClient.layer)
  )

const observability = (organizationId: OrganizationId) => (baseUrl: string) => {
  const { acme, globex } = fixtureCredentials.tokens
  const { token } = organizationId === fixtureIds.organizations.acme ? acme : globex
  return HttpAdapter.layerObservability({ baseUrl, token }).pipe(Layer.provide(FetchHttpClient.layer))
}

const throughService = (organizationId: OrganizationId) => (baseUrl: string) => {
  const { keys } = fixtureCredentials
  const { services } = fixtureIds
  const isAcme = organizationId === fixtureIds.organizations.acme
  const key = isAcme ? keys.admin : keys.globex
  return HttpDashboards.layerOfService({ organizationId, serviceId: isAcme ? services.ingest : services.globex }).pipe(
    Layer.provide(ManagementConnection.layer({ baseUrl, ...key })),
    Layer.provide(FetchHttpClient.layer)
  )
}

overEveryStore((store) => {
  const over = `http-adapter over a live server over ${store.name}`
  for (const dialect of [neutral, clickhouse]) {
    pipeStatesLaws({
      name: `${over}, ${dialect.name}`,
      // The simulation is that of the server's store.
      layer: (snapshot) =>
        Layer.unwrap(Effect.map(ServerUrl, management(dialect))).pipe(
          Layer.provideMerge(Layer.fresh(liveServer(store.holding(snapshot), { dialect })))
        )
    })
    pipesLaws({ name: `${over}, ${dialect.name}`, layer: overHttp(store, dialect, management(dialect)) })
    pipeRequestsLaws({ name: `${over}, ${dialect.name}`, layer: overHttp(store, dialect, management(dialect)) })
  }
  organizationsLaws({ name: over, layer: overHttp(store, neutral, management(neutral)) })
  cdcScalingLaws({ name: over, layer: overHttp(store, neutral, management(neutral)) })
  reversePrivateEndpointsLaws({ name: over, layer: overHttp(store, clickhouse, management(clickhouse)) })
  servicesLaws({ name: over, layer: overHttp(store, neutral, management(neutral)) })
  apiKeysLaws({ name: over, layer: overHttp(store, neutral, management(neutral)) })
  rolesLaws({ name: over, layer: overHttp(store, neutral, management(neutral)) })
  const ofToken = (snapshot: Snapshot, organizationId: OrganizationId) =>
    overHttp(store, neutral, observability(organizationId))(snapshot)
  dashboardsLaws({ name: over, layer: ofToken })
  connectionsLaws({ name: over, layer: ofToken })
  dashboardSourcesLaws({ name: over, layer: ofToken })
  versionsLaws(["pipe", "key", "role", "reversePrivateEndpoint"], {
    name: over,
    layer: overHttp(store, neutral, management(neutral))
  })
  versionsLaws(["dashboard", "connection", "source"], { name: over, layer: ofToken })
  dashboardsLaws({
    name: `${over}, through a service`,
    layer: (snapshot, organizationId) => overHttp(store, neutral, throughService(organizationId))(snapshot)
  })
})
