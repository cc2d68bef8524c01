import { chartExamples } from "./chart.ts"
import { configDashboardExamples, dashboardExamples } from "./dashboard.ts"
import { documentExamples } from "./document.ts"
import { consoleExamples, keyExamples, roleExamples } from "./key.ts"
import { organizationExamples } from "./organization.ts"
import { pipeExamples } from "./pipe.ts"
import { cdcScalingExamples, endpointExamples, serviceExamples } from "./service.ts"

/**
 * A request and its answer for each operation, by noun and name, as JSON with the names of the neutral dialect. They are valid
 * where a store has what they name. Texts in angle brackets stand for secrets.
 *
 * @example
 * ```ts
 * import { examples } from "@headgate/core/adapter"
 *
 * console.log(examples.cdcScaling.update.payload) // { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }
 * ```
 */
export const examples = {
  organization: organizationExamples,
  service: serviceExamples,
  cdcScaling: cdcScalingExamples,
  endpoint: endpointExamples,
  pipe: pipeExamples,
  key: keyExamples,
  role: roleExamples,
  console: consoleExamples,
  dashboard: dashboardExamples,
  serviceDashboard: dashboardExamples,
  configDashboard: configDashboardExamples,
  ...documentExamples,
  serviceSource: documentExamples.source,
  serviceSavedSearch: documentExamples.savedSearch,
  serviceWebhook: documentExamples.webhook,
  serviceAlert: documentExamples.alert,
  chart: chartExamples,
  serviceChart: chartExamples
}
