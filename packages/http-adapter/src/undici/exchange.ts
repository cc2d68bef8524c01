import * as Effect from "effect/Effect"
import * as HttpClientError from "effect/http/HttpClientError"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import type { Dispatcher } from "undici"
import { maxBodyBytes } from "../Attempt.ts"
import { BufferedResponse } from "./BufferedResponse.ts"

const failure = (reason: HttpClientError.HttpClientErrorReason) =>
  Effect.fail(new HttpClientError.HttpClientError({ reason }))

// `undefined`: no body that this client sends.
const bodyOf = ({ body }: HttpClientRequest): Uint8Array | null | undefined =>
  body._tag === "Uint8Array" ? body.body : body._tag === "Empty" ? null : undefined

/**
 * Sends a request and reads its answer to the end, in one go: no promise, stream or signal stands between undici and
 * the fiber. An answer that is, or says that it is, larger than this package reads is broken off, and told so by its
 * `content-length`. An interruption destroys the socket, or takes the request back if it was not sent yet.
 */
export const exchange = (
  dispatcher: Dispatcher,
  request: HttpClientRequest,
  url: URL
): Effect.Effect<HttpClientResponse, HttpClientError.HttpClientError> =>
  Effect.callback((resume) => {
    const body = bodyOf(request)
    if (body === undefined) {
      const description = `this client sends bytes, and no body of the kind ${request.body._tag}`
      return resume(failure(new HttpClientError.EncodeError({ request, description })))
    }
    const chunks: Array<Buffer> = []
    let size = 0
    let status = 0
    let headers: ConstructorParameters<typeof BufferedResponse>[2]["headers"] = {}
    let controller: Dispatcher.DispatchController | undefined
    let isOver = false

    const breakOff = () => {
      isOver = true
      controller?.abort(new Error("the request was broken off"))
    }
    const respond = () => {
      const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
      resume(Effect.succeed(new BufferedResponse(request, url, { status, headers, body })))
    }

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers,
        body,
        // How long to wait is for the manners of the call to say.
        headersTimeout: 0,
        bodyTimeout: 0
      },
      {
        onRequestStart(started) {
          controller = started
          if (isOver) breakOff()
        },
        onResponseStart(_, statusCode, received) {
          // 1xx announces the answer.
          if (statusCode < 200) return
          status = statusCode
          headers = received
          if (Number(received["content-length"]) <= maxBodyBytes || received["content-length"] === undefined) return
          respond()
          breakOff()
        },
        onResponseData(_, chunk) {
          size += chunk.byteLength
          chunks.push(chunk)
          if (size <= maxBodyBytes) return
          respond()
          breakOff()
        },
        onResponseEnd() {
          // Not at once: undici is still in the middle of it, and would open another connection for the next request.
          queueMicrotask(respond)
        },
        onResponseError(_, cause) {
          resume(failure(new HttpClientError.TransportError({ request, cause })))
        }
      }
    )
    return Effect.sync(breakOff)
  })
