export { authenticatorLaws, type AuthenticatorLawsOptions, tokensLaws, type TokensLawsOptions } from "./access/index.ts"
export {
  dashboardDocumentsLaws,
  type DashboardDocumentsLawsOptions,
  type DashboardDocumentsLawsPorts,
  dashboardsLaws,
  type DashboardsLawsOptions,
  organizationDashboardsLaws,
  type OrganizationDashboardsLawsOptions
} from "./dashboard/index.ts"
export {
  fixtureCredentials,
  fixtureDashboards,
  fixtureDocument,
  fixtureIds,
  fixturePipes,
  fixtureSnapshot
} from "./fixtures/index.ts"
export {
  apiKeyCredentialsLaws,
  type ApiKeyCredentialsLawsOptions,
  apiKeysLaws,
  type ApiKeysLawsOptions,
  storedApiKeysLaws,
  type StoredApiKeysLawsOptions,
  type StoredApiKeysLawsPorts
} from "./key/index.ts"
export {
  pipeDocumentsLaws,
  type PipeDocumentsLawsOptions,
  type PipeDocumentsLawsPorts,
  pipesLaws,
  type PipesLawsOptions
} from "./pipe/index.ts"
export { snapshotsLaws, type SnapshotsLawsOptions, type SnapshotsLawsPorts } from "./snapshot/index.ts"
