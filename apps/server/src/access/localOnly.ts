import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as NetAddress from "effect/net/NetAddress"
import type { HttpProblem } from "../http/HttpProblem.ts"

const headers = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"]

/** The header that tells that a proxy passed a request on; none if nothing tells it. */
export const forwardedBy = (request: HttpServerRequest): string | undefined =>
  headers.find((name) => request.headers[name] !== undefined)

/** Whether an address never leaves this machine. An IPv4 address that is written as IPv6 counts as what it is. */
const isLoopbackAddress = (text: string): boolean => {
  const address = Result.getOrUndefined(NetAddress.ipFromString(text))
  return address !== undefined && NetAddress.isLoopback(NetAddress.toCanonical(address))
}

/** Whether a host, without its port, names this machine to itself: `localhost`, or a loopback address. */
export const isLoopbackName = (name: string): boolean => name.toLowerCase() === "localhost" || isLoopbackAddress(name)

const hostForm = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>[^:[\]]+))(?::\d{1,5})?$/iu

/** Whether `Host` names this machine to itself. Any other name may be a page's own, pointed here by its DNS. */
const isLoopbackHost = (host: string): boolean => {
  const { name, v6 } = hostForm.exec(host)?.groups ?? {}
  if (v6 !== undefined) return isLoopbackAddress(v6)
  return name !== undefined && isLoopbackName(name)
}

/** Whether the page that asks, if it is one, is this server's own. */
const isOwnOrigin = (origin: string | undefined, host: string): boolean => {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const asked = new URL(origin)
  // In the origin's scheme, so that both leave out the port that goes without saying.
  const own = `${asked.protocol}//${host}`
  return URL.canParse(own) && asked.host === new URL(own).host
}

/** What a browser says of where a request comes from: only its address bar and our own pages may. */
const isOwnSite = (site: string | undefined): boolean => site === undefined || site === "same-origin" || site === "none"

const forbidden = (message: string): HttpProblem => ({ code: "FORBIDDEN", message })

/**
 * Why `path` is not for the caller of a request, if it is not. It asks for no credentials, so it answers nobody but a
 * program on this machine: not a caller elsewhere, not a proxy's, and not a page in a browser here, whether it asks across
 * origins (CSRF) or under a name of its own that resolves to this address (DNS rebinding). Nobody is taken for who a proxy
 * says they are.
 */
export const foreignCaller = (path: string, request: HttpServerRequest): HttpProblem | undefined => {
  const { headers, peerAddress } = request
  if (!isLoopbackAddress(Option.getOrElse(peerAddress, () => ""))) {
    return forbidden(`${path} answers this machine alone`)
  }
  const forwarded = forwardedBy(request)
  if (forwarded !== undefined) {
    return forbidden(`${forwarded}: Expected none, ${path} answers no proxy`)
  }
  const { host = "", origin } = headers
  if (!isLoopbackHost(host)) {
    return forbidden("host: Expected localhost or a loopback address, such as 127.0.0.1")
  }
  if (!isOwnOrigin(origin, host)) {
    return forbidden(`origin: Expected none, ${path} answers no page of another origin`)
  }
  return isOwnSite(headers["sec-fetch-site"])
    ? undefined
    : forbidden(`sec-fetch-site: Expected none, ${path} answers no page of another site`)
}
