import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as FindMyWay from "effect/http/FindMyWay"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { type HttpProblem, respondWith } from "./HttpProblem.ts"
import { maxBodyBytes, maxPathLength } from "./Limits.ts"
import { CurrentRequest, type HttpEffect } from "./RequestLog.ts"
import { declaredBodyProblem } from "./requestBody.ts"
import { headerProblem } from "./requestHeaders.ts"
import { encodedPath } from "./requestUrl.ts"

/** A method of a path, and what answers it. `:name` in the path is a parameter. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: `/${string}`
  readonly answer: (
    request: HttpServerRequest.HttpServerRequest,
    params: Readonly<Record<string, string | undefined>>,
    current: CurrentRequest
  ) => HttpEffect
}

/** The routes of one path. */
interface Path {
  /** The path as it stands in OpenAPI, in metrics and in traces: `/v1/organizations/{organizationId}/keys`. */
  readonly template: string
  readonly routes: Map<string, Route>
}

// Clients send `.../clickpipes/`: a trailing slash names the same resource. Another case or a doubled slash does not.
const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: false,
  maxParamLength: maxPathLength
}

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * A path in which malformed escapes and semicolons stand for themselves, so that it is routed: an ID that holds one is refused
 * by the schema of the ID, after authentication.
 */
const literalPath = (path: string): string => {
  if (!path.includes("%") && !path.includes(";")) return path
  const escaped = path.replaceAll(";", "%3B")
  return isDecodable(escaped) ? escaped : escaped.replaceAll("%", "%25")
}

const allowedMethods = ({ routes }: Path): string =>
  Array.from(routes.keys(), (method) => (method === "GET" ? "GET, HEAD" : method)).join(", ")

const pathTooLong: HttpProblem = { code: "BAD_REQUEST", message: `path: Expected at most ${maxPathLength} characters` }

/** The problem of a path without a route. */
export const pathNotFound: HttpProblem = { code: "NOT_FOUND", message: "there is no such path in this API" }

const methodNotAllowed = (path: Path): HttpProblem => {
  const allow = allowedMethods(path)
  const message = allow === "" ? "this server does not serve this part of the API" : `this path takes ${allow}`
  return { code: "METHOD_NOT_ALLOWED", message, headers: { allow } }
}

const answerOf = (
  request: HttpServerRequest.HttpServerRequest,
  found: FindMyWay.FindResult<Path> | undefined,
  current: CurrentRequest
): HttpEffect => {
  if (found === undefined) return respondWith(pathNotFound)
  const route = found.handler.routes.get(request.method === "HEAD" ? "GET" : request.method)
  if (route === undefined) return respondWith(methodNotAllowed(found.handler))
  const problem = declaredBodyProblem(request, maxBodyBytes)
  if (problem !== undefined) return respondWith(problem)
  // What stands around a route is not interrupted when its caller hangs up; the route is.
  return Effect.interruptible(route.answer(request, found.params, current))
}

/**
 * Finds the route of each request and lets it answer: 404 for an unknown path, 405 with `Allow` for another method of a
 * known one. A HEAD is answered by the route of GET, without its body.
 * `unserved` are paths without a method, like all paths below them.
 * `around` wraps every answer, once the route is known.
 */
export const dispatcher = (
  routes: ReadonlyArray<Route>,
  unserved: ReadonlyArray<Route["path"]>,
  around: (answer: HttpEffect, current: CurrentRequest, request: HttpServerRequest.HttpServerRequest) => HttpEffect
): HttpEffect => {
  const router = FindMyWay.make<Path>(routerConfig)
  const paths = new Map<string, Path>()
  const addPath = (path: Route["path"]): Path => {
    const added: Path = { template: path.replaceAll(/:(\w+)/g, "{$1}"), routes: new Map() }
    paths.set(path, added)
    // One entry for each path: the method is looked up in it, so that a 405 can name the others.
    router.on("GET", path, added)
    return added
  }
  for (const path of unserved) router.on("GET", `${path}/*`, addPath(path))
  for (const route of routes) (paths.get(route.path) ?? addPath(route.path)).routes.set(route.method, route)

  return Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
    const request = Context.get(context, HttpServerRequest.HttpServerRequest)
    const current = Context.get(context, CurrentRequest)
    const sent = encodedPath(request.url)
    const path = sent.length > maxPathLength ? sent : literalPath(sent)
    // As it is routed: the router's decoder takes time that grows with the square of it.
    const problem = path.length > maxPathLength ? pathTooLong : headerProblem(request)
    if (problem !== undefined) return around(respondWith(problem), current, request)
    const found = router.find("GET", path)
    if (found !== undefined) MutableRef.set(current.route, found.handler.template)
    return around(answerOf(request, found, current), current, request)
  })
}
