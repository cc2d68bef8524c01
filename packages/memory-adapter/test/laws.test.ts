import {
  apiKeyCredentialsLaws,
  apiKeysLaws,
  authenticatorLaws,
  dashboardsLaws,
  organizationDashboardsLaws,
  pipesLaws,
  snapshotsLaws,
  storedApiKeysLaws,
  tokensLaws
} from "@headgate/conformance"
import type { Snapshot } from "@headgate/core"
import { MemoryAdapter } from "../src/index.ts"

const name = "memory"
const layer = (snapshot: Snapshot) => MemoryAdapter.layer({ snapshot })

pipesLaws({ name, layer })
apiKeysLaws({ name, layer })
apiKeyCredentialsLaws({ name, layer })
dashboardsLaws({ name, layer: (snapshot, organizationId) => MemoryAdapter.layer({ snapshot, organizationId }) })
organizationDashboardsLaws({ name, layer })
authenticatorLaws({ name, layer })
tokensLaws({ name, layer })
storedApiKeysLaws({ name, layer })
snapshotsLaws({ name, layer })
