import { fieldIssues } from "@headgate/core"
import { CallOptions as AdapterCallOptions, type CallOptions as AdapterOptions } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { invalidOptions } from "./invalidOptions.ts"
import { option, optionsOf, strictly } from "./option.ts"

/** How calls behave. Durations are in milliseconds, `Infinity` for no limit. */
export interface Manners {
  /** How often a failed attempt is repeated: 0 for one attempt only. Default 2. */
  readonly maxRetries?: number | undefined
  /** How long one attempt may take, until the answer is read to its end. Default 60,000. */
  readonly timeout?: number | undefined
  /** How long the whole call may take, attempts and pauses together. Default: no limit of its own. */
  readonly deadline?: number | undefined
  /**
   * Also repeat a create whose answer was lost or a fault, which may create twice. Default false: a create is repeated
   * only after a 429, or a 503 that carries `Retry-After`.
   */
  readonly retryCreates?: boolean | undefined
}

/** The options of one call, over those of the client. */
export interface CallOptions extends Manners {
  /** Aborts the call, and its request on the socket. It then rejects with the signal's `reason`, as `fetch` does. */
  readonly signal?: AbortSignal | undefined
}

const count = Schema.Number.check(
  Schema.makeFilter(
    (value: number) => (Number.isSafeInteger(value) && value >= 0) || "Expected a whole number, 0 or more"
  )
)
const milliseconds = Schema.Number.check(
  Schema.makeFilter((value: number) => value > 0 || "Expected milliseconds above 0")
)

/** The schemas of {@link Manners}. */
export const mannersFields = {
  maxRetries: option(count, "a whole number, 0 or more"),
  timeout: option(milliseconds, "milliseconds above 0"),
  deadline: option(milliseconds, "milliseconds above 0"),
  retryCreates: option(Schema.Boolean, "true or false")
}

/** Manners in the words of the adapter. */
export const adapterManners = ({ deadline, maxRetries, retryCreates, timeout }: Manners): AdapterOptions => ({
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

const decode = Schema.decodeUnknownResult(
  optionsOf({ ...mannersFields, signal: option(signal, "an AbortSignal") }, "the options of a call"),
  strictly
)

/** Checks the options of a call: not every caller has a compiler. */
export const checkedCallOptions = (options: CallOptions): CallOptions => {
  const decoded = decode(options)
  if (Result.isFailure(decoded)) throw invalidOptions(fieldIssues(decoded.failure))
  return decoded.success
}

/** Has a call mind its options. */
export const withManners = <A, E, R>(effect: Effect.Effect<A, E, R>, manners: Manners) =>
  Effect.provideService(effect, AdapterCallOptions, adapterManners(manners))
