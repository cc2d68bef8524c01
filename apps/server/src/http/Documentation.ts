import { type Dialect, makeApi, openApi } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { pathNotFound, type Route } from "./Dispatcher.ts"
import { respondWith } from "./HttpProblem.ts"
import { eventLoopTurn } from "./eventLoopTurn.ts"
import { acceptsGzip, gzip } from "./gzip.ts"
import { contentTag, hasContent } from "./ifNoneMatch.ts"

/**
 * The route of a document that is the same for every caller. All answers share one buffer, compressed or not, so that
 * callers who do not read it cost no copy each. Clients may keep it, and ask whether it has changed.
 */
export const sharedDocument = (path: `/${string}`, contentType: string, text: Effect.Effect<string>) =>
  Effect.map(
    Effect.cached(
      // In a fiber of its own: a caller who hangs up ends only their own request.
      Effect.forkDetach(
        Effect.gen(function* () {
          const bytes = Buffer.from(yield* text)
          const tag = contentTag(bytes)
          // A weak one: it stands for both encodings.
          const headers = { etag: `W/${tag}`, "cache-control": "no-cache", vary: "accept-encoding" }
          const compressed = yield* Effect.promise(() => gzip(bytes))
          return {
            tag,
            unchanged: HttpServerResponse.empty({ status: 304, headers }),
            plain: HttpServerResponse.uint8Array(bytes, { contentType, headers }),
            compressed: HttpServerResponse.uint8Array(compressed, {
              contentType,
              headers: { ...headers, "content-encoding": "gzip" }
            })
          }
        })
      )
    ),
    (making): Route => ({
      method: "GET",
      path,
      answer: (request) =>
        // After the wait for the first one: all who wait go on at once.
        Effect.map(
          Effect.tap(Effect.flatMap(making, Fiber.join), eventLoopTurn),
          ({ compressed, plain, tag, unchanged }) => {
            if (hasContent(request, tag)) return unchanged
            return acceptsGzip(request) ? compressed : plain
          }
        )
    })
  )

/** The page as effect's router answers it. */
const swaggerPage = (dialect: Dialect): Effect.Effect<string> =>
  HttpRouter.toHttpEffect(HttpApiSwagger.layer(makeApi(dialect), { path: "/docs" })).pipe(
    Effect.flatten,
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
    ),
    Effect.flatMap((answer) => Effect.promise(() => HttpServerResponse.toWeb(answer).text())),
    Effect.orDie,
    Effect.scoped
  )

/**
 * `/openapi.json`, and at `/docs` a page that shows it and loads nothing from elsewhere. Each is made once, at the first
 * request: the page's script is as large as the server.
 */
export const documentationRoutes = (dialect: Dialect) =>
  Effect.all([
    sharedDocument(
      "/openapi.json",
      "application/json",
      Effect.sync(() => JSON.stringify(openApi(dialect)))
    ),
    sharedDocument("/docs", "text/html; charset=utf-8", swaggerPage(dialect))
  ])

/** `/`: what this server is, and where its documentation stands. */
export const indexRoute = (version: string): Route => ({
  method: "GET",
  path: "/",
  // The router takes `//` and no path at all for it.
  answer: ({ url }) =>
    /^\/(?:[?#]|$)/.test(url)
      ? Effect.succeed(
          HttpServerResponse.jsonUnsafe({ server: "headgate-server", version, docs: "/docs", openapi: "/openapi.json" })
        )
      : respondWith(pathNotFound)
})
