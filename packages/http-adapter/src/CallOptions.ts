import type { InvalidRequest } from "@headgate/core"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { flagOption, groupOption, timeoutOption, wholeOption } from "./validateOption.ts"

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

/** Whatever is as the layer was told. */
export const none: CallOptions = {}

/**
 * The options of the calls made by an effect, over those of the layer. A call whose options are of no use fails with
 * `InvalidRequest`, and is not sent.
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
  defaultValue: () => none
})

/** {@link CallOptions} with nothing left open. */
export interface RequestPolicy {
  readonly maxRetries: number
  readonly retryCreates: boolean
  readonly attemptTimeout: Duration.Duration
  readonly deadline: Duration.Duration
}

/** What holds where nobody said otherwise. */
export const defaultManners: RequestPolicy = {
  maxRetries: 2,
  retryCreates: false,
  attemptTimeout: Duration.seconds(60),
  deadline: Duration.infinity
}

/** Lays options over manners, once they are known to be of use. */
export const mannersWith = Effect.fnUntraced(function* (
  manners: RequestPolicy,
  options: CallOptions
): Effect.fn.Return<RequestPolicy, InvalidRequest> {
  const { attemptTimeout, deadline, maxRetries, retryCreates } = yield* groupOption(
    "CallOptions",
    options,
    "{ maxRetries, retryCreates, attemptTimeout, deadline }"
  )
  return {
    maxRetries: maxRetries === undefined ? manners.maxRetries : yield* wholeOption("maxRetries", maxRetries),
    retryCreates: retryCreates === undefined ? manners.retryCreates : yield* flagOption("retryCreates", retryCreates),
    attemptTimeout:
      attemptTimeout === undefined ? manners.attemptTimeout : yield* timeoutOption("attemptTimeout", attemptTimeout),
    deadline: deadline === undefined ? manners.deadline : yield* timeoutOption("deadline", deadline)
  }
})
