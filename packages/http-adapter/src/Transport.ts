import type * as Effect from "effect/Effect"
import type { HttpRequest } from "./HttpRequest.ts"

/** A response of any status, its body read to the end. */
export interface Answer {
  readonly status: number
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Why there is no answer: it is larger than the limit, or the request or the answer was lost. */
export type TransportFailure =
  | { readonly _tag: "TooLarge"; readonly status: number }
  | {
      readonly _tag: "Lost"
      /** The error of the runtime. */
      readonly cause?: unknown
      /** What went wrong, where no error says it. */
      readonly description?: string | undefined
      /** Whether it is a request that cannot be sent. */
      readonly isInvalid?: boolean
    }

/**
 * Sends a request once, and reads its answer to the end or to a number of bytes. It follows no redirect. An interruption at any
 * moment aborts the request on the socket.
 */
export type Transport = (request: HttpRequest, maxBytes: number) => Effect.Effect<Answer, TransportFailure>

/** How many bytes of an answer are read at most, unless an option says it. */
export const defaultMaxResponseBytes = 64 * 1024 * 1024
