import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as MutableRef from "effect/MutableRef"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** What is known of the exchange under way. */
export interface CurrentExchange {
  /**
   * A fresh UUID v4 for each request: it goes into every envelope, every error of the management API and the
   * `x-request-id` header. Contract: section 2.1.
   */
  readonly requestId: string
  /** The last four characters of the key ID, once that key is let in. */
  readonly keyIdSuffix: MutableRef.MutableRef<string | undefined>
  /** The path of the contract that the request is an instance of, where it is known without being looked for. */
  readonly route: MutableRef.MutableRef<string | undefined>
}

/** An exchange of which nothing is known yet. */
export const makeExchange = (requestId: string): CurrentExchange => ({
  requestId,
  keyIdSuffix: MutableRef.make<string | undefined>(undefined),
  route: MutableRef.make<string | undefined>(undefined)
})

/** The exchange under way, as the edge opened it. */
export const CurrentExchange = Context.Reference<CurrentExchange>("headgate-server/http/CurrentExchange", {
  defaultValue: () => makeExchange("00000000-0000-0000-0000-000000000000")
})

/** The effect that answers a request. It does not fail: every error is an answer. */
export type HttpEffect = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest>

/** A request and the answer it got. It holds what the caller sent: whoever shows it takes the secrets out. */
export interface Exchange {
  readonly requestId: string
  readonly request: HttpServerRequest
  /** With status {@link unanswered} where the connection was gone before there was an answer. */
  readonly response: HttpServerResponse.HttpServerResponse
  /** The last four characters of the key ID that was let in, if one was. */
  readonly keyIdSuffix: string | undefined
  /** The path of the contract that the request is an instance of, where it is known already. */
  readonly route: string | undefined
  /** From the request's arrival until its answer was made, in milliseconds. */
  readonly milliseconds: number
}

/** What is told of every exchange once its answer is made: the access log, the metrics, the journal. */
export type Watcher = (exchange: Exchange) => Effect.Effect<void>

/** Who watches. With nobody watching, an exchange costs nothing more. */
export const Watchers = Context.Reference<ReadonlyArray<Watcher>>("headgate-server/http/Watchers", {
  defaultValue: () => []
})

/** How many exchanges are under way; counted while somebody watches. */
export interface UnderWay {
  count: number
}

/** The count that the edge keeps for those who watch. */
export const UnderWay = Context.Reference<UnderWay>("headgate-server/http/UnderWay", {
  defaultValue: () => ({ count: 0 })
})

/** The status of an exchange that got no answer, since its caller hung up or was cut off: no such status is ever sent. */
export const unanswered = 499

const noAnswer = HttpServerResponse.empty({ status: unanswered })

/** Tells the watchers of an exchange when it ends, with an answer or without. */
export const watched = (watchers: ReadonlyArray<Watcher>, underWay: UnderWay) => {
  const [only, ...others] = watchers
  const tell: Watcher =
    only !== undefined && others.length === 0
      ? only
      : (exchange) => Effect.forEach(watchers, (watcher) => watcher(exchange), { discard: true })
  return <E, R>(
    { keyIdSuffix, requestId, route }: CurrentExchange,
    request: HttpServerRequest,
    answering: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) =>
    Effect.clockWith((clock) => {
      const arrived = clock.monotonicTimeNanosUnsafe()
      underWay.count++
      return Effect.onExit(answering, (exit) => {
        underWay.count--
        return tell({
          requestId,
          request,
          response: Exit.isSuccess(exit) ? exit.value : noAnswer,
          keyIdSuffix: keyIdSuffix.current,
          route: route.current,
          milliseconds: Number(clock.monotonicTimeNanosUnsafe() - arrived) / 1e6
        })
      })
    })
}

/** What is put around the answering of a request, such as a span. */
export type Wrapper = <E, R>(
  exchange: CurrentExchange,
  request: HttpServerRequest,
  answering: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** What the edge puts around the answering of each request: nothing, unless told. */
export const Wrapped = Context.Reference<Wrapper | undefined>("headgate-server/http/Wrapped", {
  defaultValue: () => undefined
})

/** What was answered to bytes that never became a request. */
export interface Unread {
  readonly requestId: string
  readonly status: number
  readonly remoteAddress: string | undefined
}

/** Who is told of what never became a request. */
export const UnreadWatchers = Context.Reference<ReadonlyArray<(unread: Unread) => void>>(
  "headgate-server/http/UnreadWatchers",
  { defaultValue: () => [] }
)
