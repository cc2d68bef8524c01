import * as Context from "effect/Context"
import * as Duration from "effect/Duration"

/** How one call behaves. Whatever is absent is as the layer was told. */
export interface CallOptions {
  /** How often a failed attempt is repeated: 0 for one attempt only. Default 2. */
  readonly maxRetries?: number | undefined
  /**
   * Also repeat a create whose answer was lost or a fault, which may create twice. Default false: a create is repeated
   * only after a 429, or a 503 that carries `Retry-After`.
   */
  readonly retryCreates?: boolean | undefined
  /** How long one attempt may take, until the answer is read to its end. Default 60 seconds. */
  readonly attemptTimeout?: Duration.Input | undefined
  /** How long the whole call may take: attempts, pauses and waiting for a turn. Default: no limit of its own. */
  readonly deadline?: Duration.Input | undefined
}

/**
 * The options of the calls made by an effect, over those of the layer.
 *
 * @example
 * ```ts
 * import { type PipeAddress, Pipes } from "@headgate/core/pipe"
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
  defaultValue: () => ({})
})

/** {@link CallOptions} with nothing left open. */
export interface CallManners {
  readonly maxRetries: number
  readonly retryCreates: boolean
  readonly attemptTimeout: Duration.Duration
  readonly deadline: Duration.Duration
}

/** What holds where nobody said otherwise. */
export const defaultManners: CallManners = {
  maxRetries: 2,
  retryCreates: false,
  attemptTimeout: Duration.seconds(60),
  deadline: Duration.infinity
}

const durationOr = (input: Duration.Input | undefined, otherwise: Duration.Duration): Duration.Duration =>
  input === undefined ? otherwise : Duration.fromInputUnsafe(input)

/** Lays options over manners. */
export const mannersWith = (manners: CallManners, options: CallOptions): CallManners => ({
  maxRetries: options.maxRetries ?? manners.maxRetries,
  retryCreates: options.retryCreates ?? manners.retryCreates,
  attemptTimeout: durationOr(options.attemptTimeout, manners.attemptTimeout),
  deadline: durationOr(options.deadline, manners.deadline)
})
