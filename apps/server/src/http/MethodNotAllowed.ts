import type { Api } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import type { HttpMethod } from "effect/http/HttpMethod"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpApi from "effect/http-api/HttpApi"
import { refuse } from "./errorResponse.ts"

// HEAD is not among them: the router answers it as GET.
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

const methodsByPath = (api: Api): ReadonlyMap<string, ReadonlySet<HttpMethod>> => {
  const paths = new Map<string, Set<HttpMethod>>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const allowed = paths.get(endpoint.path) ?? new Set()
      paths.set(endpoint.path, allowed.add(endpoint.method))
    }
  })
  return paths
}

/** Answers 405 with `Allow` where a path of the contract is called with a method it does not have. */
export const layer = (api: Api) =>
  HttpRouter.use((router) =>
    Effect.forEach(
      methodsByPath(api),
      ([path, allowed]) => {
        const allow = Array.from(allowed).join(", ")
        const handler = refuse({
          code: "METHOD_NOT_ALLOWED",
          message: `this path takes ${allow}`,
          headers: { allow }
        })
        return Effect.forEach(
          methods.filter((method) => !allowed.has(method)),
          (method) => router.add(method, path as HttpRouter.PathInput, handler),
          { discard: true }
        )
      },
      { discard: true }
    )
  )
