import type { Dialect } from "./Dialect.ts"
import type { Examples } from "./Operation.ts"
import {
  alertExamples,
  connectionExamples,
  dashboardExamples,
  savedSearchExamples,
  sourceExamples,
  webhookExamples
} from "./dashboard/dashboardExamples.ts"
import { keyExamples, roleExamples } from "./key/keyExamples.ts"
import type { Operations } from "./operations.ts"
import { organizationExamples } from "./organization/organizationExamples.ts"
import { pipeExamples } from "./pipe/pipeExamples.ts"
import { cdcScalingExamples, endpointExamples, serviceExamples } from "./service/serviceExamples.ts"

/**
 * An example of every operation of the contract in a dialect, by noun and name. They are for OpenAPI. They are not in the rows,
 * because a client bundles the rows.
 *
 * @example
 * ```ts
 * import { examples, neutral } from "@headgate/http-contract"
 *
 * console.log(examples(neutral).key.update.payload) // { state: 'disabled' }
 * ```
 */
export const examples = (dialect: Dialect): { readonly [Noun in keyof Operations]: Examples<Operations[Noun]> } => ({
  organization: organizationExamples,
  service: serviceExamples,
  cdcScaling: cdcScalingExamples,
  endpoint: endpointExamples,
  pipe: pipeExamples(dialect),
  key: keyExamples,
  role: roleExamples,
  dashboard: dashboardExamples(dialect),
  serviceDashboard: dashboardExamples(dialect),
  connection: connectionExamples,
  source: sourceExamples,
  savedSearch: savedSearchExamples,
  webhook: webhookExamples,
  alert: alertExamples
})
