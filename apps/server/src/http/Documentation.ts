import type { Api } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import * as HttpRouter from "effect/http/HttpRouter"

const path = "/docs"

/**
 * The page that documents the contract, which reads from nowhere else. Its script is as large as the server: it is
 * loaded when somebody asks for the page, not when the server starts.
 */
export const layer = (api: Api) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const scope = yield* Effect.scope
      const page = yield* HttpRouter.toHttpEffect(HttpApiSwagger.layer(api, { path })).pipe(
        Scope.provide(scope),
        Effect.cached
      )
      yield* router.add("GET", path, Effect.flatten(page))
    })
  )
