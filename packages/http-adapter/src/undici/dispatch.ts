import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as HttpClientError from "effect/http/HttpClientError"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import type { Dispatcher } from "undici"
import { brotliDecompress, gunzip, inflate } from "node:zlib"
import { BufferedResponse } from "./BufferedResponse.ts"

type ReceivedHeaders = ConstructorParameters<typeof BufferedResponse>[2]["headers"]

const failure = (reason: HttpClientError.HttpClientErrorReason) =>
  Effect.fail(new HttpClientError.HttpClientError({ reason }))

// `undefined`: a kind of body that this client cannot send.
const bodyOf = ({ body }: HttpClientRequest): Uint8Array | null | undefined =>
  body._tag === "Uint8Array" ? body.body : body._tag === "Empty" ? null : undefined

// This client requests no compression, but some proxies compress everything.
const decompressors = new Map([
  ["gzip", gunzip],
  ["x-gzip", gunzip],
  ["deflate", inflate],
  ["br", brotliDecompress]
])

/**
 * Sends a request and reads its answer to the end, without promises, streams or signals between undici and the fiber. An
 * answer that has, or declares, more than `maxBytes` is aborted: its body is dropped, and its `content-length` says the
 * size. An interruption destroys the socket, or cancels the request if it was not sent yet.
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
    let headers: ReceivedHeaders = {}
    let controller: Dispatcher.DispatchController | undefined
    let isAborted = false

    const abort = () => {
      isAborted = true
      controller?.abort(new Error("the request was aborted"))
    }
    const respondWith = (body: Buffer, headers: ReceivedHeaders) =>
      resume(Effect.succeed(new BufferedResponse(request, url, { status, headers, body })))
    // The adapter refuses it by its length.
    const rejectSize = (bytes: number, headers: ReceivedHeaders) => {
      chunks.length = 0
      respondWith(Buffer.of(), { "content-length": String(bytes), ...headers })
      abort()
    }
    const respond = () => {
      const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
      const decompress = decompressors.get(String(headers["content-encoding"]).toLowerCase())
      if (decompress === undefined || body.byteLength === 0) return respondWith(body, headers)
      decompress(body, { maxOutputLength: maxBytes }, (cause, decompressed) => {
        const { "content-encoding": _encoding, "content-length": _length, ...others } = headers
        if (cause === null) return respondWith(decompressed, others)
        if (Predicate.hasProperty(cause, "code") && cause.code === "ERR_BUFFER_TOO_LARGE") {
          return rejectSize(maxBytes + 1, others)
        }
        resume(failure(new HttpClientError.TransportError({ request, cause })))
      })
    }

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers,
        body,
        // The layers of the adapter have their own timeouts.
        headersTimeout: 0,
        bodyTimeout: 0
      },
      {
        onRequestStart(started) {
          controller = started
          if (isAborted) abort()
        },
        onResponseStart(_, statusCode, received) {
          // 1xx is not the answer yet.
          if (statusCode < 200) return
          status = statusCode
          headers = received
          if (Number(received["content-length"] ?? 0) > maxBytes) rejectSize(size, headers)
        },
        onResponseData(_, chunk) {
          size += chunk.byteLength
          chunks.push(chunk)
          if (size > maxBytes) rejectSize(size, headers)
        },
        onResponseEnd() {
          // Not at once: undici has not released the connection yet, and would open another one for the next request.
          queueMicrotask(respond)
        },
        onResponseError(_, cause) {
          resume(failure(new HttpClientError.TransportError({ request, cause })))
        }
      }
    )
    return Effect.sync(abort)
  })
