import { type Dialect, makeApi, openApi } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Route } from "./Dispatcher.ts"

/**
 * `/openapi.json`, and at `/docs` a page that shows it and loads nothing from elsewhere. Both are made at the first
 * request: the page's script is as large as the server.
 */
export const documentationRoutes = (dialect: Dialect) =>
  Effect.gen(function* () {
    const document = yield* Effect.cached(
      Effect.sync(() => HttpServerResponse.text(JSON.stringify(openApi(dialect)), { contentType: "application/json" }))
    )
    const page = yield* Effect.cached(
      HttpRouter.toHttpEffect(HttpApiSwagger.layer(makeApi(dialect), { path: "/docs" })).pipe(Effect.scoped)
    )
    const routes: ReadonlyArray<Route> = [
      { method: "GET", path: "/openapi.json", answer: () => document },
      { method: "GET", path: "/docs", answer: () => Effect.scoped(Effect.orDie(Effect.flatten(page))) }
    ]
    return routes
  })
