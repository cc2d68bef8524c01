export { IpAccessListEntry, IpAccessListEntryCreate } from "./access/IpAccessList.ts"
export { OrganizationId } from "./id/organization.ts"
export { IfMatch, versionOf } from "./access/Version.ts"
export { ChartColumn, ChartData, ChartQuery } from "./chart/ChartQuery.ts"
export { ChartSearch, FoundRows } from "./chart/ChartSearch.ts"
export { ChartSeries, SeriesData } from "./chart/ChartSeries.ts"
export { Charts } from "./chart/Charts.ts"
export type { DashboardContainer, SavedFilterValue } from "./dashboard/config/configSchemas.ts"
export type { DashboardFilter } from "./dashboard/config/filters.ts"
export { TileConfig } from "./dashboard/config/TileConfig.ts"
export { Dashboard, Series, Tile } from "./dashboard/Dashboard.ts"
export { DashboardCreate, SeriesCreate, TileCreate } from "./dashboard/DashboardCreate.ts"
export { Connection, ConnectionCreate, Connections } from "./dashboard/Connections.ts"
export { BelowService } from "./dashboard/BelowService.ts"
export { Dashboards } from "./dashboard/Dashboards.ts"
export { DashboardRole, DashboardRoleCreate, DashboardRoles, DashboardRoleUpdate } from "./dashboard/DashboardRoles.ts"
export { DashboardSource, DashboardSourceCreate, DashboardSources } from "./dashboard/DashboardSources.ts"
export { DashboardUpdate, TileUpdate } from "./dashboard/DashboardUpdate.ts"
export { DashboardDocument, DashboardValidation } from "./dashboard/DashboardValidation.ts"
export { Alert, AlertCreate, Alerts } from "./dashboard/Alerts.ts"
export { SavedSearch, SavedSearchCreate, SavedSearches } from "./dashboard/SavedSearches.ts"
export { Webhook, WebhookCreate, WebhookDocument, Webhooks, WebhookValidation } from "./dashboard/Webhooks.ts"
export {
  AlertId,
  ConnectionId,
  DashboardId,
  DashboardRoleId,
  SavedSearchId,
  SourceId,
  TileId,
  WebhookId
} from "./id/dashboard.ts"
export {
  CallError,
  Conflict,
  ConnectionError,
  FailedDependency,
  Forbidden,
  InvalidRequest,
  PreconditionFailed,
  RateLimited,
  ServerError,
  TimeoutError,
  Unauthorized,
  UnexpectedResponse
} from "./error/CallError.ts"
export { FieldIssue, fieldIssues, formatFieldIssues } from "./error/FieldIssue.ts"
export {
  AlertNotFound,
  ChartNotFound,
  ConnectionNotFound,
  DashboardNotFound,
  DashboardRoleNotFound,
  KeyNotFound,
  OrganizationNotFound,
  ReversePrivateEndpointNotFound,
  PipeNotFound,
  PortError,
  RoleNotFound,
  SavedSearchNotFound,
  ServiceNotFound,
  SourceNotFound,
  WebhookNotFound
} from "./error/NotFound.ts"
export { ApiKey, AssignedRole, CreatedApiKey } from "./key/ApiKey.ts"
export { ApiKeyCreate, HashData } from "./key/ApiKeyCreate.ts"
export { ApiKeys } from "./key/ApiKeys.ts"
export { ApiKeyUpdate } from "./key/ApiKeyUpdate.ts"
export { ApiKeyState } from "./key/ApiKeyState.ts"
export { ApiKeyAddress, ApiKeyId } from "./id/key.ts"
export { RoleAddress, RoleId, SystemRole } from "./id/role.ts"
export { makeCredentials } from "./key/makeApiKey.ts"
export { Organization, Whoami } from "./organization/Organization.ts"
export { Organizations } from "./organization/Organizations.ts"
export { Role, RolePolicy, systemRoleIds } from "./key/Role.ts"
export { RoleCreate, RoleUpdate } from "./key/RoleCreate.ts"
export { Roles } from "./key/Roles.ts"
export { Destination } from "./pipe/Destination.ts"
export { PipeAddress, PipeId } from "./id/pipe.ts"
export { ServiceAddress, ServiceId } from "./id/service.ts"
export { FieldMapping, Pipe, PipeState, pipeStates, Scaling } from "./pipe/Pipe.ts"
export { PipeContext, Pipes } from "./pipe/Pipes.ts"
export { type BeforeQuery, PipeEvent } from "./pipe/PipeEvent.ts"
export { PipeCreate } from "./pipe/PipeCreate.ts"
export { PipeSource, PipeSourceCreate } from "./pipe/PipeSource.ts"
export { RejectedRow } from "./pipe/RejectedRow.ts"
export { PipeResume } from "./pipe/PipeResume.ts"
export { PipeStateChange } from "./pipe/PipeStateChange.ts"
export { HistoryQuery, HistoryPoint, PipeHistory } from "./pipe/PipeHistory.ts"
export { ListedPipeStatus, PipeStatus } from "./pipe/PipeStatus.ts"
export { PipeUpdate } from "./pipe/PipeUpdate.ts"
export { DiscoveredSchema, SchemaDiscovery } from "./pipe/SchemaDiscovery.ts"
export { ScalingUpdate } from "./pipe/ScalingUpdate.ts"
export { SettingsUpdate } from "./pipe/SettingsUpdate.ts"
export { Settings } from "./pipe/Settings.ts"
export { BigQuerySource } from "./pipe/source/BigQuerySource.ts"
export { KafkaSource } from "./pipe/source/KafkaSource.ts"
export { KinesisSource } from "./pipe/source/KinesisSource.ts"
export { MongoDbSource } from "./pipe/source/MongoDbSource.ts"
export { MySqlSource } from "./pipe/source/MySqlSource.ts"
export { ObjectStorageSource } from "./pipe/source/ObjectStorageSource.ts"
export { PostgresSource } from "./pipe/source/PostgresSource.ts"
export { PubSubSource } from "./pipe/source/PubSubSource.ts"
export { CdcReplicaSize, CdcReplicaSizeUpdate, CdcScaling } from "./service/CdcScaling.ts"
export { ReversePrivateEndpointAddress, ReversePrivateEndpointId } from "./id/endpoint.ts"
export {
  ReversePrivateEndpoint,
  ReversePrivateEndpointCreate,
  ReversePrivateEndpointUpdate
} from "./service/ReversePrivateEndpoint.ts"
export { ReversePrivateEndpoints } from "./service/ReversePrivateEndpoints.ts"
export { Service } from "./service/Service.ts"
export { ServiceStateChange } from "./service/serviceLifecycle.ts"
export { Services } from "./service/Services.ts"
export { Timestamp } from "./schema/Timestamp.ts"
export { Snapshot } from "./snapshot/Snapshot.ts"
export { Snapshots } from "./snapshot/Snapshots.ts"
