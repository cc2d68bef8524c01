export { type Api, makeApi, openApi } from "./Api.ts"
export { belowService } from "./dashboard/belowService.ts"
export { dashboardRoleOperations } from "./dashboard/dashboardRoleOperations.ts"
export { chartOperations } from "./chart/chartOperations.ts"
export { dashboardOperations } from "./dashboard/dashboardOperations.ts"
export {
  alertOperations,
  connectionOperations,
  savedSearchOperations,
  sourceOperations,
  webhookOperations
} from "./dashboard/sourceOperations.ts"
export {
  clickhouse,
  type Dialect,
  type DialectName,
  dialectNames,
  dialects,
  neutral,
  renameRefusal,
  renameSetting
} from "./Dialect.ts"
export { successBody, successDecoder } from "./Envelope.ts"
export {
  type ErrorCode,
  errorStatuses,
  ManagementErrorBody,
  ObservabilityErrorBody,
  plainTextErrors
} from "./ErrorBody.ts"
export { examples } from "./examples.ts"
export { consoleOperations } from "./key/consoleOperations.ts"
export { keyOperations } from "./key/keyOperations.ts"
export { roleOperations } from "./key/roleOperations.ts"
export {
  type AnyOperation,
  type ApiName,
  errorCodesOf,
  type Example,
  hasQuery,
  isChange,
  isCreation,
  isNoContent,
  isOfVersioned,
  noPayload,
  type Operation
} from "./Operation.ts"
export { type Operations, operations } from "./operations.ts"
export { organizationOperations } from "./organization/organizationOperations.ts"
export { beforeQuery, Cursor, type CursorPosition, CursorQuery, maxCursorPage, maxPage, PageQuery } from "./Paging.ts"
export { pipeCodec, pipeCreateCodec, pipeUpdateCodec, renamePipeJson, settingsCodec } from "./pipe/pipeCodec.ts"
export { pipeOperations } from "./pipe/pipeOperations.ts"
export { type PortMethod, takesAddress } from "./portMethod.ts"
export { cdcScalingOperations } from "./service/cdcScalingOperations.ts"
export { endpointOperations } from "./service/endpointOperations.ts"
export { serviceOperations } from "./service/serviceOperations.ts"
export { snapshotCodec } from "./snapshot/snapshotCodec.ts"
