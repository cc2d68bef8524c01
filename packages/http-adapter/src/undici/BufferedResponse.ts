import * as Effect from "effect/Effect"
import * as Inspectable from "effect/Inspectable"
import * as Option from "effect/Option"
import { pipeArguments } from "effect/Pipeable"
import * as Stream from "effect/Stream"
import * as Cookies from "effect/http/Cookies"
import * as Headers from "effect/http/Headers"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type { Dispatcher } from "undici"

type ReceivedHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2]

// The `Response` constructor throws for a body with these statuses.
const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304

/** A response whose body was read to its end. It has a `content-length` even if the service sent none. */
export class BufferedResponse extends Inspectable.Class implements HttpClientResponse.HttpClientResponse {
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly [HttpClientResponse.TypeId]: typeof HttpClientResponse.TypeId = HttpClientResponse.TypeId
  readonly remoteAddress = Option.none<string>()
  readonly request: HttpClientRequest
  readonly url: string
  readonly status: number
  readonly headers: Headers.Headers
  readonly #body: Buffer
  readonly #setCookie: string | Array<string>

  constructor(
    request: HttpClientRequest,
    url: URL,
    received: { readonly status: number; readonly headers: ReceivedHeaders; readonly body: Buffer }
  ) {
    super()
    this.request = request
    this.url = url.href
    this.status = received.status
    this.#body = received.body
    this.#setCookie = received.headers["set-cookie"] ?? []
    // undici gives each name in lower case, with one value or several.
    this.headers = Headers.fromInput({ "content-length": String(received.body.byteLength), ...received.headers })
  }

  // This package does not use the members below that read it: fetch's own response implements them.
  get #web(): HttpClientResponse.HttpClientResponse {
    const { status } = this
    const headers = Object.entries(this.headers)
    const body = isBodiless(status) ? null : new Uint8Array(this.#body)
    return HttpClientResponse.fromWeb(this.request, new Response(body, { status, headers }))
  }

  get text() {
    return Effect.sync(() => {
      const text = this.#body.toString("utf8")
      // As fetch does, drop a byte order mark.
      return text.startsWith("\uFEFF") ? text.slice(1) : text
    })
  }
  get stream() {
    return Stream.succeed<Uint8Array>(this.#body)
  }
  get arrayBuffer() {
    return this.#web.arrayBuffer
  }
  get json() {
    return this.#web.json
  }
  get formData() {
    return this.#web.formData
  }
  get urlParamsBody() {
    return this.#web.urlParamsBody
  }
  get cookies() {
    return Cookies.fromSetCookie(this.#setCookie)
  }
  get upgrade() {
    return this.#web.upgrade
  }

  pipe() {
    return pipeArguments(this, arguments)
  }
  toJSON() {
    const { request, status } = this
    return HttpIncomingMessage.inspect(this, { _id: "HttpClientResponse", request: request.toJSON(), status })
  }
}
