import {
  apiKeyCredentialsLaws,
  apiKeysLaws,
  authenticatorLaws,
  dashboardDocumentsLaws,
  dashboardsLaws,
  organizationDashboardsLaws,
  pipeDocumentsLaws,
  pipesLaws,
  snapshotsLaws,
  storedApiKeysLaws,
  tokensLaws
} from "@headgate/conformance"
import { type Snapshot, Snapshots } from "@headgate/core/snapshot"
import * as Layer from "effect/Layer"
import { SqlDashboards } from "../src/index.ts"
import { layerTemporary } from "./temporaryDatabase.ts"

const name = "SQLite"

const layer = (snapshot: Snapshot) =>
  Layer.effectDiscard(Snapshots.use((snapshots) => snapshots.import(snapshot))).pipe(
    Layer.provideMerge(layerTemporary())
  )

pipesLaws({ name, layer })
pipeDocumentsLaws({ name, layer })
apiKeysLaws({ name, layer })
apiKeyCredentialsLaws({ name, layer })
dashboardsLaws({
  name,
  layer: (snapshot, organizationId) => Layer.provide(SqlDashboards.layer(organizationId), layer(snapshot))
})
organizationDashboardsLaws({ name, layer })
dashboardDocumentsLaws({ name, layer })
authenticatorLaws({ name, layer })
tokensLaws({ name, layer })
storedApiKeysLaws({ name, layer })
snapshotsLaws({ name, layer: layerTemporary() })
