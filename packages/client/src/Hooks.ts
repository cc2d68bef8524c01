import type { AnyHeadgateError } from "./error/errorClasses.ts"

/** A request of a call, as a hook gets it. */
export interface RequestEvent {
  /** The HTTP method, in capitals. */
  readonly method: string
  /** The URL with its query. It holds no credentials. */
  readonly url: string
  /** Which request of its call it is, from 1. */
  readonly attempt: number
}

/** A response, as a hook gets it. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status. */
  readonly status: number
  /** How long the request took until its response was read, in milliseconds. */
  readonly duration: number
  /** The request id: quote it to the operator of the service. */
  readonly requestId: string | undefined
}

/** A request that failed and is repeated, as a hook gets it. */
export interface RetryEvent extends RequestEvent {
  /** How long the pause before the next request is, in milliseconds. */
  readonly delay: number
  /** Why the request failed: what the call would have rejected with. */
  readonly error: AnyHeadgateError
}

/** Functions that are called for the requests of a client. They change no call: what they throw is written with `console.warn`. */
export interface Hooks {
  /** Called for each request that is sent, repeated ones too. */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined
  /** Called for each response, of whatever status, once it is read. */
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined
  /** Called before the pause in which a failed request waits to be repeated. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined
}
