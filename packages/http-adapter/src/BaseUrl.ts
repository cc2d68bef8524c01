import * as Predicate from "effect/Predicate"
import type { HttpRequest } from "./HttpRequest.ts"

/** Where an API is: an origin and the path before the contract's own paths. */
export interface BaseUrl {
  /** `https://api.example.com/some/path`, without a slash at the end. */
  readonly href: string
  /** `/some/path`, or an empty string. */
  readonly path: string
}

/** Whether a value is a URL, or a text that can be read as one. */
export const isUrl = (value: unknown): value is string | URL =>
  (Predicate.isString(value) || value instanceof URL) && URL.canParse(value)

// `URL` normalizes hosts: `http://127.1` becomes 127.0.0.1, and an IPv6 address gets its shortest form.
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** What is wrong with a base URL; `undefined` for nothing. Plain http would send the credentials in clear. */
export const baseUrlIssue = (input: string | URL, allowInsecureHttp: boolean): string | undefined => {
  const url = new URL(input)
  if (url.protocol !== "https:" && url.protocol !== "http:") return "Expected a URL that begins with https://"
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return "Expected an origin and a path, without credentials, query or fragment"
  }
  return url.protocol === "http:" && !allowInsecureHttp && !loopback.test(url.hostname)
    ? "Expected https: plain http would send the credentials in clear (allowInsecureHttp)"
    : undefined
}

/**
 * Reads a valid base URL. A slash at the end is dropped, and so is one of `prefixes`: the beginnings of the contract's
 * paths, which people copy along.
 */
export const parseBaseUrl = (input: string | URL, prefixes: ReadonlyArray<string>): BaseUrl => {
  const { origin, pathname } = new URL(input)
  const path = pathname.replace(/\/+$/, "")
  const prefix = prefixes.find((prefix) => path.endsWith(prefix)) ?? ""
  const kept = path.slice(0, path.length - prefix.length)
  return { href: origin + kept, path: kept }
}

/** Prepends a base URL to the path of a request. */
export const withBaseUrl =
  ({ href }: BaseUrl) =>
  (request: HttpRequest): HttpRequest => ({
    ...request,
    url: `${href}${request.url.startsWith("/") ? "" : "/"}${request.url}`
  })
