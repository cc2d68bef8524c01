import type { InvalidRequest, PortError } from "@headgate/core"
import { ReceivedResponse, type ResponseInfo } from "@headgate/http-adapter"
import * as Array from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as HttpClient from "effect/http/HttpClient"
import { type CallOptions, validateCallOptions, withCallOptions } from "./CallOptions.ts"
import type { Received } from "./CallPromise.ts"
import { type Plain, plain } from "./Plain.ts"
import { ClientClosedError, fromPortError } from "./error/errorClasses.ts"

/** Runs a call and resolves to its result as plain data, with its response. */
export type Run<R> = <A>(call: Effect.Effect<A, PortError, R>, options?: CallOptions) => Promise<Received<Plain<A>>>

/** Runs the calls of a client. */
export interface Runner<R> {
  readonly run: Run<R>
  /** Builds the layer now, synchronously; throws as a call would reject. */
  readonly start: () => void
  /** Aborts the calls in flight and releases the layer. */
  readonly close: () => Promise<void>
}

const closed = () => new ClientClosedError({ message: "the client is closed: make another one" })

const rejection = (cause: Cause.Cause<PortError>, signal: AbortSignal | undefined): unknown => {
  const failure = Cause.findErrorOption(cause)
  if (Option.isSome(failure)) return fromPortError(failure.value)
  if (!Cause.hasInterruptsOnly(cause)) return Cause.squash(cause)
  return signal?.aborted === true ? signal.reason : closed()
}

// No caller can collect spans, so none are made, and no request carries a trace header.
const untraced = Layer.merge(
  Layer.succeed(References.TracerEnabled, false),
  Layer.succeed(HttpClient.TracerDisabledWhen, () => true)
)

// stdout belongs to the program.
const warnings = Logger.layer([
  Logger.make(({ message }) => {
    for (const text of Array.ensure(message)) console.warn(`@headgate/client: ${text}`)
  })
])

/** Makes a runner over a layer. The first call builds the layer, so that a client that is never used opens nothing. */
export const makeRunner = <R>(layer: Layer.Layer<R, InvalidRequest>): Runner<R> => {
  const runtime = ManagedRuntime.make(Layer.mergeAll(layer, untraced, warnings))
  let isClosed = false
  return {
    run: async (call, options) => {
      if (isClosed) throw closed()
      const valid = options === undefined ? undefined : validateCallOptions(options)
      const signal = valid?.signal
      if (signal?.aborted === true) throw signal.reason
      const received = MutableRef.make<ResponseInfo | undefined>(undefined)
      const exit = await runtime.runPromiseExit(
        Effect.provideService(valid === undefined ? call : withCallOptions(call, valid), ReceivedResponse, received),
        signal === undefined ? undefined : { signal }
      )
      if (Exit.isFailure(exit)) throw rejection(exit.cause, signal)
      return { data: plain(exit.value), response: MutableRef.get(received) }
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
