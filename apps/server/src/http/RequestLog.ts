import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as MutableRef from "effect/MutableRef"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type HeaderFields, requestHeaders } from "./answerHeaders.ts"

/** The effect that answers a request. It does not fail: every error is an answer. */
export type HttpEffect = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest>

/** What the server knows of the request in flight. */
export interface CurrentRequest {
  /**
   * A fresh UUID v4: in every envelope, every error of the management API and the `x-request-id` header. Contract:
   * docs/wire-contract.md#envelopes.
   */
  readonly requestId: string
  /** The headers of its answer, whatever that is. A gateway may learn one of them from its upstream meanwhile. */
  readonly headers: () => HeaderFields
  /** The last four characters of the key ID, once that key is authenticated. */
  readonly keyIdSuffix: MutableRef.MutableRef<string | undefined>
  /** Whether the key's caller came with a session of the console. */
  readonly isSession: MutableRef.MutableRef<boolean>
  /** The path of the route, such as `/v1/organizations/{organizationId}/keys`, once the dispatcher has found it. */
  readonly route: MutableRef.MutableRef<string | undefined>
}

/** A request of which only the ID is known. */
export const makeCurrentRequest = (requestId: string, keyRetention?: () => string | undefined): CurrentRequest => ({
  requestId,
  headers: () => requestHeaders(requestId, keyRetention?.()),
  keyIdSuffix: MutableRef.make<string | undefined>(undefined),
  isSession: MutableRef.make(false),
  route: MutableRef.make<string | undefined>(undefined)
})

/** The request in flight. The error boundary sets it. */
export const CurrentRequest = Context.Reference<CurrentRequest>("headgate-server/http/CurrentRequest", {
  defaultValue: () => makeCurrentRequest("00000000-0000-0000-0000-000000000000")
})

/** A finished request. It holds what the caller sent: whatever shows it removes the secrets. */
export interface RequestLog {
  readonly requestId: string
  readonly request: HttpServerRequest
  /** With status {@link clientClosedRequest} if the connection was closed before there was an answer. */
  readonly response: HttpServerResponse.HttpServerResponse
  /** The last four characters of the key ID, if a key was authenticated. */
  readonly keyIdSuffix: string | undefined
  /** Whether its caller came with a session of the console that was made for the key. */
  readonly isSession: boolean
  /** The path of the route; `undefined` for an unknown path. */
  readonly route: string | undefined
  /** From the request's arrival to its answer, in milliseconds. */
  readonly milliseconds: number
}

/** Called with every request when it is finished: the access log, the metrics. */
export type RequestObserver = (log: RequestLog) => Effect.Effect<void>

/** The observers of requests. Without one, a request is not measured. */
export const RequestObservers = Context.Reference<ReadonlyArray<RequestObserver>>(
  "headgate-server/http/RequestObservers",
  { defaultValue: () => [] }
)

/** How many requests are in flight; counted while there are observers. */
export interface InFlight {
  count: number
}

/** The count of requests in flight. */
export const InFlight = Context.Reference<InFlight>("headgate-server/http/InFlight", {
  defaultValue: () => ({ count: 0 })
})

/** The status in logs of a request whose connection was closed before its answer, as nginx logs it. It is never sent. */
export const clientClosedRequest = 499

const noAnswer = HttpServerResponse.empty({ status: clientClosedRequest })

/** Measures a request and calls the observers when it is finished, with an answer or without. */
export const observeRequests =
  (observers: ReadonlyArray<RequestObserver>, inFlight: InFlight) =>
  (current: CurrentRequest, request: HttpServerRequest, answering: HttpEffect): HttpEffect =>
    Effect.clockWith((clock) => {
      const arrived = clock.monotonicTimeNanosUnsafe()
      inFlight.count++
      return Effect.onExit(answering, (exit) => {
        inFlight.count--
        const log: RequestLog = {
          requestId: current.requestId,
          request,
          response: Exit.isSuccess(exit) ? exit.value : noAnswer,
          keyIdSuffix: current.keyIdSuffix.current,
          isSession: current.isSession.current,
          route: current.route.current,
          milliseconds: Number(clock.monotonicTimeNanosUnsafe() - arrived) / 1e6
        }
        return Effect.forEach(observers, (observer) => observer(log), { discard: true })
      })
    })

/** Stands around the answering of each request, once its route is known: a trace span. */
export type RequestMiddleware = (
  current: CurrentRequest,
  request: HttpServerRequest,
  answering: HttpEffect
) => HttpEffect

/** The middleware of this server, if it has one. */
export const CurrentMiddleware = Context.Reference<RequestMiddleware | undefined>(
  "headgate-server/http/CurrentMiddleware",
  { defaultValue: () => undefined }
)

/** The answer to bytes that Node could not parse as a request. */
export interface ParseError {
  readonly requestId: string
  readonly status: number
  readonly remoteAddress: string | undefined
}

/** Called with every parse error. */
export const ParseErrorObservers = Context.Reference<ReadonlyArray<(error: ParseError) => void>>(
  "headgate-server/http/ParseErrorObservers",
  { defaultValue: () => [] }
)
