import type { InvalidRequest } from "@headgate/core"
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as HttpClient from "effect/http/HttpClient"
import { type CallOptions, checkedCallOptions, withManners } from "./CallOptions.ts"
import { type Plain, plain } from "./Plain.ts"
import { ClientClosedError } from "./error/CallErrors.ts"
import { type Failure, fromFailure } from "./error/fromFailure.ts"

/** Makes a call and promises its result, shown plainly. */
export type Run<R> = <A>(call: Effect.Effect<A, Failure, R>, options?: CallOptions) => Promise<Plain<A>>

/** What a client's calls run on. */
export interface Runner<R> {
  readonly run: Run<R>
  /** Builds what the calls need, now and at once, where it can be built so; throws as a call would. */
  readonly start: () => void
  /** Aborts the calls under way and lets go of what was opened. */
  readonly close: () => Promise<void>
}

const closed = () => new ClientClosedError({ message: "the client is closed: make another one" })

const rejection = (cause: Cause.Cause<Failure>, signal: AbortSignal | undefined): unknown => {
  const failure = Cause.findErrorOption(cause)
  if (Option.isSome(failure)) return fromFailure(failure.value)
  if (!Cause.hasInterruptsOnly(cause)) return Cause.squash(cause)
  return signal?.aborted === true ? signal.reason : closed()
}

// Nobody here collects spans, so none are made, and no request carries a trace header.
const untraced = Layer.merge(
  Layer.succeed(References.TracerEnabled, false),
  Layer.succeed(HttpClient.TracerDisabledWhen, () => true)
)

/** Runs calls on a layer. The layer is built with the first call, so that a client that is never used opens nothing. */
export const makeRunner = <R>(layer: Layer.Layer<R, InvalidRequest>, memoMap?: Layer.MemoMap): Runner<R> => {
  const runtime = ManagedRuntime.make(Layer.merge(layer, untraced), { memoMap })
  let isClosed = false
  return {
    run: async (call, options) => {
      if (isClosed) throw closed()
      const checked = options === undefined ? undefined : checkedCallOptions(options)
      const signal = checked?.signal
      if (signal?.aborted === true) throw signal.reason
      const exit = await runtime.runPromiseExit(
        checked === undefined ? call : withManners(call, checked),
        signal === undefined ? undefined : { signal }
      )
      if (Exit.isFailure(exit)) throw rejection(exit.cause, signal)
      return plain(exit.value)
    },
    start: () => {
      const exit = runtime.runSyncExit(runtime.contextEffect)
      if (Exit.isFailure(exit)) throw rejection(exit.cause, undefined)
    },
    close: () => {
      isClosed = true
      return runtime.dispose()
    }
  }
}
