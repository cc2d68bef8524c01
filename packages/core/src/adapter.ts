export { authenticate, type CredentialStore } from "./key/authenticate.ts"
export { Authenticator } from "./access/Authenticator.ts"
export { CallingKey } from "./access/CallingKey.ts"
export { CredentialHasher, hashCredential } from "./access/CredentialHash.ts"
export { embeddedIpv4 } from "./access/embeddedIpv4.ts"
export { ConsoleCode, ConsoleSession, ConsoleSessions, ConsoleSignIn } from "./access/ConsoleSessions.ts"
export type { Credentials, KeyCredentials, SessionCredentials, TokenCredentials } from "./access/Authenticator.ts"
export { TokenId } from "./id/token.ts"
export { makeToken, TokenRecord } from "./access/makeToken.ts"
export {
  isAuthorized,
  isPermitted,
  Permission,
  permissionsOf,
  type Principal,
  TokenGrant,
  type TokenPrincipal
} from "./access/Principal.ts"
export {
  CreationAnswer,
  IdempotentCreations,
  idempotencyHashes,
  type IdempotentRequest,
  KeyInFlight,
  KeyReused
} from "./access/IdempotentCreations.ts"
export { Sealing } from "./access/Sealing.ts"
export { type CreatedToken, Token, Tokens } from "./access/Tokens.ts"
export { checkVersion, withVersion } from "./access/Version.ts"
export { granularities } from "./chart/ChartQuery.ts"
export { OrganizationCharts } from "./chart/Charts.ts"
export { isCastType } from "./chart/expression/castTypes.ts"
export { call, column, type Expression, literal, number, type NumberText } from "./chart/expression/Expression.ts"
export { type ChartFunction, functionOf, functionTable, type ResultRule } from "./chart/expression/functionTable.ts"
export { kindOf } from "./chart/expression/kindOf.ts"
export { type LuceneScope, parseLucene } from "./chart/expression/parseLucene.ts"
export { type ListedExpression, parseSql, parseSqlList } from "./chart/expression/parseSql.ts"
export type { ExpressionIssue, Scope } from "./chart/expression/Scope.ts"
export { isListOfLiterals } from "./chart/expression/sqlCall.ts"
export { type ColumnKind, type ColumnType, columnTypeOf } from "./chart/query/ColumnType.ts"
export { chartSchemas, type ChartSchemas } from "./chart/chartSchemas.ts"
export { chartsBelowService } from "./chart/chartsBelowService.ts"
export { noCharts } from "./chart/noCharts.ts"
export { configSchemas } from "./dashboard/config/configSchemas.ts"
export type { DashboardReferences, FindReferences } from "./dashboard/config/references.ts"
export { BuiltInConnections, builtInIds } from "./dashboard/BuiltInConnections.ts"
export { ConnectionCredentials, type ConnectionTarget, damagedPassword } from "./dashboard/ConnectionCredentials.ts"
export { OrganizationConnections } from "./dashboard/Connections.ts"
export { OrganizationSources } from "./dashboard/DashboardSources.ts"
export {
  type DocumentKind,
  type DocumentKindName,
  documentKinds,
  type DocumentStores,
  OrganizationDocuments
} from "./dashboard/documentKinds.ts"
export { alertsOfDashboard } from "./dashboard/alertsOf.ts"
export type { FindNamed, NamedKind, NamedResource } from "./dashboard/DocumentRule.ts"
export { type DocumentRecord, type DocumentRules, documentRules, documentStores } from "./dashboard/documentRules.ts"
export type { OwnedDocuments } from "./dashboard/OwnedDocuments.ts"
export { type ConnectionRecord, connectionRules, sourceRules, type SourceRecord } from "./dashboard/storedDocuments.ts"
export { OrganizationDashboards } from "./dashboard/Dashboards.ts"
export { dashboardRules, Tiles, type TilesKind } from "./dashboard/dashboardRules.ts"
export { documentsBelowService } from "./dashboard/documentsBelowService.ts"
export { type CallFields, invalidRequest } from "./error/CallError.ts"
export { formatPath } from "./error/FieldIssue.ts"
export { nearestField, strictIdentifiers } from "./error/knownFields.ts"
export { type NotFound, noOrganization, TokenNotFound } from "./error/NotFound.ts"
export { chartNotFound, notFound, notFoundErrors, type NotFoundParams } from "./error/notFoundErrors.ts"
export { decodeRequest, jsonIssues } from "./error/validate.ts"
export { examples } from "./example/examples.ts"
export { exampleIds } from "./example/ids.ts"
export { ApiKeyRecord, keySuffix } from "./key/makeApiKey.ts"
export { type ConsoleKind, type ConsoleRecord, consoleRules, type NewConsoleRecord } from "./key/consoleRules.ts"
export { keyRules } from "./key/keyRules.ts"
export { roleRules } from "./key/makeRole.ts"
export { canReach, endStates } from "./pipe/awaitedStates.ts"
export {
  largestClockCorrection,
  type PipeRecord,
  type TransitionTime,
  type PipeAction,
  type PipeChange,
  type PipeKind,
  pipeKindOf,
  pipeLifecycle,
  stateSequences,
  PipeProgress,
  pipeRefusals,
  StepLength,
  transition
} from "./pipe/lifecycle.ts"
export { forwardSteps, PipeSimulation } from "./pipe/PipeSimulation.ts"
export {
  type DeletedPipe,
  type PipeAssignment,
  type PipeAssignments,
  MovedPipes,
  type MoverReport,
  restingStates
} from "./pipe/MovedPipes.ts"
export { checkChange, noWarehouse, PipeMetrics, PipeMover, warnOfExternalResources } from "./pipe/PipeMover.ts"
export { pipeStatusesOf, pipeStatusOf } from "./pipe/pipeStatusOf.ts"
export { type PipeEventCause, pipeEvents, StoredPipeEvent } from "./pipe/pipeEvents.ts"
export { mostListed } from "./pipe/PipeEvent.ts"
export { rejectedRows } from "./pipe/rejectedRows.ts"
export { historyRules, type PackedHistory } from "./pipe/historyRules.ts"
export type { HistorySpan, NotedMinute } from "./pipe/historySpans.ts"
export { pipeChanges } from "./pipe/pipeChanges.ts"
export { settingsOf } from "./pipe/SettingsUpdate.ts"
export { makePipe } from "./pipe/makePipe.ts"
export { systemRoles } from "./key/Role.ts"
export { KinesisSourceCreate } from "./pipe/source/KinesisSource.ts"
export {
  answeredSecretFields,
  credentialFields,
  joinCredentials,
  PipeCredentials,
  splitCredentials
} from "./pipe/credentialFields.ts"
export { refusedFields, UnknownFields } from "./pipe/unknownFields.ts"
export { discoverSchema } from "./pipe/discoverSchema.ts"
export { pipeCreateRules } from "./pipe/pipeRules.ts"
export { pipeSourceKinds } from "./pipe/PipeSource.ts"
export { kafkaFieldsOfCreation } from "./pipe/source/KafkaSource.ts"
export type { FieldRule, FieldRules } from "./pipe/source/FieldRule.ts"
export { checkServiceRuns, moveService, nextServiceState, ServiceState } from "./service/serviceLifecycle.ts"
export { makeService } from "./service/Service.ts"
export { endpointRules } from "./service/makeReversePrivateEndpoint.ts"
export { cdcReplicaRules } from "./service/CdcScaling.ts"
export { StoredServices } from "./service/Services.ts"
export { type KnownString, knownString, passedOnType, Uuid } from "./schema/fieldSchemas.ts"
export { jsonEncoder } from "./schema/jsonEncoder.ts"
export { hasMoreFields, hasMoreValues, isTooDeep } from "./schema/jsonLimits.ts"
export {
  type Alternatives,
  alternativesOf,
  exactlyOneOf,
  type LooseStruct,
  looseStruct,
  type Needs,
  needsOf,
  nullish,
  withIdentifier
} from "./schema/LooseStruct.ts"
export { RequestChecks, typesOnly } from "./schema/typesOnly.ts"
export { type OrganizationSnapshot, type SnapshotKey, snapshotOf, type SnapshotToken } from "./snapshot/Snapshot.ts"
export {
  type KindName,
  type KindRecords,
  type RowLists,
  type SnapshotContent,
  type SnapshotRow,
  type SnapshotRows
} from "./snapshot/SnapshotContent.ts"
export { type CountedKind, kindNames, kinds, mapKinds, summedKinds } from "./snapshot/kinds.ts"
export { secretNames } from "./snapshot/kindSecrets.ts"
export {
  limitRules,
  OrganizationLimits,
  type OrganizationUsage,
  organizationUsage
} from "./snapshot/OrganizationLimits.ts"
export { idConflict, snapshotRows, toSnapshot } from "./snapshot/snapshotRows.ts"
export { joinSecrets, secretsOf } from "./snapshot/snapshotSecrets.ts"
export { type ImportSummary, type OrganizationSummary, type SummedKind } from "./snapshot/Snapshots.ts"
export { type ManagementPort, type ObservabilityPort, ports, type StorePort } from "./ports.ts"
export { type PipeTable, PipeTables } from "./pipe/PipeTables.ts"
export { quantileLevels } from "./dashboard/config/quantileLevels.ts"
export { seriesConfig } from "./dashboard/config/seriesConfig.ts"
export { formatNumber } from "./chart/formatNumber.ts"
export {
  chartColumns,
  chartLabel,
  chartNumber,
  lastPeriodRuns,
  type SeriesTexts,
  type TimeChart,
  timeChartOf,
  type TimeSeries
} from "./chart/timeChart.ts"
export { makeCharts } from "./chart/plan/makeCharts.ts"
export { zoneOffsets } from "./chart/plan/Zone.ts"
export { type ChartEngine, ChartEngines } from "./chart/query/ChartEngines.ts"
export type {
  ChartTable,
  CounterRows,
  GroupedQuery,
  Named,
  Order,
  QueryAnswer,
  QuerySource,
  RowsQuery,
  TableQuery
} from "./chart/query/TableQuery.ts"
