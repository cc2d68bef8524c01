import {
  alertsLaws,
  apiKeyCredentialsLaws,
  apiKeysLaws,
  authenticatorLaws,
  connectionsLaws,
  dashboardsLaws,
  idempotentCreationsLaws,
  dashboardSourcesLaws,
  organizationDashboardsLaws,
  organizationDocumentsLaws,
  organizationLimitsLaws,
  cdcScalingLaws,
  organizationsLaws,
  reversePrivateEndpointsLaws,
  pipeRequestsLaws,
  pipesLaws,
  movedPipesLaws,
  pipeStatesLaws,
  servicesLaws,
  snapshotsLaws,
  storedServicesLaws,
  rolesLaws,
  savedSearchesLaws,
  tokensLaws,
  versionsLaws,
  webhooksLaws
} from "@headgate/conformance"
import { Dashboards, type Snapshot } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryAdapter } from "../src/index.ts"

const name = "memory"
const layer = (snapshot: Snapshot) => MemoryAdapter.layer({ snapshot })

pipesLaws({ name, layer })
movedPipesLaws({ name, layer })
pipeStatesLaws({ name, layer })

pipeRequestsLaws({ name, layer })
organizationsLaws({ name, layer })
servicesLaws({ name, layer })
cdcScalingLaws({ name, layer })
reversePrivateEndpointsLaws({ name, layer })
storedServicesLaws({ name, layer })
apiKeysLaws({ name, layer })
apiKeyCredentialsLaws({ name, layer })
dashboardsLaws({ name, layer: (snapshot, organizationId) => MemoryAdapter.layer({ snapshot, organizationId }) })
connectionsLaws({ name, layer: (snapshot, organizationId) => MemoryAdapter.layer({ snapshot, organizationId }) })
dashboardSourcesLaws({ name, layer: (snapshot, organizationId) => MemoryAdapter.layer({ snapshot, organizationId }) })
savedSearchesLaws({ name, layer: (snapshot, organizationId) => MemoryAdapter.layer({ snapshot, organizationId }) })
webhooksLaws({ name, layer: (snapshot, organizationId) => MemoryAdapter.layer({ snapshot, organizationId }) })
alertsLaws({ name, layer: (snapshot, organizationId) => MemoryAdapter.layer({ snapshot, organizationId }) })
organizationDashboardsLaws({ name, layer })
organizationDocumentsLaws({ name, layer })
organizationLimitsLaws({ name, layer })
authenticatorLaws({ name, layer })
idempotentCreationsLaws({ name, layer })
tokensLaws({ name, layer })
rolesLaws({ name, layer })
snapshotsLaws({ name, layer })
versionsLaws(
  [
    "pipe",
    "key",
    "role",
    "reversePrivateEndpoint",
    "dashboard",
    "connection",
    "source",
    "savedSearch",
    "webhook",
    "alert"
  ],
  {
    name,
    layer: (snapshot, organizationId) => MemoryAdapter.layer({ snapshot, organizationId })
  }
)

// The order of dashboards is not promised: the real service sorts them by name, descending.
const SortedByName = Layer.effect(
  Dashboards,
  Dashboards.useSync((dashboards) => ({
    ...dashboards,
    list: () => Effect.map(dashboards.list(), (all) => all.toSorted((one, other) => other.name.localeCompare(one.name)))
  }))
)
dashboardsLaws({
  name: "memory, sorted by name",
  layer: (snapshot, organizationId) =>
    SortedByName.pipe(Layer.provide(MemoryAdapter.layer({ snapshot, organizationId })))
})
