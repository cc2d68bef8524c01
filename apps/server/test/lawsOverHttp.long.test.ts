import {
  alertsLaws,
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
  savedSearchesLaws,
  servicesLaws,
  versionsLaws,
  webhooksLaws
} from "@headgate/conformance"
import { fixtureCredentials, fixtureIds } from "@headgate/conformance/fixtures"
import { type OrganizationId, type Snapshot, Snapshots } from "@headgate/core"
import { OrganizationLimits, StepLength } from "@headgate/core/adapter"
import { HttpAdapter, HttpDashboards, ManagementConnection } from "@headgate/http-adapter"
import { clickhouse, type Dialect, neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { afterAll } from "vitest"
import { liveServer, ServerUrl } from "./support/liveServer.ts"
import { overEveryStore, type Store } from "./support/stores.ts"

// What a law may set of its store is read by the server that is started within the law.
const defaults = Effect.runSync(Effect.all([OrganizationLimits, StepLength]))
const isAsByDefault = Effect.map(
  Effect.all([OrganizationLimits, StepLength]),
  ([limits, stepLength]) => limits === defaults[0] && stepLength === defaults[1]
)

/**
 * A server, and the ports of its store, for the laws of one dialect. The laws share one server, since most of the time of a
 * law is the start of a server and its database: a law begins with a store that holds its snapshot and nothing else. A law
 * that changes the limits or the length of a step has a server of its own.
 */
const serverFor = (store: Store, dialect: Dialect) => {
  const start = (snapshot: Snapshot) => Layer.fresh(liveServer(store.holding(snapshot), { dialect }))
  const shared = ManagedRuntime.make(start({ organizations: [] }))
  afterAll(() => shared.dispose())
  const restored = (snapshot: Snapshot) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const context = yield* Effect.promise(() => shared.context())
        yield* Effect.provideContext(
          Snapshots.use((snapshots) => snapshots.replace(snapshot)),
          context
        )
        return context
      })
    )
  return (snapshot: Snapshot) =>
    Layer.unwrap(Effect.map(isAsByDefault, (isDefault) => (isDefault ? restored(snapshot) : start(snapshot))))
}

type ServerFor = ReturnType<typeof serverFor>

/** An adapter that calls a server whose store holds the snapshot. */
const overHttp =
  <A, E>(server: ServerFor, client: (baseUrl: string) => Layer.Layer<A, E>) =>
  (snapshot: Snapshot): Layer.Layer<A, unknown> =>
    Layer.unwrap(Effect.map(ServerUrl, client)).pipe(Layer.provide(server(snapshot)))

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
  const servers = { neutral: serverFor(store, neutral), clickhouse: serverFor(store, clickhouse) }
  for (const dialect of [neutral, clickhouse]) {
    const name = `${over}, ${dialect.name}`
    const server = servers[dialect.name]
    pipeStatesLaws({
      name,
      // The simulation is that of the server's store.
      layer: (snapshot) =>
        Layer.unwrap(Effect.map(ServerUrl, management(dialect))).pipe(Layer.provideMerge(server(snapshot)))
    })
    pipesLaws({ name, layer: overHttp(server, management(dialect)) })
    pipeRequestsLaws({ name, layer: overHttp(server, management(dialect)) })
  }
  const layer = overHttp(servers.neutral, management(neutral))
  organizationsLaws({ name: over, layer })
  cdcScalingLaws({ name: over, layer })
  reversePrivateEndpointsLaws({ name: over, layer: overHttp(servers.clickhouse, management(clickhouse)) })
  servicesLaws({ name: over, layer })
  apiKeysLaws({ name: over, layer })
  rolesLaws({ name: over, layer })
  versionsLaws(["pipe", "key", "role", "reversePrivateEndpoint"], { name: over, layer })
  const ofToken = (snapshot: Snapshot, organizationId: OrganizationId) =>
    overHttp(servers.neutral, observability(organizationId))(snapshot)
  dashboardsLaws({ name: over, layer: ofToken })
  connectionsLaws({ name: over, layer: ofToken })
  dashboardSourcesLaws({ name: over, layer: ofToken })
  savedSearchesLaws({ name: over, layer: ofToken })
  webhooksLaws({ name: over, layer: ofToken })
  alertsLaws({ name: over, layer: ofToken })
  versionsLaws(["dashboard", "connection", "source", "savedSearch", "webhook", "alert"], { name: over, layer: ofToken })
  const ofService = (snapshot: Snapshot, organizationId: OrganizationId) =>
    overHttp(servers.neutral, throughService(organizationId))(snapshot)
  dashboardsLaws({ name: `${over}, through a service`, layer: ofService })
})
