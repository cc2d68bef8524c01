export { postgresConnector } from "./source/postgresConnector.ts"
export { type PostgresOptions, type PostgresTable } from "./options/PostgresOptions.ts"
export { copyOptionsOf, type PostgresCredentials, postgresOptionsOf } from "./options/postgresOptionsOf.ts"
export { PostgresSource } from "./source/PostgresSource.ts"
export {
  checkSource,
  externalResources,
  releaseSource,
  retainedLog,
  type SourceProblem
} from "./source/manageSource.ts"
