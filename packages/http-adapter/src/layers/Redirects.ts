import * as Context from "effect/Context"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

// With credentials of its own, a browser asks its user for a password after a 401. Runtimes without such credentials,
// such as Cloudflare Workers, refuse the option. Node has neither them nor `self`: there, `Request` would load all of fetch.
const omitCredentials = (): RequestInit =>
  "self" in globalThis && "credentials" in Request.prototype ? { credentials: "omit" } : {}

/**
 * Configures fetch to follow no redirects, so that credentials stay with their origin, and to send no cookies and no
 * passwords of its own. `init` are the fetch options where the layer is built; those of a call override them. Other
 * clients follow redirects only if they are configured to.
 */
export const withoutRedirects = (init: RequestInit = {}) => {
  const merge = (ofCall: RequestInit): RequestInit => ({ ...omitCredentials(), ...init, ...ofCall, redirect: "manual" })
  const ofLayer = merge({})
  return (context: Context.Context<never>): Context.Context<never> => {
    const ofCall = Context.getOrUndefined(context, FetchHttpClient.RequestInit)
    return Context.add(context, FetchHttpClient.RequestInit, ofCall === undefined ? ofLayer : merge(ofCall))
  }
}
