import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { readdirSync, readFileSync } from "node:fs"
import { extname } from "node:path"
import type { HttpEffect } from "../http/RequestLog.ts"
import { sharedContent } from "../http/sharedContent.ts"
import { consoleHeaders } from "./consoleHeaders.ts"

type Answer = (request: HttpServerRequest.HttpServerRequest) => HttpEffect

/** What the console is served from, and what its page gets to know. */
export interface ConsoleOptions {
  /** Where the build put it: `index.html`, and `assets` with hashes in their names. */
  readonly folder: URL
  readonly dialect: string
  readonly version: string
  /** Whether the server moves no rows. */
  readonly isSimulated: boolean
}

/** What the build of the console made. */
export interface ConsoleSite {
  /** The page, the same for every path. */
  readonly page: Answer
  /** Scripts and styles by the names of their files. */
  readonly assets: ReadonlyMap<string, Answer>
}

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml"
}

const root = '<html lang="en">'

/** The page with what it must know of the server before it may ask. */
const pageOf = ({ dialect, folder, isSimulated, version }: ConsoleOptions): Buffer => {
  const html = readFileSync(new URL("index.html", folder), "utf8")
  if (!html.includes(root)) throw new Error(`index.html of the console has no ${root}`)
  const data = `data-dialect="${dialect}" data-version="${version}" data-simulated="${isSimulated}"`
  return Buffer.from(html.replace(root, `${root.slice(0, -1)} ${data}>`))
}

/**
 * Reads every file of the console. What is asked for is looked up among them: no path of a request reaches the disk, and pages and
 * scripts are of one build while the server runs.
 */
export const readSite = Effect.fnUntraced(function* (options: ConsoleOptions) {
  const page = pageOf(options)
  const folder = new URL("assets/", options.folder)
  const assets = new Map<string, Answer>()
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const contentType = contentTypes[extname(entry.name)]
    // A link may lead out of the folder.
    if (!entry.isFile() || contentType === undefined) continue
    const bytes = readFileSync(new URL(encodeURIComponent(entry.name), folder))
    const headers = { ...consoleHeaders, "cache-control": "public, max-age=31536000, immutable" }
    assets.set(entry.name, yield* sharedContent(Effect.succeed({ bytes, contentType, headers })))
  }
  const site: ConsoleSite = {
    assets,
    page: yield* sharedContent(
      Effect.succeed({
        bytes: page,
        contentType: "text/html; charset=utf-8",
        headers: { ...consoleHeaders, "cache-control": "no-cache" }
      })
    )
  }
  return site
})
