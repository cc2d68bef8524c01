import type { InvalidRequest } from "@headgate/core"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { refused } from "./validateOption.ts"

/** The version of this package; a test holds it to package.json. */
export const version = "0.0.0"

const printableAscii = /^[\x20-\x7e]+$/

// `navigator` is what Node, Deno, Bun, edge runtimes and browsers have in common. A browser names itself and does not
// let a page do so.
const runtime = typeof navigator === "undefined" ? "" : navigator.userAgent
const isBrowser = runtime.startsWith("Mozilla/")
const own = `headgate/${version}${runtime === "" ? "" : ` (${runtime.replace(/^Node\.js/, "node")})`}`

/** Says who is calling: `headgate/1.2.3 (node/24)`, after the products of an extension such as `my-tool/4.5`. */
export const userAgent = (
  extension: string | undefined
): Effect.Effect<
  (request: HttpClientRequest.HttpClientRequest) => HttpClientRequest.HttpClientRequest,
  InvalidRequest
> => {
  if (extension !== undefined && !(Predicate.isString(extension) && printableAscii.test(extension))) {
    return refused("userAgent", "printable ASCII characters, such as my-tool/1.2")
  }
  if (isBrowser) return Effect.succeed(identity)
  const value = extension === undefined ? own : `${extension} ${own}`
  return Effect.succeed(HttpClientRequest.setHeader("user-agent", value))
}
