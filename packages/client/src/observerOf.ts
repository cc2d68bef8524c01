import { type Attempt, type Call, noObserver, type Observer, urlOf } from "@headgate/http-adapter/ports"
import * as Effect from "effect/Effect"
import type { Hooks, RequestEvent } from "./Hooks.ts"
import { fromPortError } from "./error/errorClasses.ts"

// stdout belongs to the program.
const warn = (message: string, ...more: ReadonlyArray<unknown>) => console.warn(`@headgate/client: ${message}`, ...more)

/** Calls a hook after the code that runs. A call does not wait for it, and what it throws or rejects with is written. */
const notify = <Event>(name: keyof Hooks, hook: ((event: Event) => unknown) | undefined, event: Event): void => {
  if (hook === undefined) return
  Promise.resolve(event)
    .then(hook)
    .catch((error: unknown) => warn(`${name} failed:`, error))
}

const eventOf = ({ attempts, baseUrl, request }: Call, attempt = attempts.current): RequestEvent => ({
  method: request.method,
  url: urlOf({ ...request, url: baseUrl + request.url }),
  attempt
})

/** Tells the hooks of a client of the requests of its connections. */
export const observerOf = ({ onRequest, onResponse, onRetry }: Hooks): Observer => {
  const exchange =
    (attempt: Attempt, redact: (text: string) => string): Attempt =>
    (call) =>
      Effect.suspend(() => {
        const event = eventOf(call, call.attempts.current + 1)
        const startedAt = performance.now()
        // A hook may write into what it gets.
        notify("onRequest", onRequest, { ...event })
        return Effect.map(attempt(call), (answer) => {
          const { headers, status } = answer
          const duration = performance.now() - startedAt
          const id = headers["x-request-id"]
          notify("onResponse", onResponse, { ...event, status, duration, requestId: id && redact(id) })
          return answer
        })
      })
  return {
    ...noObserver,
    ...(onRequest === undefined && onResponse === undefined ? {} : { exchange }),
    retry: (call, { error }, _, delay) =>
      Effect.sync(() => notify("onRetry", onRetry, { ...eventOf(call), delay, error: fromPortError(error) })),
    warn: (message) => Effect.sync(() => warn(message))
  }
}
