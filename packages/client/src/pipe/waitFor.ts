import { type FieldIssue, fieldIssues } from "@headgate/core"
import { canReach, pipeKindOf } from "@headgate/core/adapter"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type CallOptions, invalidOptions, option, options, strict, validateCallOptions } from "../CallOptions.ts"
import { TimeoutError, UnreachableStateError } from "../error/errorClasses.ts"

/** The options of waiting for a state. */
export interface WaitOptions {
  /** How long to wait in milliseconds, with all calls and pauses. Default 600,000: ten minutes. `Infinity`: no limit. */
  readonly timeout?: number | undefined
  /** The pause between two calls in milliseconds. Default 1000. */
  readonly interval?: number | undefined
  /** How often a failed attempt of a call is repeated. Default: as the client has it. */
  readonly maxRetries?: number | undefined
  /** Aborts the wait, and the call that is in flight. The wait rejects with the signal's `reason`. */
  readonly signal?: AbortSignal | undefined
}

const milliseconds = Schema.Number.check(
  Schema.makeFilter((value: number) => value > 0 || "Expected milliseconds above 0")
)
// A longer timer fires at once.
const longestTimer = 2 ** 31 - 1
const pause = milliseconds.check(
  Schema.makeFilter((value: number) => value <= longestTimer || `Expected at most ${longestTimer} milliseconds`)
)

const fields = {
  timeout: option(milliseconds, "milliseconds above 0"),
  interval: option(pause, "milliseconds above 0"),
  maxRetries: Schema.optionalKey(Schema.Unknown),
  signal: Schema.optionalKey(Schema.Unknown)
} satisfies { readonly [Name in keyof WaitOptions]-?: Schema.Constraint }

const decode = Schema.decodeUnknownResult(options(fields, "the options of waiting"), strict)

const validate = (options: WaitOptions) => {
  const decoded = decode(options)
  if (Result.isFailure(decoded)) throw invalidOptions(fieldIssues(decoded.failure))
  const { interval = 1000, timeout = 600_000 } = decoded.success
  const { maxRetries, signal } = options
  return { interval, timeout, callOptions: validateCallOptions({ maxRetries, signal }) }
}

const sleep = (duration: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end)
      resolve()
    }, duration)
    signal?.addEventListener("abort", end, { once: true })
  })

const noState: FieldIssue = { path: "state", message: "Expected a state, such as Running" }

interface PipeInState {
  readonly state: string
  readonly source?: Parameters<typeof pipeKindOf>[0]
}

/** Reads a pipe until it is in the state. */
export const waitFor = async <Address, Pipe extends PipeInState>(
  get: (address: Address, options: CallOptions) => Promise<Pipe>,
  address: Address,
  state: string,
  options: WaitOptions
): Promise<Pipe> => {
  if (typeof state !== "string" || state === "") throw invalidOptions([noState])
  const { callOptions, interval, timeout } = validate(options)
  const end = performance.now() + timeout
  const isLast = () => end - performance.now() <= interval
  let seen: string | undefined
  const timedOut = () => new TimeoutError({ message: `the pipe is still ${seen}, not ${state}, after ${timeout} ms` })
  const read = () =>
    get(address, { ...callOptions, deadline: Math.max(end - performance.now(), 1) }).catch((error: unknown) => {
      // The time ends as often in a call as in a pause.
      throw seen !== undefined && error instanceof TimeoutError && isLast() ? timedOut() : error
    })
  for (;;) {
    const pipe = await read()
    if (pipe.state === state) return pipe
    seen = pipe.state
    if (!canReach(pipeKindOf(pipe.source), seen, state)) {
      throw new UnreachableStateError({
        message: `the pipe is ${seen}, and does not become ${state} by itself`,
        state: seen
      })
    }
    if (isLast()) throw timedOut()
    await sleep(interval, callOptions.signal)
  }
}
