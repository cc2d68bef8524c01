import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { pathNotFound, type Route } from "../http/Dispatcher.ts"
import { respondWith } from "../http/HttpProblem.ts"
import { encodedPath } from "../http/requestUrl.ts"
import { textPageHeaders } from "./consoleHeaders.ts"
import type { ConsoleOptions, ConsoleSite } from "./consoleSite.ts"

const assetsPath = "/console/assets/"

/** Whether a path is that of a page: a file has a dot in its name, and no page has dots, slashes or NUL encoded. */
const isPage = (path: string): boolean =>
  !path.startsWith(assetsPath) &&
  !path.slice(path.lastIndexOf("/")).includes(".") &&
  !/\/\.{1,2}\/|%(?:00|2e|2f|5c)|\\/iu.test(path)

/**
 * `/console` with every path below it, and its scripts and styles. Its files, and the code that serves them, are read when somebody
 * first asks for one.
 */
export const consoleRoutes = (options: ConsoleOptions): ReadonlyArray<Route> => {
  let read: ConsoleSite | undefined
  // Not cached as an effect: a file that could not be read is read again by the next request.
  const site = Effect.suspend(() =>
    read === undefined
      ? Effect.promise(() => import("./consoleSite.ts")).pipe(
          Effect.flatMap(({ readSite }) => (read === undefined ? readSite(options) : Effect.succeed(read))),
          Effect.tap((made) => Effect.sync(() => (read = made)))
        )
      : Effect.succeed(read)
  )
  // By the path as it was sent: what is encoded is no name of a file.
  const page: Route["answer"] = (request) =>
    isPage(encodedPath(request.url)) ? Effect.flatMap(site, (made) => made.page(request)) : respondWith(pathNotFound)
  const asset: Route["answer"] = (request) =>
    Effect.flatMap(site, ({ assets }) => {
      const path = encodedPath(request.url)
      const found = path.startsWith(assetsPath) ? assets.get(path.slice(assetsPath.length)) : undefined
      return found === undefined ? respondWith(pathNotFound) : found(request)
    })
  return [
    { method: "GET", path: "/console", answer: page },
    { method: "GET", path: "/console/*", answer: page },
    { method: "GET", path: `${assetsPath}*`, answer: asset }
  ]
}

/** Why a server has no console, and where there is one. */
const reasons = {
  gateway: [
    "This server is a gateway (--upstream): the pipes are at the service behind it, and it keeps only keys of its own.",
    "Open the console of the service behind it, or use the command line <code>headgate</code> with the URL of this server."
  ],
  mover: [
    "This server only moves rows (--role mover): it serves no API that pages could call.",
    "Open <code>/console</code> at a server over the same database with <code>--role all</code> or <code>--role api</code>."
  ]
}

const pageOf = (paragraphs: ReadonlyArray<string>): string =>
  `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>No console here: Headgate</title>
  </head>
  <body>
    <main>
      <h1>No console here</h1>
${paragraphs.map((paragraph) => `      <p>${paragraph}</p>\n`).join("")}    </main>
  </body>
</html>
`

/** `/console` of a server without one: a page that says why, for the person who opened it. */
export const noConsoleRoutes = (reason: keyof typeof reasons): ReadonlyArray<Route> => {
  const answer = Effect.sync(() =>
    HttpServerResponse.text(pageOf(reasons[reason]), {
      status: 404,
      contentType: "text/html; charset=utf-8",
      headers: textPageHeaders
    })
  )
  return [
    { method: "GET", path: "/console", answer: () => answer },
    { method: "GET", path: "/console/*", answer: () => answer }
  ]
}
