import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"

/** A request and the answer it got. It holds what the caller sent: whoever shows it takes the secrets out. */
export interface Exchange {
  readonly requestId: string
  readonly request: HttpServerRequest
  readonly response: HttpServerResponse
  /** The last four characters of the key ID that was let in, if one was. */
  readonly keyIdSuffix: string | undefined
  /** From the request's arrival until its answer was made, in milliseconds. */
  readonly milliseconds: number
}

/** What is told of every exchange once its answer is made: the access log, the metrics, the journal. */
export type Watcher = (exchange: Exchange) => Effect.Effect<void>

/** Who watches. With nobody watching, an exchange costs nothing more. */
export const Watchers = Context.Reference<ReadonlyArray<Watcher>>("headgate-server/http/Watchers", {
  defaultValue: () => []
})
