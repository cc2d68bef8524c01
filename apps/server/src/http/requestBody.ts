import { isTooDeep } from "@headgate/core/adapter"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type * as HttpServerError from "effect/http/HttpServerError"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpProblem } from "./HttpProblem.ts"
import { largeBodyBytes, maxBodyBytes, maxBodyDepth, maxLargeBodyBytes } from "./Limits.ts"
import { eventLoopTurn } from "./eventLoopTurn.ts"
import { nodeHeaders } from "./requestUrl.ts"

const bodyTooLarge = (maxBytes: number): HttpProblem => ({
  code: "PAYLOAD_TOO_LARGE",
  message: `the body is larger than ${maxBytes} bytes`,
  headers: { connection: "close" }
})

const unsupportedEncoding: HttpProblem = {
  code: "UNSUPPORTED_MEDIA_TYPE",
  message: "content-encoding: Expected none, bodies are read as they are"
}

const unsupportedMediaType: HttpProblem = {
  code: "UNSUPPORTED_MEDIA_TYPE",
  message: "content-type: Expected application/json"
}

const notJson: HttpProblem = {
  code: "BAD_REQUEST",
  message: "body: Expected valid JSON",
  todaysMessage: "Invalid JSON payload"
}
const unreadable: HttpProblem = { code: "BAD_REQUEST", message: "the body could not be read" }

/** Why a body is refused before any of it is read: it is declared larger than `maxBytes`, or encoded. */
export const declaredBodyProblem = (request: HttpServerRequest, maxBytes: number): HttpProblem | undefined => {
  const { "content-encoding": encoding, "content-length": length } = nodeHeaders(request)
  if (length !== undefined && Number(length) > maxBytes) return bodyTooLarge(maxBytes)
  return encoding === undefined || encoding.toLowerCase() === "identity" ? undefined : unsupportedEncoding
}

const isJson = (contentType: string | undefined): boolean => /^application\/json\s*(?:;|$)/i.test(contentType ?? "")

const readProblem =
  (maxBytes: number) =>
  ({ reason }: HttpServerError.HttpServerError): HttpProblem =>
    reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge" ? bodyTooLarge(maxBytes) : unreadable

// Shared by all requests of the process, as its memory is.
const largeBodies = Semaphore.makeUnsafe(maxLargeBodyBytes)

/**
 * The body of a request as text, at most `maxBytes` of it. A large body waits, unread, while too many are read at once, and
 * has a turn of the event loop of its own to be parsed in.
 */
export const bodyText = (request: HttpServerRequest, maxBytes = maxBodyBytes): Effect.Effect<string, HttpProblem> => {
  const read = Effect.provideService(
    Effect.mapError(request.text, readProblem(maxBytes)),
    HttpIncomingMessage.MaxBodySize,
    ByteSize.fromInputUnsafe(maxBytes)
  )
  const { "content-length": length = maxBytes } = nodeHeaders(request)
  const bytes = Math.min(Number(length), maxBytes, maxLargeBodyBytes)
  return bytes <= largeBodyBytes
    ? read
    : largeBodies.withPermits(bytes)(
        Effect.tap(read, (text) => (text.length > largeBodyBytes ? eventLoopTurn : Effect.void))
      )
}

const tooDeep: HttpProblem = {
  code: "BAD_REQUEST",
  message: `body: Expected JSON nested at most ${maxBodyDepth} levels deep`
}

/**
 * The body of a request, parsed from JSON. Fails with 415 for another content type, 413 above `maxBytes`, and 400 for
 * text that is not JSON or is nested too deeply. No body at all is `undefined`, which no schema accepts.
 */
export const jsonBody = (request: HttpServerRequest, maxBytes = maxBodyBytes): Effect.Effect<unknown, HttpProblem> =>
  isJson(nodeHeaders(request)["content-type"])
    ? Effect.flatMap(bodyText(request, maxBytes), (text) => {
        if (text === "") return Effect.succeed(undefined)
        return isTooDeep(text, maxBodyDepth)
          ? Effect.fail(tooDeep)
          : Effect.try({ try: (): unknown => JSON.parse(text), catch: () => notJson })
      })
    : Effect.fail(unsupportedMediaType)

const nothing = Effect.succeed(undefined)

/**
 * Waits for the body of an operation that takes none, if the request has one: a request whose body does not arrive has
 * no effect.
 */
export const discardBody = (request: HttpServerRequest): Effect.Effect<undefined, HttpProblem> => {
  const { "content-length": length = "0", "transfer-encoding": encoding } = nodeHeaders(request)
  return length === "0" && encoding === undefined ? nothing : Effect.as(bodyText(request), undefined)
}
