import { identity } from "effect/Function"
import { type HttpRequest, withHeader } from "../HttpRequest.ts"

/** The version of this package; a test compares it with package.json. */
export const version = "0.0.0"

// Node, Deno, Bun, edge runtimes and browsers all have `navigator`. A browser sets its own `User-Agent` and does not let
// a page change it.
const runtime = typeof navigator === "undefined" ? "" : navigator.userAgent
const isBrowser = runtime.startsWith("Mozilla/")
const own = `headgate/${version}${runtime === "" ? "" : ` (${runtime.replace(/^Node\.js/, "node")})`}`

/** Sets `User-Agent`: `headgate/1.2.3 (node/24)`, after the products of the option, such as `my-tool/4.5`. */
export const userAgent = (products: string | undefined): ((request: HttpRequest) => HttpRequest) =>
  isBrowser
    ? identity
    : (request) => withHeader(request, "user-agent", products === undefined ? own : `${products} ${own}`)
