import type { CallError } from "@headgate/core"
import type { ApiName } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import type { HttpMethod } from "effect/http/HttpMethod"
import type { Answer, Call } from "./Attempt.ts"
import type { Connection } from "./connect.ts"
import { makeRequest, withBody } from "./HttpRequest.ts"

/** A request as the caller writes it. */
export interface RawRequest {
  readonly method: HttpMethod
  /** With the beginning of the contract's paths, `/v1` or `/api/v2`, and with the query. */
  readonly path: string
  readonly body?: { readonly text: string; readonly contentType: string }
}

/**
 * Sends a request of any path once, with the credentials of the connection, and answers the response whatever its status; a
 * redirect is answered, too. The body is text as it came: it may hold secrets. Fails only if there is no response.
 *
 * @example
 * ```ts
 * import { ManagementConnection, sendRaw } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const version = Effect.gen(function* () {
 *   const send = sendRaw(yield* ManagementConnection, "management")
 *   const { body, status } = yield* send({ method: "GET", path: "/v1/version" })
 *   return status === 200 ? body : "unknown"
 * })
 * ```
 */
export const sendRaw = (connection: Connection, api: ApiName) =>
  Effect.fn("sendRaw")(function* ({ body, method, path }: RawRequest): Effect.fn.Return<Answer, CallError> {
    const blank = makeRequest(method, path)
    const call: Call = {
      request: body === undefined ? blank : withBody(blank, body.text, body.contentType),
      api,
      baseUrl: connection.baseUrl,
      route: path,
      path: connection.basePath + path,
      isRepeatable: method === "GET" || method === "HEAD",
      hasIdempotencyKey: false,
      requestPolicy: connection.requestPolicy,
      deadlineAt: Number.POSITIVE_INFINITY,
      attempts: MutableRef.make(0)
    }
    return yield* connection.exchange(call)
  })
