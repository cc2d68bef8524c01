export type { CallOptions, Manners } from "./CallOptions.ts"
export type {
  BearerToken,
  CircuitBreakerOptions,
  ClientOptions,
  ConnectionOptions,
  Given,
  ApiKeyCredentials,
  ManagementOptions,
  ObservabilityOptions,
  RateLimitOptions
} from "./ClientOptions.ts"
export { createClient } from "./createClient.ts"
export type { Dashboard, DashboardCreate } from "./dashboard/Dashboard.ts"
export type { DashboardsClient } from "./dashboard/DashboardsClient.ts"
export type { List } from "./dashboard/List.ts"
export {
  ClientClosedError,
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  PipeNotFoundError,
  RateLimitedError,
  ServerFaultError,
  TimedOutError,
  TransportFaultError,
  UnauthorizedError,
  UnexpectedResponseError
} from "./error/CallErrors.ts"
export type { FieldIssue } from "./error/FieldIssue.ts"
export { HeadgateError, type HeadgateErrorFields } from "./error/HeadgateError.ts"
export { type AnyHeadgateError, isHeadgateError } from "./error/isHeadgateError.ts"
export type {
  Closeable,
  HeadgateClient,
  ManagementClient,
  ObservabilityClient,
  PartialClient
} from "./HeadgateClient.ts"
export type { ApiKey, ApiKeyCreate, CreatedApiKey } from "./key/ApiKey.ts"
export type { KeysClient } from "./key/KeysClient.ts"
export type { Pipe, PipeAddress } from "./pipe/Pipe.ts"
export type { PipesClient } from "./pipe/PipesClient.ts"
export { reveal, type Secret, secret } from "./Secret.ts"
