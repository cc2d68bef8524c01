import type { InvalidRequest } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Url from "effect/http/Url"
import { flagOption, refused } from "./validateOption.ts"

/** Where an API is: an origin and the path before the contract's own. */
export interface BaseUrl {
  /** `https://api.example.com/some/path`, without a slash at the end. */
  readonly href: string
  /** `/some/path`, or nothing. */
  readonly path: string
}

// As the URL's parser writes a host: `http://127.1` is at 127.0.0.1, and an IPv6 address has its shortest form.
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Reads a base URL: an origin and, if it must be, a path. A slash at the end is dropped, and so is one of `prefixes`,
 * the beginnings of the contract's paths that people copy along. Credentials are about to be sent there, so plain http
 * is for loopback unless `allowInsecureHttp` says otherwise.
 */
export const parseBaseUrl = Effect.fnUntraced(function* (
  input: string | URL,
  options: { readonly prefixes: ReadonlyArray<string>; readonly allowInsecureHttp: boolean | undefined }
): Effect.fn.Return<BaseUrl, InvalidRequest> {
  const allowInsecureHttp =
    options.allowInsecureHttp !== undefined && (yield* flagOption("allowInsecureHttp", options.allowInsecureHttp))
  const parsed = Predicate.isString(input) || input instanceof URL ? Url.fromString(String(input)) : undefined
  if (parsed === undefined || Result.isFailure(parsed)) {
    return yield* refused("baseUrl", "a URL such as https://api.example.com")
  }
  const url = parsed.success
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return yield* refused("baseUrl", "a URL that begins with https://")
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return yield* refused("baseUrl", "an origin and a path, without credentials, query or fragment")
  }
  if (url.protocol === "http:" && !allowInsecureHttp && !loopback.test(url.hostname)) {
    return yield* refused("baseUrl", "https: plain http would send the credentials in clear (allowInsecureHttp)")
  }
  const path = url.pathname.replace(/\/+$/, "")
  const prefix = options.prefixes.find((prefix) => path.endsWith(prefix)) ?? ""
  const kept = path.slice(0, path.length - prefix.length)
  return { href: url.origin + kept, path: kept }
})

/** Sends a request to a base URL. */
export const baseUrl = ({ href }: BaseUrl) => HttpClientRequest.prependUrl(href)
