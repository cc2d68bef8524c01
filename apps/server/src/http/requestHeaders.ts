import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpProblem } from "./HttpProblem.ts"

const expected = (message: string): HttpProblem => ({ code: "BAD_REQUEST", message })

const oneHost = expected("host: Expected one, which every request of HTTP/1.1 has")
const oneAuthorization = expected("authorization: Expected at most one")

/**
 * The problem of a request without a `Host` or with several, or with several `Authorization` headers. Node keeps the first
 * one and drops the others, and what stands before this server may have read another.
 */
export const headerProblem = (request: HttpServerRequest): HttpProblem | undefined => {
  const { httpVersion, rawHeaders } = NodeHttpServerRequest.toIncomingMessage(request)
  let hosts = 0
  let authorizations = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ""
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
    else if (name.length === 13 && name.toLowerCase() === "authorization") authorizations++
  }
  if (hosts > 1 || (hosts === 0 && httpVersion !== "1.0")) return oneHost
  return authorizations > 1 ? oneAuthorization : undefined
}
