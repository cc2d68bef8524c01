import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpBody from "effect/http/HttpBody"
import { promisify } from "node:util"
import { constants, createGzip, gzip as compress } from "node:zlib"
import { nodeHeaders } from "./requestUrl.ts"

/** Bytes as gzip. */
export const gzip: (bytes: Uint8Array) => Promise<Uint8Array> = promisify(compress)

/** Whether the caller accepts gzip; with a weight of 0 it does not. */
export const acceptsGzip = (request: HttpServerRequest): boolean =>
  /(?:^|,)\s*gzip\s*(?:,|$|;\s*q=(?!0(?:\.0*)?\s*(?:,|$)))/i.test(String(nodeHeaders(request)["accept-encoding"] ?? ""))

/** A shorter answer would hardly be shorter. */
const minLength = 1024

/** Compresses an answer for a caller who accepts it. Each page of a list is sent when it is there. */
export const gzipAnswer = (
  answer: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const varying = HttpServerResponse.setHeader(answer, "vary", "accept-encoding")
  if (!acceptsGzip(request)) return Effect.succeed(varying)
  const withBody = (body: HttpBody.HttpBody) =>
    HttpServerResponse.setHeader(HttpServerResponse.setBody(varying, body), "content-encoding", "gzip")
  const { body } = answer
  if (body._tag === "Uint8Array" && body.body.length >= minLength) {
    return Effect.map(
      Effect.promise(() => gzip(body.body)),
      (bytes) => withBody(HttpBody.uint8Array(bytes, body.contentType))
    )
  }
  if (body._tag !== "Stream") return Effect.succeed(varying)
  const pages = NodeStream.pipeThroughDuplex(body.stream, {
    evaluate: () => createGzip({ flush: constants.Z_SYNC_FLUSH })
  })
  return Effect.succeed(withBody(HttpBody.stream(pages, body.contentType)))
}
