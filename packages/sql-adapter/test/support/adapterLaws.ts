import {
  apiKeyCredentialsLaws,
  apiKeysLaws,
  authenticatorLaws,
  dashboardsLaws,
  idempotentCreationsLaws,
  organizationDashboardsLaws,
  organizationLimitsLaws,
  cdcScalingLaws,
  organizationsLaws,
  reversePrivateEndpointsLaws,
  pipesLaws,
  pipeStatesLaws,
  servicesLaws,
  snapshotsLaws,
  storedApiKeysLaws,
  storedServicesLaws,
  tokensLaws
} from "@headgate/conformance"
import { type Snapshot, Snapshots } from "@headgate/core"
import * as Layer from "effect/Layer"
import { SqlAdapter } from "../../src/index.ts"

type Ports = Layer.Success<ReturnType<typeof SqlAdapter.layerSqlite>>

/** The laws of every port, each over a new and empty database. */
export const adapterLaws = <E>(name: string, empty: Layer.Layer<Ports, E>) => {
  const layer = (snapshot: Snapshot) =>
    Layer.effectDiscard(Snapshots.use((snapshots) => snapshots.import(snapshot))).pipe(Layer.provideMerge(empty))

  pipesLaws({ name, layer })
  pipeStatesLaws({ name, layer })
  organizationsLaws({ name, layer })
  servicesLaws({ name, layer })
  cdcScalingLaws({ name, layer })
  reversePrivateEndpointsLaws({ name, layer })
  storedServicesLaws({ name, layer })
  apiKeysLaws({ name, layer })
  apiKeyCredentialsLaws({ name, layer })
  dashboardsLaws({
    name,
    layer: (snapshot, organizationId) => Layer.provide(SqlAdapter.layerDashboards(organizationId), layer(snapshot))
  })
  organizationDashboardsLaws({ name, layer })
  organizationLimitsLaws({ name, layer })
  authenticatorLaws({ name, layer })
  idempotentCreationsLaws({ name, layer })
  tokensLaws({ name, layer })
  storedApiKeysLaws({ name, layer })
  snapshotsLaws({ name, layer })
}
