import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { decodeRequest } from "@headgate/core/adapter"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { type Refusal, refuse } from "./HttpProblem.ts"
import { maxBodyBytes, maxBodyDepth } from "./Limits.ts"
import type { Handled } from "./RequestLog.ts"
import { sentHeaders } from "./requestUrl.ts"

const bound = ByteSize.fromInputUnsafe(maxBodyBytes)

/** The body of a request as text, for whoever reads it before its route does, with the bound that routes have. */
export const bodyText = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.provideService(request.text, HttpIncomingMessage.MaxBodySize, bound)

const utf8 = new TextDecoder()

/**
 * The same for whoever reads it last, and nobody else has: as Node hands it out, without a stream between. A body that
 * does not tell its length, or waits to be asked for, is left to the framework's reader, and so is one that was read.
 * What keeps a body from being read is a defect, as it is where a route reads it.
 */
export const lastBodyText = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> => {
  const source = NodeHttpServerRequest.toIncomingMessage(request)
  const { "content-length": length, expect } = source.headers
  // Node's parser sees to it that no more comes than was told; more than is allowed was refused by then.
  const isBounded = length !== undefined && Number(length) <= maxBodyBytes && expect === undefined
  if (!isBounded || source.readableDidRead || source.destroyed) return Effect.orDie(bodyText(request))
  return Effect.callback((resume) => {
    // Nearly every body is one chunk.
    let first: Uint8Array | undefined
    let chunks: Array<Uint8Array> | undefined
    const onData = (chunk: Uint8Array) => {
      if (first === undefined) first = chunk
      else (chunks ??= [first]).push(chunk)
    }
    const onEnd = () => resume(Effect.succeed(utf8.decode(chunks === undefined ? first : Buffer.concat(chunks))))
    const onError = (cause: unknown) => {
      const reason = new HttpServerError.RequestParseError({ request, reason: "Parse", cause })
      resume(Effect.die(new HttpServerError.HttpServerError({ reason })))
    }
    source.on("data", onData).on("end", onEnd).on("error", onError)
    return Effect.sync(() => source.off("data", onData).off("end", onEnd).off("error", onError))
  })
}

/** What a body is refused with that is nested deeper than allowed. */
export const tooDeep: Refusal = {
  code: "BAD_REQUEST",
  message: `body: Expected JSON nested at most ${maxBodyDepth} levels deep`
}

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Whether a text has so few opening brackets that it cannot be nested deeper: most have, and finding them is quick. */
const hasAtMost = (most: number, text: string): boolean => {
  let left = most
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) if (--left < 0) return false
  }
  return true
}

/**
 * Whether a JSON text is nested deeper than allowed. It reads the text once and stops at the first bracket that is too
 * deep, so that nothing else, neither a parser nor a schema, has to descend that far.
 */
export const isTooDeep = (text: string, maxDepth: number = maxBodyDepth): boolean => {
  if (hasAtMost(maxDepth, text)) return false
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === backslash) index++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === openBrace || code === openBracket) {
      depth++
      if (depth > maxDepth) return true
    } else if (code === closeBrace || code === closeBracket) depth--
  }
  return false
}

/** Refuses a request whose body is nested too deeply, before it is parsed. A body that cannot be read is not ours. */
export const withShallowBody = <E, R>(
  httpEffect: Effect.Effect<HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest> => {
  type Answer = Effect.Effect<HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest>
  const whenShallow = (text: string): Answer => (isTooDeep(text) ? refuse(tooDeep) : httpEffect)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request): Answer =>
    request.method === "GET" || request.method === "HEAD"
      ? httpEffect
      : Effect.flatMap(Effect.orDie(request.text), whenShallow)
  )
}

const noJson = new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" }))

/** Whether a request says that its body is JSON, in the one word that nearly every client uses. */
export const saysJson = (request: HttpServerRequest.HttpServerRequest): boolean =>
  sentHeaders(request)["content-type"] === "application/json"

// `undefined` for no body at all, which no schema of a body takes.
const parsed = (text: string): Effect.Effect<unknown, Schema.SchemaError> =>
  Effect.fromResult(
    Result.try({ try: (): unknown => (text === "" ? undefined : JSON.parse(text)), catch: () => noJson })
  )

/**
 * Reads the JSON body of a request by a schema, and answers with what is made of it. What is wrong with a body arrives
 * at the edge as it does from the framework, which answers it.
 */
export const withPayload = <A extends object>(schema: Schema.Codec<A, unknown>) => {
  const decode = decodeRequest(schema)
  return (request: HttpServerRequest.HttpServerRequest, use: (payload: A) => Handled): Handled =>
    Effect.flatMap(lastBodyText(request), (text): Handled => {
      if (isTooDeep(text)) return refuse(tooDeep)
      const payload = HttpApiSchemaError.wrap("Payload", Effect.flatMapEager(parsed(text), decode))
      return Effect.flatMapEager(Effect.catchEager(payload, Effect.die), use)
    })
}
