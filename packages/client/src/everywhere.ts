// What every entry point of the package exports, whichever nouns its client has.
export type { CallOptions } from "./CallOptions.ts"
export type { CallPromise, CallResponse, List } from "./CallPromise.ts"
export type { Closeable } from "./Closeable.ts"
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
  TimeoutError,
  UnauthorizedError,
  UnexpectedResponseError,
  isHeadgateError
} from "./error/errorClasses.ts"
export { HeadgateError } from "./error/HeadgateError.ts"
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from "./Hooks.ts"
export { versionOf } from "./Plain.ts"
export { reveal, type Secret, secret } from "./Secret.ts"
export { type Unlisted, unlisted } from "./Unlisted.ts"
