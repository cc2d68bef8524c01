import * as Option from "effect/Option"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpProblem } from "../http/HttpProblem.ts"
import { isLoopbackAddress, isLoopbackName, isOrigin, parseHost } from "./requestHost.ts"

const headers = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"]

/** The name of a header that a proxy adds, if the request has one. */
export const forwardingHeader = (request: HttpServerRequest): string | undefined =>
  headers.find((name) => request.headers[name] !== undefined)

/** Whether `Host` is a loopback name. Any other name may be one that a page's DNS resolves to this address. */
const isLoopbackHost = (host: string): boolean => {
  const parsed = parseHost(host)
  return parsed !== undefined && isLoopbackName(parsed.name)
}

/** Whether a request has no `Origin`, or this server's own. */
const isOwnOrigin = (origin: string | undefined, host: string): boolean =>
  origin === undefined ||
  // With the scheme of the origin, so that both omit its default port.
  (URL.canParse(origin) && isOrigin(origin, `${new URL(origin).protocol}//${host}`))

/** Whether `Sec-Fetch-Site` allows the request: the address bar of a browser and this server's pages. */
const isOwnSite = (site: string | undefined): boolean => site === undefined || site === "same-origin" || site === "none"

const forbidden = (message: string): HttpProblem => ({ code: "FORBIDDEN", message })

/**
 * The problem of a request to `path` that does not come from a program on this machine. The path needs no credentials, so
 * other machines, proxies and pages in a browser are rejected, across origins (CSRF) and under a name that resolves to
 * this address (DNS rebinding). `X-Forwarded-For` is never trusted here.
 */
export const requireLocalCaller = (path: string, request: HttpServerRequest): HttpProblem | undefined => {
  const { headers, peerAddress } = request
  if (!isLoopbackAddress(Option.getOrElse(peerAddress, () => ""))) {
    return forbidden(`${path} answers this machine alone`)
  }
  const forwarded = forwardingHeader(request)
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
