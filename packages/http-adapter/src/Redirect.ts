import * as Context from "effect/Context"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

// A browser answers a 401 by itself: it asks its user for a password, and the call waits for that. A runtime without
// credentials of its own may refuse to hear of them.
const noneOfItsOwn: RequestInit =
  typeof Request !== "undefined" && "credentials" in Request.prototype ? { credentials: "omit" } : {}

/**
 * Asks fetch not to follow redirects, so that credentials stay with the origin they were meant for, and to send none of
 * its own: no cookies, no password that a browser asks its user for. `init` are the fetch options in force where the
 * layer is built; those of a call come over them. Clients other than fetch follow redirects only when they are told to.
 */
export const refusingRedirects = (init: RequestInit = {}) => {
  const withInit = (ofCall: RequestInit): RequestInit => ({ ...noneOfItsOwn, ...init, ...ofCall, redirect: "manual" })
  const always = withInit({})
  return (context: Context.Context<never>): Context.Context<never> => {
    const ofCall = Context.getOrUndefined(context, FetchHttpClient.RequestInit)
    const inForce = ofCall === undefined ? always : withInit(ofCall)
    return Context.add(context, FetchHttpClient.RequestInit, inForce)
  }
}
