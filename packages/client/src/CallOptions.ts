import { type CallOptions as AdapterOptions, CallOptions as AdapterCallOptions } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { checkedInput } from "./checkedInput.ts"

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

// Every message is our own: a schema's would repeat the value.
const count = Schema.Number.annotate({ message: "Expected a whole number, 0 or more" }).check(
  Schema.makeFilter(
    (value: number) => (Number.isSafeInteger(value) && value >= 0) || "Expected a whole number, 0 or more"
  )
)
const milliseconds = Schema.Number.annotate({ message: "Expected milliseconds above 0" }).check(
  Schema.makeFilter((value: number) => value > 0 || "Expected milliseconds above 0")
)

/** The schemas of {@link Manners}. */
export const mannersFields = {
  maxRetries: Schema.optional(count),
  timeout: Schema.optional(milliseconds),
  deadline: Schema.optional(milliseconds),
  retryCreates: Schema.optional(Schema.Boolean.annotate({ message: "Expected true or false" }))
}

/** Manners in the words of the adapter. */
export const adapterManners = ({ deadline, maxRetries, retryCreates, timeout }: Manners): AdapterOptions => ({
  maxRetries,
  retryCreates,
  attemptTimeout: timeout,
  deadline
})

const checkManners = checkedInput(Schema.Struct(mannersFields))

/** Has a call mind its options. Those that are of no use fail it with `InvalidRequest`. */
export const withManners = <A, E, R>(effect: Effect.Effect<A, E, R>, options: CallOptions) => {
  const { signal: _, ...manners } = options
  return Effect.flatMap(checkManners(manners), (manners) =>
    Effect.provideService(effect, AdapterCallOptions, adapterManners(manners))
  )
}
