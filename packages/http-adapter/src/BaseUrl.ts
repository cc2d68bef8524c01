import type { InvalidRequest } from "@headgate/core/error"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Url from "effect/http/Url"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"
import { invalidOption } from "./invalidOption.ts"

/** Where an API is: an origin and the path before the contract's own. */
export interface BaseUrl {
  /** `https://api.example.com/some/path`, without a slash at the end. */
  readonly href: string
  /** `/some/path`, or nothing. */
  readonly path: string
}

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" ||
  Result.match(NetAddress.ipFromString(hostname.replace(/^\[|\]$/g, "")), {
    onFailure: () => false,
    onSuccess: NetAddress.isLoopback
  })

/**
 * Reads a base URL: an origin and, if it must be, a path. A slash at the end is dropped, and so is one of `prefixes`,
 * the beginnings of the contract's paths that people copy along. Credentials are about to be sent there, so plain http
 * is for loopback unless `allowInsecureHttp` says otherwise.
 */
export const parseBaseUrl = (
  input: string | URL,
  options: { readonly prefixes: ReadonlyArray<string>; readonly allowInsecureHttp: boolean }
): Effect.Effect<BaseUrl, InvalidRequest> => {
  const parsed = Url.fromString(String(input))
  if (Result.isFailure(parsed)) {
    return Effect.fail(invalidOption("baseUrl", "Expected a URL such as https://api.example.com"))
  }
  const url = parsed.success
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return Effect.fail(invalidOption("baseUrl", "Expected a URL that begins with https://"))
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return Effect.fail(
      invalidOption("baseUrl", "Expected an origin and a path, without credentials, query or fragment")
    )
  }
  if (url.protocol === "http:" && !options.allowInsecureHttp && !isLoopback(url.hostname)) {
    return Effect.fail(
      invalidOption("baseUrl", "Expected https: plain http would send the credentials in clear (allowInsecureHttp)")
    )
  }
  const path = url.pathname.replace(/\/+$/, "")
  const prefix = options.prefixes.find((prefix) => path.endsWith(prefix)) ?? ""
  const kept = path.slice(0, path.length - prefix.length)
  return Effect.succeed({ href: url.origin + kept, path: kept })
}

/** Sends every request to a base URL. */
export const baseUrl =
  ({ href }: BaseUrl) =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient =>
    HttpClient.mapRequest(client, HttpClientRequest.prependUrl(href))
