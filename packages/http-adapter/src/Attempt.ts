import type { CallError } from "@headgate/core"
import type { ApiName } from "@headgate/http-contract"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import type { RequestPolicy } from "./CallOptions.ts"
import type { HttpRequest } from "./HttpRequest.ts"
import type { Answer } from "./Transport.ts"

export type { Answer } from "./Transport.ts"

/** One call of a port method while it runs: what to send, how, and what its errors report. */
export interface Call {
  /** Its URL is the path of the contract; it has no base URL and no credentials yet. */
  readonly request: HttpRequest
  readonly api: ApiName
  /** The URL before the path of the request. */
  readonly baseUrl: string
  /** The path of the contract with its parameters unfilled: the `route` attribute of the metrics. */
  readonly route: string
  /** The path on the wire, as errors show it. */
  readonly path: string
  /** Whether sending it twice has the effect of sending it once, so that it is retried after a lost answer. */
  readonly isRepeatable: boolean
  /** Whether it is a creation with an `Idempotency-Key`: it is retried after a lost answer if the service honours the key. */
  readonly hasIdempotencyKey: boolean
  readonly requestPolicy: RequestPolicy
  /** When the deadline ends, in milliseconds of `elapsed`; `Infinity` without a deadline. */
  readonly deadlineAt: number
  /** How many requests were sent so far. */
  readonly attempts: MutableRef.MutableRef<number>
}

/** Why an attempt failed. */
export interface AttemptFailure {
  readonly error: CallError
  /** How long the service asks to wait. */
  readonly retryAfter?: Duration.Duration
  /** Whether a retry would fail in the same way. */
  readonly isPermanent?: boolean
}

/** Sends a call once. The layers below `Retry` wrap one of these in another. */
export type Attempt = (call: Call) => Effect.Effect<Answer, AttemptFailure>

/** Sends a call, with its retries. The layers from `Retry` on wrap one of these in another. */
export type Send = (call: Call) => Effect.Effect<Answer, CallError>

/** The fields of an error that the call knows. */
export const errorContext = (call: Call) => ({
  method: call.request.method,
  path: call.path,
  attempts: MutableRef.get(call.attempts)
})

/** What the message of an error adds when a create may have taken effect although its answer was lost. */
export const ambiguityNote = (call: Call): string =>
  call.isRepeatable ? "" : "; it may have taken effect: look before you repeat it"
