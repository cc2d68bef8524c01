export { type PostgresOptions, type PostgresTable } from "./options/PostgresOptions.ts"
export {
  copyOptionsOf,
  type PostgresCredentials,
  postgresOptionsOf,
  PostgresSourceRefused
} from "./options/postgresOptionsOf.ts"
export { PostgresSource } from "./source/PostgresSource.ts"
export {
  checkSource,
  findRemains,
  releaseSource,
  type Remains,
  retainedLog,
  type RetainedLog,
  type SourceProblem
} from "./source/manageSource.ts"
