import * as Effect from "effect/Effect"
import * as HttpClientError from "effect/http/HttpClientError"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import type { Dispatcher } from "undici"
import { BufferedResponse } from "./BufferedResponse.ts"

const failure = (reason: HttpClientError.HttpClientErrorReason) =>
  Effect.fail(new HttpClientError.HttpClientError({ reason }))

// `undefined`: no body that this client sends.
const bodyOf = ({ body }: HttpClientRequest): Uint8Array | null | undefined =>
  body._tag === "Uint8Array" ? body.body : body._tag === "Empty" ? null : undefined

/**
 * Sends a request and reads its answer to the end, in one go: no promise, stream or signal stands between undici and
 * the fiber. Of an answer that has, or announces, more than `maxBytes` nothing is kept but its size: it is broken off, and
 * known by its `content-length`. An interruption destroys the socket, or takes the request back if it was not sent yet.
 */
export const dispatch = (
  dispatcher: Dispatcher,
  request: HttpClientRequest,
  { maxBytes, url }: { readonly url: URL; readonly maxBytes: number }
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
    const refuse = () => {
      chunks.length = 0
      headers = { "content-length": String(size), ...headers }
      respond()
      breakOff()
    }

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers,
        body,
        // How long to wait is for the requestPolicy of the call to say.
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
          if (Number(received["content-length"] ?? 0) > maxBytes) refuse()
        },
        onResponseData(_, chunk) {
          size += chunk.byteLength
          chunks.push(chunk)
          if (size > maxBytes) refuse()
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
