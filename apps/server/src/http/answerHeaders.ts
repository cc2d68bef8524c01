import type * as HttpServerResponse from "effect/http/HttpServerResponse"

/** Headers by their names, in small letters. */
export type HeaderFields = Readonly<Record<string, string>>

/**
 * Adds headers to an answer with a body that was made for this request: nothing else holds its headers, so they are completed
 * in place. A copy of them for each step costs a fifth of a small read.
 */
export const addHeaders = (
  made: HttpServerResponse.HttpServerResponse,
  ...more: ReadonlyArray<HeaderFields | undefined>
): HttpServerResponse.HttpServerResponse => {
  Object.assign(made.headers, ...more)
  return made
}

/** The headers that every answer of a request has. */
export const requestHeaders = (requestId: string, keyRetention: string | undefined): HeaderFields => {
  const headers = { "x-request-id": requestId, "cache-control": "no-store", "x-content-type-options": "nosniff" }
  return keyRetention === undefined ? headers : { "idempotency-key-retention": keyRetention, ...headers }
}
