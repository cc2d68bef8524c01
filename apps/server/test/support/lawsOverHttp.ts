import { adapterLaws, portLaws } from "@headgate/conformance"
import { fixtureCredentials, fixtureIds } from "@headgate/conformance/fixtures"
import {
  Alerts,
  BelowService,
  Dashboards,
  DashboardSources,
  type OrganizationId,
  SavedSearches,
  type Snapshot,
  Snapshots,
  Webhooks
} from "@headgate/core"
import { OrganizationLimits, PipeSimulation, StepLength, StoredServices, Tokens } from "@headgate/core/adapter"
import { HttpAdapter, HttpDashboards, HttpDocumentStores, ManagementConnection } from "@headgate/http-adapter"
import { clickhouse, type Dialect, neutral } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { afterAll } from "vitest"
import { liveServer, ServerUrl } from "./liveServer.ts"
import type { Store } from "./stores.ts"

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

/** What a law does to the server beside its clients: it steers the simulation and changes what the operator changes. */
const operator = Layer.effectContext(
  Effect.map(
    Effect.context<PipeSimulation | Snapshots | StoredServices | Tokens>(),
    Context.pick(PipeSimulation, Snapshots, StoredServices, Tokens)
  )
)

/** An adapter that calls a server whose store holds the snapshot. */
const overHttp =
  <A, E>(server: ServerFor, client: (baseUrl: string, organizationId: OrganizationId) => Layer.Layer<A, E>) =>
  (snapshot: Snapshot, organizationId: OrganizationId) =>
    Layer.unwrap(Effect.map(ServerUrl, (url) => client(url, organizationId))).pipe(
      Layer.merge(operator),
      Layer.provide(server(snapshot))
    )

/** Every port of the two APIs. */
const bothApis = (dialect: Dialect) => (baseUrl: string, organizationId: OrganizationId) => {
  const { keys, tokens } = fixtureCredentials
  const { token } = organizationId === fixtureIds.organizations.acme ? tokens.acme : tokens.globex
  return Layer.merge(
    HttpAdapter.layerManagement({ baseUrl, dialect, ...keys.admin }),
    HttpAdapter.layerObservability({ baseUrl, token })
  ).pipe(Layer.provide(FetchHttpClient.layer))
}

const throughService = (baseUrl: string, organizationId: OrganizationId) => {
  const { keys } = fixtureCredentials
  const { services } = fixtureIds
  const isAcme = organizationId === fixtureIds.organizations.acme
  const key = isAcme ? keys.admin : keys.globex
  const address = { organizationId, serviceId: isAcme ? services.ingest : services.globex }
  const below = <Identifier, Port>(port: Context.Key<Identifier, Port>) =>
    Layer.effect(
      port,
      BelowService(port).useSync(({ of }) => of(address))
    )
  return Layer.mergeAll(
    below(Dashboards),
    below(DashboardSources),
    below(SavedSearches),
    below(Webhooks),
    below(Alerts)
  ).pipe(
    Layer.provide([HttpDashboards.layerServices, HttpDocumentStores.layerServices]),
    Layer.provide(ManagementConnection.layer({ baseUrl, ...key })),
    Layer.provide(FetchHttpClient.layer)
  )
}

const inServer = "sets the limits, the mover or the clock of a call, which a server reads in a process of its own"
const notServed = "its ports are those that a server has to its store: no operation of the API is one of theirs"

/** What no client of the API can show. */
const leftOut = {
  askedSourcesLaws: inServer,
  deletedPipesLaws: inServer,
  pipeTablesLaws: inServer,
  connectionCredentialsLaws: inServer,
  movedPipesLaws: inServer,
  pipeChangesLaws: inServer,
  movedPipeEventsLaws: inServer,
  organizationLimitsLaws: inServer,
  apiKeyCredentialsLaws: inServer,
  unknownFieldsLaws: inServer,
  authenticatorLaws: notServed,
  consoleSignInLaws: notServed,
  consoleKeysLaws: notServed,
  idempotentCreationsLaws: notServed,
  organizationDashboardsLaws: notServed,
  organizationDocumentsLaws: notServed,
  tokensLaws: notServed,
  validateOnlyLaws: notServed,
  snapshotsLaws: "reads the pipes and dashboards of every organization, and a caller reads those of one"
}

const sameInEveryDialect = "has the same paths and bodies in every dialect"
const ofClickhouse =
  "dashboards of today's service have rules of their own: docs/wire-contract.md#dashboards-in-the-clickhouse-dialect"

const overStore = ({ name }: Store) => `http-adapter over a live server over ${name}`

/** The laws of every port that the API serves, over HTTP against a server over a store. */
export const lawsOfNeutral = (store: Store): void =>
  adapterLaws({
    name: `${overStore(store)}, neutral`,
    layer: overHttp(serverFor(store, neutral), bothApis(neutral)),
    leftOut
  })

/** {@link lawsOfNeutral} in the dialect `clickhouse`, without those that it does not change. */
export const lawsOfClickhouse = (store: Store): void =>
  adapterLaws({
    name: `${overStore(store)}, clickhouse`,
    layer: overHttp(serverFor(store, clickhouse), bothApis(clickhouse)),
    leftOut: {
      ...leftOut,
      organizationsLaws: sameInEveryDialect,
      servicesLaws: sameInEveryDialect,
      storedServicesLaws: sameInEveryDialect,
      apiKeysLaws: sameInEveryDialect,
      rolesLaws: sameInEveryDialect,
      consoleSessionsLaws: sameInEveryDialect,
      dashboardsLaws: ofClickhouse,
      alertDeletionLaws: ofClickhouse,
      dashboardVersionsLaws: ofClickhouse,
      connectionsLaws: sameInEveryDialect,
      dashboardSourcesLaws: sameInEveryDialect,
      savedSearchesLaws: sameInEveryDialect,
      webhooksLaws: sameInEveryDialect,
      alertsLaws: sameInEveryDialect,
      keyVersionsLaws: sameInEveryDialect,
      roleVersionsLaws: sameInEveryDialect,
      connectionVersionsLaws: sameInEveryDialect,
      sourceVersionsLaws: sameInEveryDialect,
      savedSearchVersionsLaws: sameInEveryDialect,
      webhookVersionsLaws: sameInEveryDialect,
      alertVersionsLaws: sameInEveryDialect
    }
  })

/** The laws of the documents of an organization, as a service reaches them. */
export const lawsThroughService = (store: Store): void =>
  portLaws([Dashboards, DashboardSources, SavedSearches, Webhooks, Alerts], {
    name: `${overStore(store)}, through a service`,
    layer: overHttp(serverFor(store, neutral), throughService)
  })
