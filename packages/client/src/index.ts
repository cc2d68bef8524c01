export type { BelowServiceClient } from "./BelowServiceClient.ts"
export type { OrganizationAddress, ServiceAddress } from "./addresses.ts"
export type {
  ApiKeyCredentials,
  ClientOptions,
  ManagementClientOptions,
  ManagementOptions,
  ObservabilityClientOptions,
  ObservabilityOptions
} from "./ClientOptions.ts"
export { createClient } from "./createClient.ts"
export type {
  AnyChartData,
  ChartColumn,
  ChartData,
  ChartDataByDisplayType,
  ChartQuery,
  ChartsClient,
  ChartSearch,
  ChartSeries,
  ChartValue,
  ConfigChartQuery,
  FoundRows,
  GroupChartData,
  NumberChartData,
  SearchChartData,
  SeriesRow,
  TextChartData,
  TimeChartData
} from "./chart/ChartsClient.ts"
export type {
  DashboardRole,
  DashboardRoleCreate,
  DashboardRolesClient,
  DashboardRoleUpdate
} from "./dashboard/DashboardRolesClient.ts"
export type {
  Dashboard,
  DashboardCreate,
  DashboardDocument,
  DashboardsClient,
  DashboardUpdate,
  DashboardValidation,
  TileConfig
} from "./dashboard/DashboardsClient.ts"
export type {
  Alert,
  AlertCreate,
  AlertsClient,
  DocumentsClient,
  SavedSearch,
  SavedSearchCreate,
  SavedSearchesClient,
  Webhook,
  WebhookCreate,
  WebhookDocument,
  WebhooksClient,
  WebhookValidation
} from "./dashboard/DocumentsClient.ts"
export type {
  Connection,
  ConnectionCreate,
  ConnectionsClient,
  DashboardSource,
  DashboardSourceCreate,
  SourcesClient
} from "./dashboard/SourcesClient.ts"
export {
  AlertNotFoundError,
  ChartNotFoundError,
  ConnectionNotFoundError,
  DashboardNotFoundError,
  DashboardRoleNotFoundError,
  KeyNotFoundError,
  OrganizationNotFoundError,
  PipeNotFoundError,
  ReversePrivateEndpointNotFoundError,
  RoleNotFoundError,
  SavedSearchNotFoundError,
  ServiceNotFoundError,
  SourceNotFoundError,
  UnreachableStateError,
  WebhookNotFoundError
} from "./error/errorClasses.ts"
export type {
  HeadgateClient,
  ManagementClient,
  ManagementMethods,
  ObservabilityClient,
  ObservabilityMethods
} from "./HeadgateClient.ts"
export type { Organization, OrganizationsClient, Whoami } from "./organization/OrganizationsClient.ts"
export type {
  DiscoveredSchema,
  Pipe,
  PipeAddress,
  PipeContext,
  PipeCreate,
  PipesClient,
  PipeResume,
  PipeStateChange,
  ListedPipeStatus,
  PipeEvent,
  PipeEventsRequest,
  PipeHistory,
  PipeHistoryRequest,
  PipeStatus,
  RejectedRow,
  RejectedRowsRequest,
  PipeUpdate,
  ScalingUpdate,
  SchemaDiscovery,
  Settings,
  SettingsUpdate
} from "./pipe/PipesClient.ts"
export type { ApiKey, ApiKeyAddress, ApiKeyCreate, ApiKeyUpdate, CreatedApiKey, KeysClient } from "./key/KeysClient.ts"
export type { ConsoleClient, ConsoleCode, ConsoleSession } from "./key/ConsoleClient.ts"
export type { Role, RoleAddress, RoleCreate, RolesClient, RoleUpdate } from "./key/RolesClient.ts"
export type { WaitOptions } from "./pipe/waitFor.ts"
export type { CdcReplicaSize, CdcReplicaSizeUpdate, CdcScalingClient } from "./service/CdcScalingClient.ts"
export type {
  PrivateEndpointsClient,
  ReversePrivateEndpoint,
  ReversePrivateEndpointAddress,
  ReversePrivateEndpointCreate,
  ReversePrivateEndpointUpdate
} from "./service/PrivateEndpointsClient.ts"
export type { Service, ServicesClient, ServiceStateChange } from "./service/ServicesClient.ts"
export type { RequestMethod, Requests } from "./Requests.ts"
export * from "./everywhere.ts"
