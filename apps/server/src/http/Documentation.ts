import { type Dialect, makeApi, openApi } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { pathNotFound, type Route } from "./Dispatcher.ts"
import { respondWith } from "./HttpProblem.ts"
import { prefersHtml } from "./accept.ts"
import { nodeHeaders } from "./requestUrl.ts"
import { sharedContent } from "./sharedContent.ts"

/** The route of a document that is the same for every caller, made at the first request. Clients may keep it, and ask whether it has changed. */
export const sharedDocument = (path: `/${string}`, contentType: string, text: Effect.Effect<string>) =>
  Effect.map(
    sharedContent(
      Effect.map(text, (made) => ({
        bytes: Buffer.from(made),
        contentType,
        headers: { "cache-control": "no-cache" }
      }))
    ),
    (answer): Route => ({ method: "GET", path, answer })
  )

/** The page as effect's router answers it. */
const swaggerPage = (dialect: Dialect): Effect.Effect<string> =>
  Effect.suspend(() => HttpRouter.toHttpEffect(HttpApiSwagger.layer(makeApi(dialect), { path: "/docs" }))).pipe(
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

const toConsole = HttpServerResponse.redirect("/console", { status: 303 })

/** Whether a person opened the URL in a browser: pages and programs that ask for it get JSON. */
const isNavigation = (request: HttpServerRequest.HttpServerRequest): boolean =>
  nodeHeaders(request)["sec-fetch-mode"] === "navigate" && prefersHtml(request)

/** `/`: what this server is, and where its documentation stands. With a console, a browser is sent to it. */
export const indexRoute = (version: string, hasConsole: boolean): Route => {
  const pages = { docs: "/docs", openapi: "/openapi.json", ...(hasConsole ? { console: "/console" } : {}) }
  const described = () => HttpServerResponse.jsonUnsafe({ server: "headgate-server", version, ...pages })
  return {
    method: "GET",
    path: "/",
    answer: (request) => {
      // The router takes `//` and no path at all for it.
      if (!/^\/(?:[?#]|$)/.test(request.url)) return respondWith(pathNotFound)
      if (!hasConsole) return Effect.succeed(described())
      const answer = isNavigation(request) ? toConsole : described()
      return Effect.succeed(HttpServerResponse.setHeader(answer, "vary", "accept, sec-fetch-mode"))
    }
  }
}
