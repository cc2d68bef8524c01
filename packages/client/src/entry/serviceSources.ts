export type { BelowServiceClient } from "../BelowServiceClient.ts"
export type { CallOptions } from "../CallOptions.ts"
export type { CallPromise, CallResponse, List } from "../CallPromise.ts"
export type { ApiKeyCredentials, ManagementClientOptions, ManagementOptions } from "../ClientOptions.ts"
export { createClient } from "../dashboard/serviceSources.ts"
export type { ServiceAddress } from "../addresses.ts"
export type { DashboardSource, DashboardSourceCreate, SourcesClient } from "../dashboard/SourcesClient.ts"
export {
  type AnyHeadgateError,
  type FieldIssue,
  ClientClosedError,
  ConflictError,
  ConnectionError,
  FailedDependencyError,
  ForbiddenError,
  InvalidRequestError,
  PreconditionFailedError,
  RateLimitedError,
  ServerError,
  ServiceNotFoundError,
  SourceNotFoundError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedResponseError,
  isHeadgateError
} from "../error/errorClasses.ts"
export { HeadgateError } from "../error/HeadgateError.ts"
export type { Closeable } from "../Closeable.ts"
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from "../Hooks.ts"
export { versionOf } from "../Plain.ts"
export { reveal, type Secret, secret } from "../Secret.ts"
export { type Unlisted, unlisted } from "../Unlisted.ts"
