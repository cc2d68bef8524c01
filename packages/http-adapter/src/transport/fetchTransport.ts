import * as Effect from "effect/Effect"
import { type HttpRequest, urlOf } from "../HttpRequest.ts"
import { fetchInit } from "./fetchInit.ts"
import type { Answer, Transport, TransportFailure } from "../Transport.ts"

/** A function that sends as `fetch` does. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

type Read = Answer | TransportFailure

const tooLarge = ({ status }: Response): Read => ({ _tag: "TooLarge", status })

/** Reads a body chunk by chunk to the limit. */
const readChunks = async (response: Response, body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Read> => {
  const { headers, status } = response
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let size = 0
  let text = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { status, headers: Object.fromEntries(headers), body: text + decoder.decode() }
    size += value.byteLength
    if (size > maxBytes) {
      // What is left is not wanted, and neither is an error of it.
      reader.cancel().catch(() => undefined)
      return tooLarge(response)
    }
    text += decoder.decode(value, { stream: true })
  }
}

const readAnswer = async (response: Response, maxBytes: number): Promise<Read> => {
  const { body, headers, status } = response
  const declared = Number(headers.get("content-length") ?? Number.NaN)
  if (declared > maxBytes) {
    body?.cancel().catch(() => undefined)
    return tooLarge(response)
  }
  // A compressed body is larger when it is decoded, so its declared size is no limit.
  const isSmall = declared <= maxBytes && headers.get("content-encoding") === null
  if (!isSmall && body !== null) return await readChunks(response, body, maxBytes)
  const text = await response.text()
  // A fetch that decodes a body may say its size before that, and not that it was compressed.
  return text.length > maxBytes ? tooLarge(response) : { status, headers: Object.fromEntries(headers), body: text }
}

/**
 * Sends over `fetch`, which is looked up for each request where none is given, so that a test may replace the global one.
 *
 * @example
 * ```ts
 * import { fetchTransport } from "@headgate/http-adapter/ports"
 * import * as Effect from "effect/Effect"
 *
 * const send = fetchTransport()
 *
 * export const statusOf = (url: string) =>
 *   Effect.map(send({ method: "GET", url, headers: {} }, 1_000_000), ({ status }) => status)
 * ```
 */
export const fetchTransport = (fetch: Fetch = (url, init) => globalThis.fetch(url, init)): Transport => {
  const init = fetchInit()
  return (request: HttpRequest, maxBytes: number) => {
    const { body = null, headers, method } = request
    return Effect.flatMap(
      Effect.tryPromise({
        try: (signal) =>
          fetch(urlOf(request), { ...init, method, headers, body, signal }).then((response) =>
            readAnswer(response, maxBytes)
          ),
        catch: (cause): TransportFailure => ({ _tag: "Lost", cause })
      }),
      (read) => ("_tag" in read ? Effect.fail(read) : Effect.succeed(read))
    )
  }
}
