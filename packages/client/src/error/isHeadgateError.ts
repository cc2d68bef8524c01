import * as Predicate from "effect/Predicate"
import type {
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
} from "./CallErrors.ts"
import { brand } from "./HeadgateError.ts"

/** Every error that a client makes: a union that `_tag` tells apart. */
export type AnyHeadgateError =
  | ClientClosedError
  | ConflictError
  | ForbiddenError
  | InvalidRequestError
  | PipeNotFoundError
  | RateLimitedError
  | ServerFaultError
  | TimedOutError
  | TransportFaultError
  | UnauthorizedError
  | UnexpectedResponseError

/**
 * Whether a client made this error, one of another installed copy of this package too, with a type that `_tag` narrows.
 *
 * @example
 * ```ts
 * import { isHeadgateError } from "@headgate/client"
 *
 * export const shouldWait = (error: unknown): number => {
 *   if (!isHeadgateError(error)) throw error
 *   switch (error._tag) {
 *     case "RateLimited":
 *       return error.retryAfter ?? 1000
 *     case "ServerError":
 *     case "ConnectionError":
 *       return 1000
 *     default:
 *       throw error
 *   }
 * }
 * ```
 */
export const isHeadgateError = (error: unknown): error is AnyHeadgateError =>
  Predicate.isError(error) && Predicate.hasProperty(error, brand)
