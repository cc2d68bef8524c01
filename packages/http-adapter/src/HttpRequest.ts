import type { HttpMethod } from "effect/http/HttpMethod"

/** A request as plain data. */
export interface HttpRequest {
  readonly method: HttpMethod
  /** A path of the contract, and for a `Transport` the whole URL. Its query is in `query`, unless the caller wrote it here. */
  readonly url: string
  /** The parameters of the query; `undefined` if there are none. */
  readonly query?: Readonly<Record<string, string>>
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A request for JSON without a body. */
export const makeRequest = (method: HttpMethod, url: string): HttpRequest => ({
  method,
  url,
  headers: { accept: "application/json" }
})

/** Sets a header. */
export const withHeader = (request: HttpRequest, name: string, value: string): HttpRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value }
})

/** Sets parameters of the query. */
export const withQuery = (request: HttpRequest, query: Readonly<Record<string, string>>): HttpRequest => ({
  ...request,
  query: { ...request.query, ...query }
})

/** A path without a query that the caller wrote into it. */
export const withoutQuery = (path: string): string => path.replace(/\?[^]*$/, "")

/** Sets the body. */
export const withBody = (request: HttpRequest, body: string, contentType: string): HttpRequest => ({
  ...withHeader(request, "content-type", contentType),
  body
})

/**
 * The URL of a request with its query.
 *
 * @example
 * ```ts
 * import { urlOf } from "@headgate/http-adapter/ports"
 *
 * console.log(urlOf({ method: "GET", url: "https://api.test/v1", query: { limit: "5" }, headers: {} }))
 * // https://api.test/v1?limit=5
 * ```
 */
export const urlOf = ({ query, url }: HttpRequest): string => {
  if (query === undefined) return url
  const text = new URLSearchParams(query).toString()
  return text === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${text}`
}
