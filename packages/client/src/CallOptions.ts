import { type FieldIssue, fieldIssues, formatFieldIssues, IfMatch } from "@headgate/core"
import {
  CallOptions as AdapterCallOptions,
  type CallOptions as AdapterOptions,
  IdempotencyKey
} from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InvalidRequestError } from "./error/errorClasses.ts"

/**
 * An option that may be absent or `undefined`. The message for another type is `Expected <what>`: the message of the
 * schema would repeat the value, which may be a secret in the wrong place.
 */
export const option = <A, I>(schema: Schema.Codec<A, I>, what: string) => {
  // A union that matches no member shows its own message; one that tries a member shows the message of the member.
  const annotations = { message: `Expected ${what}` }
  return Schema.optionalKey(Schema.UndefinedOr(schema.annotate(annotations)).annotate(annotations))
}

/** A group of options. Decode it with {@link strict} to reject other names. */
export const options = <Fields extends Schema.Struct.Fields>(fields: Fields, what: string) =>
  Schema.Struct(fields).annotate({
    message: `Expected ${what}`,
    messageUnexpectedKey: `Expected one of ${Object.keys(fields).join(", ")}`
  })

/** Finds every wrong option, and every name that is not known. */
export const strict = { errors: "all", onExcessProperty: "error" } as const

/** The error of options that are wrong. */
export const invalidOptions = (issues: ReadonlyArray<FieldIssue>): InvalidRequestError =>
  new InvalidRequestError({ message: formatFieldIssues(issues), issues, attempts: 0 })

const count = Schema.Number.check(
  Schema.makeFilter(
    (value: number) => (Number.isSafeInteger(value) && value >= 0) || "Expected a whole number, 0 or more"
  )
)
const milliseconds = Schema.Number.check(
  Schema.makeFilter((value: number) => value > 0 || "Expected milliseconds above 0")
)

/** Retries and timeouts: options of a call, and of all calls of a client. */
export interface RequestPolicy {
  /** How often a failed attempt is repeated: 0 for one attempt only. Default 2. */
  readonly maxRetries?: number | undefined
  /** How long one attempt may take in milliseconds, until the response is read. Default 60,000. `Infinity`: no limit. */
  readonly timeout?: number | undefined
  /** How long the whole call may take in milliseconds, with all attempts and pauses. Default: no limit. */
  readonly deadline?: number | undefined
  /**
   * Also repeat a create whose response was lost or a server error, which may create twice. Default false: a create is
   * repeated only after a 429, or a 503 with `Retry-After`.
   */
  readonly retryCreates?: boolean | undefined
}

/** The schemas of {@link RequestPolicy}. */
export const requestPolicy = {
  maxRetries: option(count, "a whole number, 0 or more"),
  timeout: option(milliseconds, "milliseconds above 0"),
  deadline: option(milliseconds, "milliseconds above 0"),
  retryCreates: option(Schema.Boolean, "true or false")
} satisfies { readonly [Name in keyof RequestPolicy]-?: Schema.Constraint }

/** The request policy as options of the HTTP adapter. */
export const adapterPolicy = ({ deadline, maxRetries, retryCreates, timeout }: RequestPolicy): AdapterOptions => ({
  maxRetries,
  retryCreates,
  attemptTimeout: timeout,
  deadline
})

const signal = Schema.declare(
  (value): value is AbortSignal =>
    Predicate.hasProperty(value, "aborted") &&
    Predicate.isBoolean(value.aborted) &&
    Predicate.hasProperty(value, "addEventListener") &&
    Predicate.isFunction(value.addEventListener)
)

const version = Schema.Number.check(
  Schema.makeFilter((value: number) => (Number.isSafeInteger(value) && value >= 1) || "Expected a version, 1 or more")
)

const visible = Schema.String.check(
  // Not the message of the schema: it would repeat the value.
  Schema.makeFilter((text: string) => /^[!-~]{1,255}$/.test(text) || "Expected 1 to 255 visible ASCII characters")
)

/** The options of one call, which override those of the client. */
export interface CallOptions extends RequestPolicy {
  /**
   * The version that the resource must have for an update or a delete: `versionOf` what was read. If somebody has changed
   * it, the call rejects with `PreconditionFailedError`, and nothing changes.
   */
  readonly ifMatch?: number | undefined
  /**
   * Names a create, so that its repeat by another process has no second effect: the service remembers the key for a day. 1 to
   * 255 visible ASCII characters. Default: a new UUID for each call. Other calls do not use it.
   */
  readonly idempotencyKey?: string | undefined
  /** Aborts the call, and its request on the socket. The call rejects with the signal's `reason`, as `fetch` does. */
  readonly signal?: AbortSignal | undefined
}

const fields = {
  ...requestPolicy,
  idempotencyKey: option(visible, "1 to 255 visible ASCII characters"),
  ifMatch: option(version, "a version, 1 or more"),
  signal: option(signal, "an AbortSignal")
} satisfies { readonly [Name in keyof CallOptions]-?: Schema.Constraint }

const decode = Schema.decodeUnknownResult(options(fields, "the options of a call"), strict)

/** Validates the options of a call: not every caller has a compiler. */
export const validateCallOptions = (options: CallOptions): CallOptions => {
  const decoded = decode(options)
  if (Result.isFailure(decoded)) throw invalidOptions(fieldIssues(decoded.failure))
  return decoded.success
}

/** Applies the options of a call to its effect. */
export const withCallOptions = <A, E, R>(effect: Effect.Effect<A, E, R>, options: CallOptions) =>
  effect.pipe(
    Effect.provideService(AdapterCallOptions, adapterPolicy(options)),
    Effect.provideService(IfMatch, options.ifMatch),
    Effect.provideService(IdempotencyKey, options.idempotencyKey)
  )
