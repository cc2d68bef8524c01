import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { eventLoopTurn } from "./eventLoopTurn.ts"
import { acceptsGzip, gzip } from "./gzip.ts"
import { contentTag, hasContent } from "./ifNoneMatch.ts"
import type { HttpEffect } from "./RequestLog.ts"

/** A content that is the same for every caller. */
export interface SharedContent {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** The headers of each answer beside those of the content: for how long it may be kept, what a page may do. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Answers requests with a content that is made once, at the first request. All answers share one buffer, compressed or not, so that
 * callers who do not read it cost no copy each. A caller who has the content gets a 304.
 */
export const sharedContent = (made: Effect.Effect<SharedContent>) =>
  Effect.map(
    Effect.cached(
      // In a fiber of its own: a caller who hangs up ends only their own request.
      Effect.forkDetach(
        Effect.gen(function* () {
          const { bytes, contentType, headers: own } = yield* made
          const tag = contentTag(bytes)
          // A weak one: it stands for both encodings.
          const headers = { ...own, etag: `W/${tag}`, vary: "accept-encoding" }
          const compressed = yield* Effect.promise(() => gzip(bytes))
          return {
            tag,
            unchanged: HttpServerResponse.empty({ status: 304, headers }),
            plain: HttpServerResponse.uint8Array(bytes, { contentType, headers }),
            compressed: HttpServerResponse.uint8Array(compressed, {
              contentType,
              headers: { ...headers, "content-encoding": "gzip" }
            })
          }
        })
      )
    ),
    (making) =>
      (request: HttpServerRequest.HttpServerRequest): HttpEffect =>
        // After the wait for the first one: all who wait go on at once.
        Effect.map(
          Effect.tap(Effect.flatMap(making, Fiber.join), eventLoopTurn),
          ({ compressed, plain, tag, unchanged }) => {
            if (hasContent(request, tag)) return unchanged
            return acceptsGzip(request) ? compressed : plain
          }
        )
  )
