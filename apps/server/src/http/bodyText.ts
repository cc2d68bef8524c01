import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpServerError from "effect/http/HttpServerError"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { maxBodyBytes } from "./Limits.ts"

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
