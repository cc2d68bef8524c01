export { CurrentPrincipal } from "./access/CurrentPrincipal.ts"
export { RequiredPermission } from "./access/RequiredPermission.ts"
export { ManagementSecurity, ObservabilitySecurity } from "./access/Security.ts"
export { type Api, makeApi, openApi } from "./Api.ts"
export { dashboardGroup } from "./dashboard/DashboardGroup.ts"
export { dashboardOperations } from "./dashboard/dashboardOperations.ts"
export {
  clickhouse,
  type Dialect,
  type DialectName,
  dialectNames,
  dialects,
  neutral,
  renameSetting
} from "./Dialect.ts"
export { EmptyManagementEnvelope, managementEnvelope, observabilityEnvelope } from "./Envelope.ts"
export { type ErrorCode, errorStatuses, ManagementErrorBody, ObservabilityErrorBody } from "./ErrorBody.ts"
export { keyGroup } from "./key/KeyGroup.ts"
export { keyOperations } from "./key/keyOperations.ts"
export type { Operation } from "./Operation.ts"
export { pipeGroup } from "./pipe/PipeGroup.ts"
export { pipeOnWire } from "./pipe/PipeOnWire.ts"
export { pipeOperations } from "./pipe/pipeOperations.ts"
export { pipeTextOnWire } from "./pipe/pipeTextOnWire.ts"
export { snapshotOnWire } from "./snapshot/SnapshotOnWire.ts"
