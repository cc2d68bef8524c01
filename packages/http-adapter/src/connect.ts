import type { InvalidRequest } from "@headgate/core"
import { type Dialect, neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { flow, pipe } from "effect/Function"
import * as MutableRef from "effect/MutableRef"
import type { Send } from "./Attempt.ts"
import { parseBaseUrl, withBaseUrl } from "./BaseUrl.ts"
import { defaultRequestPolicy, overridePolicy, type RequestPolicy } from "./CallOptions.ts"
import {
  type ConnectionOptions,
  type ManagementOptions,
  type ObservabilityOptions,
  type OnUnreadable,
  validateManagementOptions,
  validateObservabilityOptions
} from "./ConnectionOptions.ts"
import type { Redactor } from "./ErrorAnswer.ts"
import type { HttpRequest } from "./HttpRequest.ts"
import type { Observer } from "./Observer.ts"
import { circuitBreaker } from "./layers/CircuitBreaker.ts"
import { concurrency } from "./layers/Concurrency.ts"
import { type Credentials, managementCredentials, observabilityCredentials } from "./layers/Credentials.ts"
import { noticeKeyRetention } from "./layers/IdempotencyKey.ts"
import { rateLimit } from "./layers/RateLimit.ts"
import { retry } from "./layers/Retry.ts"
import { sendOnce } from "./layers/SendOnce.ts"
import { status } from "./layers/Status.ts"
import { attemptTimeout, deadline } from "./layers/Timeouts.ts"
import { userAgent } from "./layers/UserAgent.ts"
import { makeUuid } from "./makeUuid.ts"
import type { Transport } from "./Transport.ts"

/** A connection to an API: the port methods send their calls through it. */
export interface Connection {
  /** Sends a call through every layer. */
  readonly send: Send
  /** Sends a call once and answers its response, whatever its status. */
  readonly exchange: Send
  /** The URL before the contract's paths. */
  readonly baseUrl: string
  /** The path of the base URL, before the contract's paths. */
  readonly basePath: string
  /** The policy of a call that has no options of its own. */
  readonly requestPolicy: RequestPolicy
  /** What an element of a list that does not decode does. */
  readonly onUnreadable: OnUnreadable
  /** Takes the credentials of this connection out of a text. */
  readonly redact: Redactor
  /** Whether an answer had the version of a resource: only such a service honours `If-Match`. */
  readonly tellsVersions: MutableRef.MutableRef<boolean>
  /** Observes its calls. */
  readonly observer: Observer
  /** Makes a UUID: the key of a creation, or the id of a tile. */
  readonly makeUuid: Effect.Effect<string>
}

/** What a connection sends with, and what observes its calls. */
export interface ConnectionParts {
  readonly transport: Transport
  readonly observer: Observer
}

/** Puts the layers together. `options` are valid; `prefixes` are the beginnings of the contract's paths. */
const connect = (
  options: ConnectionOptions,
  { authorize, redact, renew }: Credentials,
  prefixes: ReadonlyArray<string>,
  { observer, transport }: ConnectionParts
): Connection => {
  const base = parseBaseUrl(options.baseUrl, prefixes)
  const prepare = flow(withBaseUrl(base), authorize, userAgent(options.userAgent))
  const keepsKeys = MutableRef.make(false)
  // From the inside out: each layer wraps all layers above it.
  const exchange = pipe(
    (request: HttpRequest, maxBytes: number) => transport(prepare(request), maxBytes),
    sendOnce(redact, options.maxResponseBytes),
    (attempt) => observer.exchange(attempt, redact),
    attemptTimeout
  )
  const sendCall = pipe(
    exchange,
    noticeKeyRetention(keepsKeys),
    status(redact),
    observer.attempt,
    rateLimit(options.rateLimit),
    concurrency(options.maxConcurrency),
    renew,
    retry(keepsKeys, observer),
    deadline,
    circuitBreaker(options.circuitBreaker),
    observer.call
  )
  return {
    send: sendCall,
    exchange: deadline((call) => Effect.mapError(exchange(call), ({ error }) => error)),
    baseUrl: base.href,
    basePath: base.path,
    requestPolicy: overridePolicy(defaultRequestPolicy, options),
    onUnreadable: options.onUnreadable ?? "warn",
    redact,
    tellsVersions: MutableRef.make(false),
    observer,
    makeUuid
  }
}

/** A connection to the management API, with the names that its service uses. */
export interface ManagementApi extends Connection {
  readonly dialect: Dialect
}

/**
 * Connects to the management API. Sends nothing. Fails with `InvalidRequest`, which names every invalid option. `baseUrl` may end
 * in `/v1`.
 *
 * @example
 * ```ts
 * import { connectManagement, fetchTransport, makeHttpPipes, noObserver } from "@headgate/http-adapter/ports"
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 *
 * // Pipes over fetch, without layers, spans and metrics.
 * export const pipes = Effect.map(
 *   connectManagement(
 *     { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: Redacted.make("from a vault") },
 *     { transport: fetchTransport(), observer: noObserver }
 *   ),
 *   makeHttpPipes
 * )
 * ```
 */
export const connectManagement = (
  options: ManagementOptions,
  parts: ConnectionParts
): Effect.Effect<ManagementApi, InvalidRequest> =>
  Effect.map(validateManagementOptions(options), (valid) => ({
    ...connect(valid, managementCredentials(valid), ["/v1"], parts),
    dialect: valid.dialect ?? neutral
  }))

/**
 * Connects to the observability API. Sends nothing. Fails with `InvalidRequest`, which names every invalid option. `baseUrl` may
 * end in `/api` or `/api/v2`.
 *
 * @example
 * ```ts
 * import { connectObservability, fetchTransport, makeHttpDashboards, noObserver } from "@headgate/http-adapter/ports"
 * import * as Effect from "effect/Effect"
 * import type * as Redacted from "effect/Redacted"
 *
 * export const dashboards = (token: Redacted.Redacted) =>
 *   Effect.map(
 *     connectObservability(
 *       { baseUrl: "https://observability.example.com", token },
 *       { transport: fetchTransport(), observer: noObserver }
 *     ),
 *     makeHttpDashboards
 *   )
 * ```
 */
export const connectObservability = (
  options: ObservabilityOptions,
  parts: ConnectionParts
): Effect.Effect<Connection, InvalidRequest> =>
  Effect.map(validateObservabilityOptions(options), (valid) =>
    connect(valid, observabilityCredentials(valid), ["/api/v2", "/api"], parts)
  )
