export { adapterLaws, type LeftOutSuites, portLaws } from "./adapterLaws.ts"
export { authenticatorLaws } from "./access/authenticatorLaws.ts"
export { idempotentCreationsLaws } from "./access/idempotentCreationsLaws.ts"
export { organizationLimitsLaws } from "./access/organizationLimitsLaws.ts"
export { tokensLaws } from "./access/tokensLaws.ts"
export { versionsLaws } from "./access/versionsLaws.ts"
export { dashboardsLaws } from "./dashboard/dashboardsLaws.ts"
export {
  alertsLaws,
  connectionsLaws,
  dashboardSourcesLaws,
  savedSearchesLaws,
  webhooksLaws
} from "./dashboard/documentLaws.ts"
export { organizationDashboardsLaws } from "./dashboard/organizationDashboardsLaws.ts"
export { organizationDocumentsLaws } from "./dashboard/organizationDocumentsLaws.ts"
export { apiKeyCredentialsLaws } from "./key/apiKeyCredentialsLaws.ts"
export { apiKeysLaws } from "./key/apiKeysLaws.ts"
export { rolesLaws } from "./key/rolesLaws.ts"
export { type LawsOptions } from "./LawsOptions.ts"
export { organizationsLaws } from "./organization/organizationsLaws.ts"
export { askedSourcesLaws } from "./pipe/askedSourcesLaws.ts"
export { deletedPipesLaws } from "./pipe/deletedPipesLaws.ts"
export { movedPipesLaws } from "./pipe/movedPipesLaws.ts"
export { pipeStatesLaws } from "./pipe/pipeStatesLaws.ts"
export { pipeRequestsLaws } from "./pipe/pipeRequestsLaws.ts"
export { pipesLaws } from "./pipe/pipesLaws.ts"
export { unknownFieldsLaws } from "./pipe/unknownFieldsLaws.ts"
export { cdcScalingLaws } from "./service/cdcScalingLaws.ts"
export { reversePrivateEndpointsLaws } from "./service/reversePrivateEndpointsLaws.ts"
export { servicesLaws } from "./service/servicesLaws.ts"
export { storedServicesLaws } from "./service/storedServicesLaws.ts"
export { snapshotsLaws } from "./snapshot/snapshotsLaws.ts"
