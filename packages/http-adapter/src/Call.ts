import type { CallError } from "@headgate/core"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import type * as Headers from "effect/http/Headers"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import type { RequestPolicy } from "./CallOptions.ts"

/** One call of a port under way: what to send, how, and what every error of it reports. */
export interface Call {
  /** The request as the contract has it: its URL is a path, and it holds no credentials. */
  readonly request: HttpClientRequest
  /** The path of the contract, its parameters unfilled: what metrics tell calls apart by. */
  readonly route: string
  /** The path on the wire, as errors show it. */
  readonly path: string
  /** Whether sending it twice does no more than sending it once, so that a lost answer may be asked for again. */
  readonly idempotent: boolean
  readonly manners: RequestPolicy
  /** When the whole call must be over, in milliseconds of `elapsed`; `Infinity` without a deadline. */
  readonly deadlineAt: number
  /** How often it was sent so far. */
  readonly attempts: MutableRef.MutableRef<number>
}

/** An answer of any status, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Headers.Headers
  readonly body: string
}

/** Why an attempt failed, and how long the service asked to be left alone. */
export interface AttemptFailure {
  readonly error: CallError
  readonly retryAfter?: Duration.Duration
  /** Whether a repeat would fail in the same way. */
  readonly permanent?: boolean
}

/** Sends a call once. */
export type Attempt = (call: Call) => Effect.Effect<Answer, AttemptFailure>

/** Sends a call as often as its manners want. */
export type Exchange = (call: Call) => Effect.Effect<Answer, CallError>

/** The fields of an error that the call knows. */
export const reportOf = (call: Call) => ({
  method: call.request.method,
  path: call.path,
  attempts: MutableRef.get(call.attempts)
})

/** What a caller must know when the answer to a write is lost. */
export const doubtAbout = (call: Call): string =>
  call.idempotent ? "" : "; it may have taken effect: look before you repeat it"
