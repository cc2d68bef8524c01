import type { PortError } from "@headgate/core"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type { Attempt, AttemptFailure, Call, Send } from "./Attempt.ts"
import type { Redactor } from "./ErrorAnswer.ts"

/** A port method over its parameters and its payload. */
export type Method<Content = unknown> = (params: unknown, payload: unknown) => Effect.Effect<Content, PortError>

/** The body of a port method. */
export type MethodBody<Content> = (params: unknown, payload: unknown) => Effect.fn.Return<Content, PortError>

/** Observes the calls of a connection, for spans, metrics, logs or hooks. It changes no call. */
export interface Observer {
  /** Makes a port method, which may have a span of its name. */
  readonly method: <Content>(name: string, body: MethodBody<Content>) => Method<Content>
  /** Around each request, whose answer may have any status. `redact` takes the credentials out of a text of it. */
  readonly exchange: (attempt: Attempt, redact: Redactor) => Attempt
  /** Around each attempt, which fails for any status but 2xx. */
  readonly attempt: (attempt: Attempt) => Attempt
  /** Around each call, its retries included. */
  readonly call: (send: Send) => Send
  /** Before the pause of a retry; `retry` counts from 1, `delay` is in milliseconds. */
  readonly retry: (call: Call, failure: AttemptFailure, retry: number, delay: number) => Effect.Effect<void>
  /** For what a call goes on without, such as an element of a list that cannot be read. */
  readonly warn: (message: string) => Effect.Effect<void>
}

/**
 * Observes nothing, and drops warnings.
 *
 * @example
 * ```ts
 * import { noObserver, type Observer } from "@headgate/http-adapter/ports"
 * import * as Effect from "effect/Effect"
 *
 * export const observer: Observer = {
 *   ...noObserver,
 *   warn: (message) => Effect.sync(() => console.warn(message))
 * }
 * ```
 */
export const noObserver: Observer = {
  method: (_, body) => Effect.fnUntraced(body),
  exchange: identity,
  attempt: identity,
  call: identity,
  retry: () => Effect.void,
  warn: () => Effect.void
}
