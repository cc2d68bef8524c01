export { type PostgresOptions, type PostgresTable } from "./options/PostgresOptions.ts"
export {
  copyOptionsOf,
  type PostgresCredentials,
  postgresOptionsOf,
  PostgresSourceRefused
} from "./options/postgresOptionsOf.ts"
export { PostgresSource } from "./source/PostgresSource.ts"
export { checkSource, type SourceProblem } from "./manage/checkSource.ts"
export { findRemains, type Remains, releaseSource } from "./manage/releaseSource.ts"
export { retainedLog, type RetainedLog } from "./manage/retainedLog.ts"
