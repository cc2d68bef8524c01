import type { Api } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as FindMyWay from "effect/http/FindMyWay"
import type * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { refuse } from "./HttpProblem.ts"
import type { Handled } from "./RequestLog.ts"

const methodsByPath = (api: Api): ReadonlyMap<string, ReadonlySet<string>> => {
  const paths = new Map<string, Set<string>>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const methods = paths.get(endpoint.path) ?? new Set()
      paths.set(endpoint.path, methods.add(endpoint.method))
    }
  })
  return paths
}

// What the server tells of itself is only read.
const ownPaths = ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs"] as const

/** Answers 405 with `Allow` where a path is called with a method that it does not have. */
export const methodNotAllowed = (api: Api, routerConfig: Partial<FindMyWay.RouterConfig>) => {
  const paths = FindMyWay.make<string>(routerConfig)
  for (const [path, methods] of methodsByPath(api)) {
    // Endpoints are declared with the router's own paths; their type says string.
    paths.on("GET", path as HttpRouter.PathInput, Array.from(methods).join(", "))
  }
  for (const path of ownPaths) paths.on("GET", path, "GET, HEAD")
  return (httpEffect: Handled): Handled =>
    Effect.catch(httpEffect, (error) =>
      Effect.gen(function* () {
        const { url } = yield* HttpServerRequest.HttpServerRequest
        const isUnrouted = HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
        const allow = isUnrouted ? paths.find("GET", url)?.handler : undefined
        return allow === undefined
          ? yield* Effect.fail(error)
          : yield* refuse({
              code: "METHOD_NOT_ALLOWED",
              message: `this path takes ${allow}`,
              headers: { allow }
            })
      })
    )
}
