import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { CountOrZero, Flag, group, Timeout, validator } from "./optionSchemas.ts"

/** How a call behaves. An option that is absent or undefined is as the layer has it. */
export interface CallOptions {
  /** How often a failed attempt is retried: 0 for one attempt only. Default 2. */
  readonly maxRetries?: number | undefined
  /**
   * Also retry a create whose answer was lost or a 5xx, which may create twice. Default false: a create is retried only
   * after a 429, or a 503 with `Retry-After`.
   */
  readonly retryCreates?: boolean | undefined
  /** How long one attempt may take, until its answer is read to the end. Default 60 seconds. */
  readonly attemptTimeout?: Duration.Input | undefined
  /** How long the whole call may take: attempts, pauses and waiting for the limits. Default: no limit. */
  readonly deadline?: Duration.Input | undefined
}

/** The options of a call without options of its own. */
export const noCallOptions: CallOptions = {}

/**
 * The options of the calls that an effect makes; they override those of the layer. A call with an invalid option fails
 * with `InvalidRequest` and sends nothing.
 *
 * @example
 * ```ts
 * import { type PipeAddress, Pipes } from "@headgate/core"
 * import { CallOptions } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const quick = (address: PipeAddress) =>
 *   Pipes.use((pipes) => pipes.get(address)).pipe(
 *     Effect.provideService(CallOptions, { maxRetries: 0, deadline: "5 seconds" })
 *   )
 * ```
 */
export const CallOptions = Context.Reference<CallOptions>("@headgate/http-adapter/CallOptions", {
  defaultValue: () => noCallOptions
})

/** {@link CallOptions} with a value for each option. */
export interface RequestPolicy {
  readonly maxRetries: number
  readonly retryCreates: boolean
  readonly attemptTimeout: Duration.Duration
  readonly deadline: Duration.Duration
}

/** The defaults of {@link CallOptions}. */
export const defaultRequestPolicy: RequestPolicy = {
  maxRetries: 2,
  retryCreates: false,
  attemptTimeout: Duration.seconds(60),
  deadline: Duration.infinity
}

/** The schemas of {@link CallOptions}. */
export const callFields = {
  maxRetries: Schema.optional(CountOrZero),
  retryCreates: Schema.optional(Flag),
  attemptTimeout: Schema.optional(Timeout),
  deadline: Schema.optional(Timeout)
} satisfies { readonly [Name in keyof CallOptions]-?: Schema.Constraint }

/** Validates the options of a call. */
export const validateCallOptions = validator<CallOptions>(
  group(callFields, "{ maxRetries, retryCreates, attemptTimeout, deadline }"),
  "CallOptions"
)

/** Overrides a policy with validated options. */
export const overridePolicy = (
  policy: RequestPolicy,
  { attemptTimeout, deadline, maxRetries, retryCreates }: CallOptions
): RequestPolicy => ({
  maxRetries: maxRetries ?? policy.maxRetries,
  retryCreates: retryCreates ?? policy.retryCreates,
  attemptTimeout: attemptTimeout === undefined ? policy.attemptTimeout : Duration.fromInputUnsafe(attemptTimeout),
  deadline: deadline === undefined ? policy.deadline : Duration.fromInputUnsafe(deadline)
})
