import type { PortError } from "@headgate/core"
import { ReceivedResponse, type ResponseInfo } from "@headgate/http-adapter"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import { type CallOptions, validateCallOptions, withCallOptions } from "./CallOptions.ts"
import type { Received } from "./CallPromise.ts"
import { type Plain, plain } from "./Plain.ts"
import { ClientClosedError, fromPortError } from "./error/errorClasses.ts"

/** Runs a call and resolves to its result as plain data, with its response. */
export type Run<R> = <A>(call: Effect.Effect<A, PortError, R>, options?: CallOptions) => Promise<Received<Plain<A>>>

/** Runs the calls of a client. */
export interface Runner<R> {
  readonly run: Run<R>
  /** Aborts the calls in flight. */
  readonly close: () => Promise<void>
}

const closed = () => new ClientClosedError({ message: "the client is closed: make another one" })

/** What a call rejects with. */
export const rejection = (cause: Cause.Cause<PortError>, signal: AbortSignal | undefined): unknown => {
  const failure = Cause.findErrorOption(cause)
  if (Option.isSome(failure)) return fromPortError(failure.value)
  if (!Cause.hasInterruptsOnly(cause)) return Cause.squash(cause)
  return signal?.aborted === true ? signal.reason : closed()
}

/** What the effects of a client run in. */
export interface Execution<R> {
  readonly run: <A, E>(effect: Effect.Effect<A, E, R>, options?: RunOptions) => Promise<Exit.Exit<A, E>>
  /** Aborts what runs. */
  readonly close: () => Promise<void>
}

interface RunOptions {
  readonly signal: AbortSignal
}

/** Runs effects in a context. */
export const executionIn = <R>(context: Context.Context<R>): Execution<R> => {
  const fork = Effect.runForkWith(context)
  const fibers = new Set<Fiber.Fiber<unknown, unknown>>()
  return {
    run: <A, E>(effect: Effect.Effect<A, E, R>, options?: RunOptions) =>
      new Promise<Exit.Exit<A, E>>((resolve) => {
        const fiber = fork(effect, options)
        fibers.add(fiber)
        fiber.addObserver((exit) => {
          fibers.delete(fiber)
          resolve(exit)
        })
      }),
    close: () => Effect.runPromise(Effect.asVoid(Fiber.interruptAll(fibers)))
  }
}

/** Makes a runner. */
export const makeRunner = <R>(execution: Execution<R>): Runner<R> => {
  let isClosed = false
  return {
    run: async (call, options) => {
      if (isClosed) throw closed()
      const valid = options === undefined ? undefined : validateCallOptions(options)
      const signal = valid?.signal
      if (signal?.aborted === true) throw signal.reason
      const received = MutableRef.make<ResponseInfo | undefined>(undefined)
      const exit = await execution.run(
        Effect.provideService(valid === undefined ? call : withCallOptions(call, valid), ReceivedResponse, received),
        signal === undefined ? undefined : { signal }
      )
      if (Exit.isFailure(exit)) throw rejection(exit.cause, signal)
      return { data: plain(exit.value), response: MutableRef.get(received) }
    },
    close: () => {
      isClosed = true
      return execution.close()
    }
  }
}
