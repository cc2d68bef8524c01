import { authenticatorLaws } from "./access/authenticatorLaws.ts"
import { idempotentCreationsLaws } from "./access/idempotentCreationsLaws.ts"
import { organizationLimitsLaws } from "./access/organizationLimitsLaws.ts"
import { tokensLaws } from "./access/tokensLaws.ts"
import { versionsLaws } from "./access/versionsLaws.ts"
import { dashboardsLaws } from "./dashboard/dashboardsLaws.ts"
import {
  alertsLaws,
  connectionsLaws,
  dashboardSourcesLaws,
  savedSearchesLaws,
  webhooksLaws
} from "./dashboard/documentLaws.ts"
import { organizationDashboardsLaws } from "./dashboard/organizationDashboardsLaws.ts"
import { organizationDocumentsLaws } from "./dashboard/organizationDocumentsLaws.ts"
import { apiKeyCredentialsLaws } from "./key/apiKeyCredentialsLaws.ts"
import { apiKeysLaws } from "./key/apiKeysLaws.ts"
import { rolesLaws } from "./key/rolesLaws.ts"
import type { LawsOptions } from "./LawsOptions.ts"
import { organizationsLaws } from "./organization/organizationsLaws.ts"
import { askedSourcesLaws } from "./pipe/askedSourcesLaws.ts"
import { deletedPipesLaws } from "./pipe/deletedPipesLaws.ts"
import { movedPipesLaws } from "./pipe/movedPipesLaws.ts"
import { pipeRequestsLaws } from "./pipe/pipeRequestsLaws.ts"
import { pipeStatesLaws } from "./pipe/pipeStatesLaws.ts"
import { pipesLaws } from "./pipe/pipesLaws.ts"
import { cdcScalingLaws } from "./service/cdcScalingLaws.ts"
import { reversePrivateEndpointsLaws } from "./service/reversePrivateEndpointsLaws.ts"
import { servicesLaws } from "./service/servicesLaws.ts"
import { storedServicesLaws } from "./service/storedServicesLaws.ts"
import { snapshotsLaws } from "./snapshot/snapshotsLaws.ts"

const suites = [
  pipesLaws,
  movedPipesLaws,
  askedSourcesLaws,
  deletedPipesLaws,
  pipeStatesLaws,
  pipeRequestsLaws,
  organizationsLaws,
  servicesLaws,
  cdcScalingLaws,
  reversePrivateEndpointsLaws,
  storedServicesLaws,
  apiKeysLaws,
  apiKeyCredentialsLaws,
  dashboardsLaws,
  connectionsLaws,
  dashboardSourcesLaws,
  savedSearchesLaws,
  webhooksLaws,
  alertsLaws,
  organizationDashboardsLaws,
  organizationDocumentsLaws,
  organizationLimitsLaws,
  authenticatorLaws,
  idempotentCreationsLaws,
  tokensLaws,
  rolesLaws,
  snapshotsLaws
] as const

type PortsOf<Options> = Options extends LawsOptions<infer Ports> ? Ports : never

/**
 * The laws of every port, for an adapter that stores everything.
 *
 * @example
 * ```ts
 * import { storeLaws } from "@headgate/conformance"
 * import { MemoryAdapter } from "@headgate/memory-adapter"
 *
 * export const laws = () =>
 *   storeLaws({
 *     name: "memory",
 *     layer: (snapshot, organizationId) => MemoryAdapter.layer({ snapshot, organizationId })
 *   })
 * ```
 */
export const storeLaws = (options: LawsOptions<PortsOf<Parameters<(typeof suites)[number]>[0]>>): void => {
  for (const laws of suites) laws(options)
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
    options
  )
}
