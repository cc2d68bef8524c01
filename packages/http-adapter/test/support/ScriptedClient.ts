import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"

/** How the service treats a request: it answers, loses the connection, or stays silent. */
export type Step =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | { readonly cause: Error }
  | "reset"
  | "silence"

/** A request that the service saw. */
export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** When, in milliseconds of the test's clock. */
  readonly at: number
  readonly signal: AbortSignal
}

const textOf = (body: unknown): string | null =>
  body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body)

/** A service whose answer is a function of the request; it records the requests. */
export const answering = (answer: (request: Seen, nth: number) => Step) => {
  const seen: Array<Seen> = []
  const client = HttpClient.make((request, url, signal) =>
    Effect.gen(function* () {
      const body = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : ""
      const at = yield* Clock.currentTimeMillis
      const shown = { method: request.method, url: url.href, headers: { ...request.headers }, body, at, signal }
      const step = answer(shown, seen.push(shown) - 1)
      if (step === "silence") return yield* Effect.never
      if (step === "reset" || "cause" in step) {
        const cause = step === "reset" ? new Error("socket hang up") : step.cause
        const reason = new HttpClientError.TransportError({ request, cause })
        return yield* new HttpClientError.HttpClientError({ reason })
      }
      const init = { status: step.status, headers: step.headers ?? {} }
      return HttpClientResponse.fromWeb(request, new Response(textOf(step.body), init))
    })
  )
  return { seen, layer: Layer.succeed(HttpClient.HttpClient, client) }
}

/** A service that follows a script, whose last step it repeats. */
export const scripted = (...steps: ReadonlyArray<Step>) =>
  answering((_, nth) => steps[Math.min(nth, steps.length - 1)] ?? "silence")
