export type { CallOptions } from "../CallOptions.ts"
export type { CallPromise, CallResponse, List } from "../CallPromise.ts"
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
export {
  type AnyHeadgateError,
  type FieldIssue,
  ClientClosedError,
  ConflictError,
  ConnectionError,
  FailedDependencyError,
  ForbiddenError,
  InvalidRequestError,
  PipeNotFoundError,
  PreconditionFailedError,
  RateLimitedError,
  ServerError,
  ServiceNotFoundError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnreachableStateError,
  isHeadgateError
} from "../error/errorClasses.ts"
export { HeadgateError } from "../error/HeadgateError.ts"
export type { Closeable } from "../Closeable.ts"
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from "../Hooks.ts"
export { versionOf } from "../Plain.ts"
export { reveal, type Secret, secret } from "../Secret.ts"
export { type Unlisted, unlisted } from "../Unlisted.ts"
