export type { ApiKeyCredentials, ManagementClientOptions, ManagementOptions } from "../ClientOptions.ts"
export { createClient } from "../pipe/pipes.ts"
export type { ServiceAddress } from "../addresses.ts"
export type {
  DiscoveredSchema,
  ListedPipeStatus,
  Pipe,
  PipeAddress,
  PipeContext,
  PipeCreate,
  PipeEvent,
  PipeEventsRequest,
  PipeHistory,
  PipeHistoryRequest,
  PipeResume,
  PipesClient,
  PipeStateChange,
  PipeStatus,
  PipeUpdate,
  RejectedRow,
  RejectedRowsRequest,
  ScalingUpdate,
  SchemaDiscovery,
  Settings,
  SettingsUpdate
} from "../pipe/PipesClient.ts"
export type { WaitOptions } from "../pipe/waitFor.ts"
export { PipeNotFoundError, ServiceNotFoundError, UnreachableStateError } from "../error/errorClasses.ts"
export * from "../everywhere.ts"
