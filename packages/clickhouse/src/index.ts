export { ClickHouse, type InsertStatement, type RunOptions } from "./connection/ClickHouse.ts"
export { ClickHouseEngine } from "./connection/ClickHouseEngine.ts"
export type { EmbeddedOptions, ServerOptions } from "./connection/ClickHouseOptions.ts"
export { embeddedQueries } from "./connection/embeddedQueries.ts"
export { EngineConfigError, EngineFailure, rejectedRow, rejectionReason } from "./connection/EngineFailure.ts"
export type { QueryEngine, QuerySettings } from "./connection/QueryEngine.ts"
export { type QueryServerOptions, serverQueries } from "./connection/serverQueries.ts"
export { quoteIdentifier, quoteString, quoteTable } from "./sql/quote.ts"
export { splitList } from "./sql/splitList.ts"
export { writeExpression } from "./sql/writeExpression.ts"
export { type Column, describeTable, findTable, type Table, type TableDescription } from "./table/describeTable.ts"
export {
  commentOf,
  creatorOf,
  type ErrorTableName,
  errorTableOf,
  isErrorTableName,
  isOwnName,
  isSameTable,
  knownBy,
  newMark,
  ownTable,
  replacesByVersion
} from "./table/ownTable.ts"
export { query } from "./table/query.ts"
