import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Option from "effect/Option"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { IncomingHttpHeaders } from "node:http"

/** The path of a URL as it was sent, without a query. */
export const encodedPath = (url: string): string => {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

/** The path of a URL as the dispatcher reads it: decoded, without a query. */
export const routedPath = (url: string): string => {
  const path = encodedPath(url)
  return Option.getOrElse(Option.liftThrowable(decodeURIComponent)(path), () => path)
}

/** Whether a URL belongs to the observability API, whose errors have another shape. */
export const isObservability = (url: string): boolean => url.startsWith("/api/") || routedPath(url).startsWith("/api/")

/**
 * The path of a request's URL as it was sent, still encoded: without a query or fragment, which may hold anything, and
 * without the scheme and authority of a request that was meant for a proxy.
 */
export const pathOf = (url: string): string => {
  const [path = ""] = url.split(/[?;#]/u, 1)
  return path.startsWith("/") ? path : path.replace(/^[^/]*:\/\/[^/]*/u, "")
}

/** The headers of a request as Node parsed them: `request.headers` copies all of them. */
export const nodeHeaders = (request: HttpServerRequest): IncomingHttpHeaders =>
  NodeHttpServerRequest.toIncomingMessage(request).headers
