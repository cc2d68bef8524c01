import { hasMoreFields, hasMoreValues, isTooDeep } from "@headgate/core/adapter"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type * as HttpServerError from "effect/http/HttpServerError"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpProblem } from "./HttpProblem.ts"
import {
  largeBodyBytes,
  maxBodyBytes,
  maxBodyDepth,
  maxBodyValues,
  maxObjectFields,
  maxWaitingBytes
} from "./Limits.ts"
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
  plainTextMessage: "Invalid JSON payload"
}
const notUtf8: HttpProblem = { code: "BAD_REQUEST", message: "body: Expected text in UTF-8" }
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

const tooManyLargeBodies: HttpProblem = {
  code: "UNAVAILABLE",
  message: "too many large bodies at once: send it again",
  headers: { "retry-after": "1" }
}

// Of whole large bodies. Shared by all requests of the process, as its memory is.
let waitingBytes = 0

/** Waits for a turn of the event loop in which a large body is parsed. Small bodies do not wait, and never fail. */
const waitToParse = (text: string): Effect.Effect<void, HttpProblem> => {
  if (text.length <= largeBodyBytes) return Effect.void
  // Only `/_admin`, for local callers, reads more.
  const bytes = Math.min(text.length, maxBodyBytes)
  return Effect.suspend(() => {
    if (waitingBytes + bytes > maxWaitingBytes) return Effect.fail(tooManyLargeBodies)
    waitingBytes += bytes
    return Effect.ensuring(
      eventLoopTurn,
      Effect.sync(() => (waitingBytes -= bytes))
    )
  })
}

// Without `fatal` every byte that is no UTF-8 would become U+FFFD, and be stored as it.
const utf8 = new TextDecoder("utf-8", { fatal: true })

/**
 * The body of a request as text, at most `maxBytes` of it. A large body has a turn of the event loop of its own to be parsed
 * in.
 */
export const bodyText = (request: HttpServerRequest, maxBytes = maxBodyBytes): Effect.Effect<string, HttpProblem> =>
  Effect.provideService(
    Effect.mapError(request.arrayBuffer, readProblem(maxBytes)),
    HttpIncomingMessage.MaxBodySize,
    ByteSize.fromInputUnsafe(maxBytes)
  ).pipe(
    Effect.flatMap((bytes) => Effect.try({ try: () => utf8.decode(bytes), catch: () => notUtf8 })),
    Effect.tap(waitToParse)
  )

const tooDeep: HttpProblem = {
  code: "BAD_REQUEST",
  message: `body: Expected JSON nested at most ${maxBodyDepth} levels deep`
}

const tooManyValues: HttpProblem = {
  code: "BAD_REQUEST",
  message: `body: Expected JSON with at most ${maxBodyValues} fields and elements`
}

/** How many values a body may have, and how many fields an object of it. */
interface ValueLimits {
  readonly maxValues: number
  readonly maxFields: number
}

const valueLimits: ValueLimits = { maxValues: maxBodyValues, maxFields: maxObjectFields }

const tooManyFields: HttpProblem = {
  code: "BAD_REQUEST",
  message: `body: Expected JSON with at most ${maxObjectFields} fields in an object`
}

/**
 * The body of a request, parsed from JSON. Fails with 415 for another content type, 413 above `maxBytes`, and 400 for
 * text that is not JSON in UTF-8, is nested too deeply, or has too many values or fields. No body at all is `undefined`, which no schema accepts.
 */
export const jsonBody = (
  request: HttpServerRequest,
  maxBytes = maxBodyBytes,
  { maxFields, maxValues }: ValueLimits = valueLimits
): Effect.Effect<unknown, HttpProblem> =>
  isJson(nodeHeaders(request)["content-type"])
    ? Effect.flatMap(bodyText(request, maxBytes), (text) => {
        if (text === "") return Effect.succeed(undefined)
        if (isTooDeep(text, maxBodyDepth)) return Effect.fail(tooDeep)
        if (hasMoreValues(text, maxValues)) return Effect.fail(tooManyValues)
        if (hasMoreFields(text, maxFields)) return Effect.fail(tooManyFields)
        return Effect.try({ try: (): unknown => JSON.parse(text), catch: () => notJson })
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
