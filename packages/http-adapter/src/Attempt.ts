import { ConnectionError, UnexpectedResponse } from "@headgate/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type { HttpClient } from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import { type Attempt, type AttemptFailure, type Call, doubtAbout, reportOf } from "./Call.ts"
import { oneLine } from "./Excerpt.ts"
import { formatBytes, MaxResponseBytes } from "./ResponseLimit.ts"
import type { Scrub } from "./Scrub.ts"
import { innermost, whyUnsent } from "./Unsent.ts"

const messageOf = (cause: unknown): string | undefined =>
  Predicate.hasProperty(cause, "message") && Predicate.isString(cause.message) && cause.message !== ""
    ? cause.message
    : Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code)
      ? cause.code
      : undefined

const transportFault = (call: Call, { reason }: HttpClientError, scrub: Scrub): AttemptFailure => {
  // Only words are taken from the client's error: it holds the request, which holds the credentials.
  const cause = innermost(reason.cause)
  const words = oneLine(messageOf(cause) ?? reason.description ?? "the connection was lost", scrub)
  const { advice, permanent } = whyUnsent(reason) ?? { advice: doubtAbout(call), permanent: false }
  return {
    error: new ConnectionError({ message: `no answer from the service: ${words}${advice}`, ...reportOf(call) }),
    permanent
  }
}

const tooLarge = (call: Call, status: number, maxBytes: number): AttemptFailure => ({
  error: new UnexpectedResponse({
    message: `the answer is larger than ${formatBytes(maxBytes)}${doubtAbout(call)}`,
    status,
    ...reportOf(call)
  })
})

/** Gathers a body piece by piece, and drops the connection when it is, or says it will be, too large. */
const gather = <E>(
  stream: Stream.Stream<Uint8Array, E>,
  { declared, maxBytes, onTooLarge }: { declared: number; maxBytes: number; onTooLarge: () => AttemptFailure }
) =>
  Effect.suspend(() => {
    const decoder = new TextDecoder()
    return Stream.runFoldEffect(
      stream,
      () => ({ size: 0, text: "" }),
      ({ size, text }, chunk) =>
        declared > maxBytes || size + chunk.byteLength > maxBytes
          ? Effect.fail(onTooLarge())
          : Effect.succeed({ size: size + chunk.byteLength, text: text + decoder.decode(chunk, { stream: true }) })
    ).pipe(Effect.map(({ text }) => text + decoder.decode()))
  })

const bodyOf = (call: Call, response: HttpClientResponse, scrub: Scrub): Effect.Effect<string, AttemptFailure> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const { headers, status } = response
    const maxBytes = Context.get(context, MaxResponseBytes)
    const declared = Number(headers["content-length"])
    // A compressed body may grow on its way in, so its declared size says nothing.
    const isSmall = declared <= maxBytes && headers["content-encoding"] === undefined
    const onTooLarge = () => tooLarge(call, status, maxBytes)
    const body = isSmall ? response.text : gather(response.stream, { declared, maxBytes, onTooLarge })
    return Effect.catchTag(body, "HttpClientError", (error) =>
      error.reason._tag === "EmptyBodyError" ? Effect.succeed("") : Effect.fail(transportFault(call, error, scrub))
    )
  })

/**
 * Sends a call once and reads its answer to the end. An interruption at any moment aborts the request on the socket.
 * Where the client fails there was no answer; every status is one.
 */
export const attempt =
  (scrub: Scrub) =>
  (client: HttpClient): Attempt =>
    Effect.fnUntraced(function* (call) {
      const attempts = MutableRef.incrementAndGet(call.attempts)
      yield* Effect.annotateCurrentSpan("headgate.attempts", attempts)
      const response = yield* Effect.catch(client.execute(call.request), (error) =>
        // A client that was told to fail on some statuses still has the answer.
        error.reason._tag === "StatusCodeError"
          ? Effect.succeed(error.reason.response)
          : Effect.fail(transportFault(call, error, scrub))
      )
      const body = yield* bodyOf(call, response, scrub)
      yield* Effect.annotateCurrentSpan("http.response.status_code", response.status)
      return { status: response.status, headers: response.headers, body }
    })
