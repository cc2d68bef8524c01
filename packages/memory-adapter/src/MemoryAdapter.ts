import { Charts, type InvalidRequest, OrganizationId, type Snapshot, Snapshots } from "@headgate/core"
import {
  type IdempotentCreations,
  makeCharts,
  type ObservabilityPort,
  OrganizationCharts,
  type StorePort
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { MemoryStore } from "./MemoryStore.ts"
import { MemoryAuthenticator } from "./access/MemoryAuthenticator.ts"
import { MemoryConsoleSessions } from "./access/MemoryConsoleSessions.ts"
import { MemoryIdempotentCreations } from "./access/MemoryIdempotentCreations.ts"
import { MemoryTokens } from "./access/MemoryTokens.ts"
import { type MemoryChartDatabase, MemoryChartEngines } from "./chart/MemoryChartEngines.ts"
import { MemoryConnectionCredentials } from "./dashboard/MemoryConnectionCredentials.ts"
import { MemoryConnections } from "./dashboard/MemoryConnections.ts"
import { MemoryDashboards } from "./dashboard/MemoryDashboards.ts"
import { MemoryDocumentStores } from "./dashboard/MemoryDocumentStores.ts"
import { MemorySources } from "./dashboard/MemorySources.ts"
import { MemoryApiKeys } from "./key/MemoryApiKeys.ts"
import { MemoryOrganizations } from "./organization/MemoryOrganizations.ts"
import { MemoryRoles } from "./key/MemoryRoles.ts"
import { MemoryPipes } from "./pipe/MemoryPipes.ts"
import { MemoryPipeTables } from "./pipe/MemoryPipeTables.ts"
import { MemoryCdcScaling } from "./service/MemoryCdcScaling.ts"
import { MemoryReversePrivateEndpoints } from "./service/MemoryReversePrivateEndpoints.ts"
import { MemoryServices } from "./service/MemoryServices.ts"
import { layerMoved, layerSimulation } from "./pipe/storedPipes.ts"
import { MemorySnapshots } from "./snapshot/MemorySnapshots.ts"

/** The options of {@link MemoryAdapter}. */
export interface MemoryAdapterOptions {
  /** What the store holds at first. Absent: nothing. */
  readonly snapshot?: Snapshot
  /** The organization whose dashboards and the documents beside them the ports read and write. Absent: the snapshot's first one. */
  readonly organizationId?: OrganizationId
  /** The tables that charts read. Absent: a chart that needs a table fails with `FailedDependency`. */
  readonly chartTables?: ReadonlyArray<MemoryChartDatabase>
}

/** Every port that the adapter has. */
export type MemoryPorts = StorePort | ObservabilityPort | IdempotentCreations | OrganizationCharts

/** The organization of `Dashboards` where neither the options nor the snapshot name one. */
const defaultOrganizationId = OrganizationId.make("00000000-0000-4000-8000-000000000001")

/** The charts of every organization, and of one, over documents in memory. */
const charts = (organizationId: OrganizationId, tables: MemoryAdapterOptions["chartTables"]) =>
  Layer.effect(
    Charts,
    OrganizationCharts.useSync((charts) => charts.of(organizationId))
  ).pipe(
    // Another layer of the same build may make charts over other engines.
    Layer.provideMerge(Layer.fresh(makeCharts)),
    Layer.provide([
      MemoryDashboards.layerByOrganization,
      MemorySources.layerByOrganization,
      MemoryChartEngines.layer(tables)
    ])
  )

const layerNoDeps = (
  options: MemoryAdapterOptions = {}
): Layer.Layer<MemoryPorts, InvalidRequest, Digest.Digest | SecureRandom.SecureRandom> => {
  const { snapshot } = options
  const organizationId = options.organizationId ?? snapshot?.organizations[0]?.id ?? defaultOrganizationId
  const ports = Layer.mergeAll(
    MemoryApiKeys.layer,
    MemoryAuthenticator.layer,
    MemoryConsoleSessions.layer,
    charts(organizationId, options.chartTables),
    MemoryIdempotentCreations.layer,
    MemoryDashboards.layer(organizationId).pipe(Layer.provideMerge(MemoryDashboards.layerByOrganization)),
    MemoryOrganizations.layer,
    MemoryConnectionCredentials.layer,
    MemoryConnections.layer(organizationId).pipe(Layer.provideMerge(MemoryConnections.layerByOrganization)),
    MemorySources.layer(organizationId).pipe(Layer.provideMerge(MemorySources.layerByOrganization)),
    MemoryDocumentStores.layer(organizationId).pipe(Layer.provideMerge(MemoryDocumentStores.layerByOrganization)),
    MemoryPipes.layer,
    MemoryPipeTables.layer,
    MemoryServices.layer,
    MemoryCdcScaling.layer,
    MemoryReversePrivateEndpoints.layer,
    MemoryServices.layerStored,
    layerSimulation,
    layerMoved,
    MemoryRoles.layer,
    MemorySnapshots.layer,
    MemoryTokens.layer
  )
  const imported = Layer.effectDiscard(
    snapshot === undefined ? Effect.void : Snapshots.use((snapshots) => snapshots.import(snapshot))
  )
  return imported.pipe(Layer.provideMerge(ports), Layer.provide(Layer.fresh(MemoryStore.layer)))
}

const layer = (options: MemoryAdapterOptions = {}): Layer.Layer<MemoryPorts, InvalidRequest> =>
  Layer.provide(layerNoDeps(options), [Digest.layerWebCrypto, SecureRandom.layerWebCrypto])

/**
 * Every port over one new store in memory, but for those of `BelowService`, which `documentsBelowService` of
 * `@headgate/core/adapter` makes from them: the adapter for tests. `layer(options)` fails with `InvalidRequest` when the
 * snapshot contradicts itself. `layerNoDeps(options)` takes `Digest` and `SecureRandom` from the caller, for a test that
 * needs the same ids in each run. Times come from the `Clock`, so `TestClock` expires keys. Organizations come from the
 * snapshot: a creation in one that the store does not have is `Forbidden`, or `ServiceNotFound` under a service.
 *
 * @example
 * ```ts
 * import { Dashboards, OrganizationId, type Snapshot } from "@headgate/core"
 * import { MemoryAdapter } from "@headgate/memory-adapter"
 * import * as Effect from "effect/Effect"
 *
 * const names = Effect.gen(function* () {
 *   const dashboards = yield* Dashboards
 *   yield* dashboards.create({ name: "Errors" })
 *   return (yield* dashboards.list()).map(({ name }) => name)
 * })
 * const id = OrganizationId.make("4f9c2b1e-0000-4000-8000-000000000001")
 * const snapshot: Snapshot = { organizations: [{ id, name: "Acme" }] }
 * console.log(await Effect.runPromise(Effect.provide(names, MemoryAdapter.layer({ snapshot })))) // [ 'Errors' ]
 * ```
 */
export const MemoryAdapter = { layer, layerNoDeps }
