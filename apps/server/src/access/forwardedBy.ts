import type { HttpServerRequest } from "effect/http/HttpServerRequest"

const headers = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"]

/** The header that tells that a proxy passed a request on; none if nothing tells it. */
export const forwardedBy = (request: HttpServerRequest): string | undefined =>
  headers.find((name) => request.headers[name] !== undefined)
