import type { InvalidRequest } from "@headgate/core"
import { type Dialect, neutral } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { flow, pipe } from "effect/Function"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
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
import { circuitBreaker } from "./layers/CircuitBreaker.ts"
import { noticeKeyRetention } from "./layers/IdempotencyKey.ts"
import { concurrency } from "./layers/Concurrency.ts"
import { type Credentials, managementCredentials, observabilityCredentials } from "./layers/Credentials.ts"
import { countAttempts, measureCalls } from "./layers/Metrics.ts"
import { rateLimit } from "./layers/RateLimit.ts"
import { withoutRedirects } from "./layers/Redirects.ts"
import { responseLimit } from "./layers/ResponseLimit.ts"
import { retry } from "./layers/Retry.ts"
import { status } from "./layers/Status.ts"
import { attemptTimeout, deadline } from "./layers/Timeouts.ts"
import { clientSpan } from "./layers/Tracing.ts"
import { transport } from "./layers/Transport.ts"
import { userAgent } from "./layers/UserAgent.ts"

/** A connection to an API: the port methods send their calls through it. */
export interface Connection {
  /** Sends a call through every layer. */
  readonly send: Send
  /** Sends a call once and answers its response, whatever its status. */
  readonly exchange: Send
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
  /** Makes a UUID: the key of a creation, or the id of a tile. */
  readonly makeUuid: Effect.Effect<string>
}

/** Puts the layers together. `options` are valid; `prefixes` are the beginnings of the contract's paths. */
const connect = Effect.fnUntraced(function* (
  options: ConnectionOptions,
  { authorize, redact, renew }: Credentials,
  prefixes: ReadonlyArray<string>
): Effect.fn.Return<Connection, never, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  const init = Context.getOrUndefined(yield* Effect.context<never>(), FetchHttpClient.RequestInit)
  const base = parseBaseUrl(options.baseUrl, prefixes)
  const keepsKeys = MutableRef.make(false)
  const random = yield* Effect.provide(SecureRandom.SecureRandom, SecureRandom.layerWebCrypto)
  // From the inside out: each layer wraps all layers above it.
  const exchange = pipe(
    client,
    HttpClient.mapRequest(flow(withBaseUrl(base), authorize, userAgent(options.userAgent))),
    HttpClient.transformResponse(Effect.updateContext(flow(withoutRedirects(init), clientSpan))),
    transport(redact),
    responseLimit(options.maxResponseBytes),
    attemptTimeout
  )
  const send = pipe(
    exchange,
    noticeKeyRetention(keepsKeys),
    status(redact),
    countAttempts,
    rateLimit(options.rateLimit),
    concurrency(options.maxConcurrency),
    renew,
    retry(keepsKeys),
    deadline,
    circuitBreaker(options.circuitBreaker),
    measureCalls
  )
  return {
    send,
    exchange: deadline((call) => Effect.mapError(exchange(call), ({ error }) => error)),
    basePath: base.path,
    requestPolicy: overridePolicy(defaultRequestPolicy, options),
    onUnreadable: options.onUnreadable ?? "warn",
    redact,
    tellsVersions: MutableRef.make(false),
    makeUuid: random.uuidV4()
  }
})

/**
 * A connection to the management API: `HttpPipes` and `HttpApiKeys` need it. `HttpAdapter.layerManagement` combines the
 * three; use the parts for one port alone, or for your own layers over the same connection.
 *
 * @example
 * ```ts
 * import { HttpPipes, ManagementConnection } from "@headgate/http-adapter"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 * import * as Redacted from "effect/Redacted"
 *
 * const connection = ManagementConnection.layer({
 *   baseUrl: "https://api.example.com",
 *   keyId: "my-key-id",
 *   keySecret: Redacted.make("from a vault"),
 *   maxConcurrency: 8
 * }).pipe(Layer.provide(FetchHttpClient.layer))
 *
 * // `Pipes` without `ApiKeys`: a program with this layer cannot create keys.
 * export const layer = HttpPipes.layer.pipe(Layer.provide(connection))
 * ```
 */
export class ManagementConnection extends Context.Service<
  ManagementConnection,
  Connection & { readonly dialect: Dialect }
>()("@headgate/http-adapter/ManagementConnection") {
  /**
   * Fails with `InvalidRequest`, which names every invalid option. `baseUrl` may end in `/v1`.
   */
  static readonly layer = (
    options: ManagementOptions
  ): Layer.Layer<ManagementConnection, InvalidRequest, HttpClient.HttpClient> =>
    Layer.effect(
      ManagementConnection,
      Effect.gen(function* () {
        const valid = yield* validateManagementOptions(options)
        const connection = yield* connect(valid, yield* managementCredentials(valid), ["/v1"])
        return { ...connection, dialect: valid.dialect ?? neutral }
      })
    )
}

/**
 * A connection to the observability API: `HttpDashboards` needs it. `HttpAdapter.layerObservability` combines the two.
 *
 * @example
 * ```ts
 * import { HttpDashboards, ObservabilityConnection } from "@headgate/http-adapter"
 * import * as Config from "effect/Config"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 *
 * // The token is read for the first call, and again after a 401.
 * const connection = ObservabilityConnection.layer({
 *   baseUrl: "https://observability.example.com",
 *   credentials: Effect.all({ token: Config.Redacted("HEADGATE_TOKEN") })
 * })
 *
 * export const layer = HttpDashboards.layer.pipe(Layer.provide(connection), Layer.provide(FetchHttpClient.layer))
 * ```
 */
export class ObservabilityConnection extends Context.Service<ObservabilityConnection, Connection>()(
  "@headgate/http-adapter/ObservabilityConnection"
) {
  /**
   * Fails with `InvalidRequest`, which names every invalid option. `baseUrl` may end in `/api` or `/api/v2`.
   */
  static readonly layer = (
    options: ObservabilityOptions
  ): Layer.Layer<ObservabilityConnection, InvalidRequest, HttpClient.HttpClient> =>
    Layer.effect(
      ObservabilityConnection,
      Effect.gen(function* () {
        const valid = yield* validateObservabilityOptions(options)
        return yield* connect(valid, yield* observabilityCredentials(valid), ["/api/v2", "/api"])
      })
    )
}
