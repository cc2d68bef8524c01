import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"

// A browser answers a 401 by itself: it asks its user for a password, and the call waits for that. A runtime without
// credentials of its own may refuse to hear of them.
const noneOfItsOwn: RequestInit =
  typeof Request !== "undefined" && "credentials" in Request.prototype ? { credentials: "omit" } : {}

/**
 * Asks fetch not to follow redirects, so that credentials stay with the origin they were meant for, and to send none of
 * its own: no cookies, no password that a browser asks its user for. `init` are the fetch options in force where the
 * layer is built; those of a call come over them. Clients other than fetch follow redirects only when they are told to.
 */
export const refuseRedirects =
  (init: RequestInit) =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient =>
    HttpClient.transformResponse(
      client,
      Effect.updateContext((context: Context.Context<never>) =>
        Context.add(context, FetchHttpClient.RequestInit, {
          ...noneOfItsOwn,
          ...init,
          ...Context.getOrUndefined(context, FetchHttpClient.RequestInit),
          redirect: "manual"
        })
      )
    )
