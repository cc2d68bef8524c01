import type { InvalidRequest } from "@headgate/core"
import { type Dialect, dialectNames, neutral } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { flow, pipe } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Struct from "effect/Struct"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { attempt } from "./Attempt.ts"
import { attemptTimeout } from "./AttemptTimeout.ts"
import { type ApiKeyCredentials, basic, bearer, type BearerToken } from "./Auth.ts"
import { baseUrl, parseBaseUrl } from "./BaseUrl.ts"
import type { Exchange } from "./Call.ts"
import { type CallOptions, defaultManners, mannersWith, type RequestPolicy } from "./CallOptions.ts"
import { circuitBreaker, type CircuitBreakerOptions } from "./CircuitBreaker.ts"
import { clientSpanWhereSeen } from "./ClientSpan.ts"
import { concurrency } from "./Concurrency.ts"
import type { Credentials } from "./Credentials.ts"
import { deadline } from "./Deadline.ts"
import { credentialsOf, type Given } from "./GivenCredentials.ts"
import { countAttempts, measureCalls } from "./Metrics.ts"
import { rateLimit, type RateLimitOptions } from "./RateLimit.ts"
import { refusingRedirects } from "./Redirect.ts"
import { responseLimit } from "./ResponseLimit.ts"
import { retry } from "./Retry.ts"
import type { Scrub } from "./Scrub.ts"
import { status } from "./Status.ts"
import { userAgent } from "./UserAgent.ts"
import { type Checked, groupOption, refused } from "./validateOption.ts"

/** Where an API is, and the manners of every call to it. */
export interface ConnectionOptions extends CallOptions {
  /** The origin and, if need be, the path of the API: `https://api.example.com`. */
  readonly baseUrl: string | URL
  /** Products named before our own in `User-Agent`: `my-tool/1.2`. */
  readonly userAgent?: string | undefined
  /** Send credentials over plain http to other hosts than loopback too. Default false. */
  readonly allowInsecureHttp?: boolean | undefined
  /** How many bytes of an answer are read at most; a larger one ends as `UnexpectedResponse`. Default: 64 MiB. */
  readonly maxResponseBytes?: number | undefined
  /** How many requests may be under way at once; more wait for their turn. Default: any number. */
  readonly maxConcurrency?: number | undefined
  /** How many requests may be sent in a time; more wait for their turn. Default: any number. */
  readonly rateLimit?: RateLimitOptions | undefined
  /** Leave a failing service alone for a while. `{}` for the defaults. Default: off. */
  readonly circuitBreaker?: CircuitBreakerOptions | undefined
}

/**
 * How to reach the management API. Contract: sections 4.1, 4.2 and 5. Either `keyId` and `keySecret`, or `credentials`.
 *
 * @example
 * ```ts
 * import type { ManagementOptions } from "@headgate/http-adapter"
 * import * as Config from "effect/Config"
 * import * as Effect from "effect/Effect"
 *
 * export const options: ManagementOptions = {
 *   baseUrl: "https://api.example.com",
 *   credentials: Effect.all({
 *     keyId: Config.String("HEADGATE_KEY_ID"),
 *     keySecret: Config.Redacted("HEADGATE_KEY_SECRET")
 *   })
 * }
 * ```
 */
export type ManagementOptions = ConnectionOptions &
  Given<ApiKeyCredentials> & {
    /** How the service spells its names. Default: `neutral`, as in the contract. */
    readonly dialect?: Dialect | undefined
  }

/** How to reach the observability API. Contract: sections 4.3, 4.4 and 5. Either `token` or `credentials`. */
export type ObservabilityOptions = ConnectionOptions & Given<BearerToken>

/** An API within reach: what the ports send their calls through. */
export interface Connection {
  /** Sends a call with every manner, and gives its answer. */
  readonly exchange: Exchange
  /** What stands before the contract's paths. */
  readonly basePath: string
  /** The manners of a call that has no options of its own. */
  readonly manners: RequestPolicy
  /** Takes this connection's credentials out of a text. */
  readonly scrub: Scrub
}

// All fields of a dialect are texts: a schema that says so would be a kilobyte of every bundle.
const dialectFields = Struct.keys(neutral)

const dialectOption = (dialect: Dialect = neutral): Checked<Dialect> =>
  Predicate.isObject(dialect) &&
  dialectFields.every((field) => Predicate.isString(dialect[field]) && dialect[field] !== "")
    ? Effect.succeed(dialect)
    : refused("dialect", `a dialect of @headgate/http-contract: ${dialectNames.join(" or ")}`)

const connect = Effect.fnUntraced(function* (
  options: ConnectionOptions,
  { authorize, renew, scrub }: Credentials,
  prefixes: ReadonlyArray<string>
): Effect.fn.Return<Connection, InvalidRequest, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  const init = Context.getOrUndefined(yield* Effect.context<never>(), FetchHttpClient.RequestInit)
  const base = yield* parseBaseUrl(options.baseUrl, { prefixes, allowInsecureHttp: options.allowInsecureHttp })
  const manners = yield* mannersWith(defaultManners, options)
  const identify = yield* userAgent(options.userAgent)
  const limitResponses = yield* responseLimit(options.maxResponseBytes)
  const limitRate = yield* rateLimit(options.rateLimit)
  const limitConcurrency = yield* concurrency(options.maxConcurrency)
  const breakCircuit = yield* circuitBreaker(options.circuitBreaker)
  // From the wire outwards: what stands further down holds all above it.
  const exchange = pipe(
    client,
    HttpClient.mapRequest(flow(baseUrl(base), authorize, identify)),
    HttpClient.transformResponse(Effect.updateContext(flow(refusingRedirects(init), clientSpanWhereSeen))),
    attempt(scrub),
    limitResponses,
    attemptTimeout,
    status(scrub),
    countAttempts,
    limitRate,
    limitConcurrency,
    renew,
    retry,
    deadline,
    breakCircuit,
    measureCalls
  )
  return { exchange, basePath: base.path, manners, scrub }
})

/**
 * The management API: what `HttpPipes` and `HttpApiKeys` are built on. `HttpAdapter.layerManagement` is the three of them
 * put together; take the parts for one port alone, or for layers of yours over the same connection.
 *
 * @example
 * ```ts
 * import { HttpPipes, ManagementConnection } from "@headgate/http-adapter"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Struct from "effect/Struct"
 * import * as Redacted from "effect/Redacted"
 *
 * const connection = ManagementConnection.layer({
 *   baseUrl: "https://api.example.com",
 *   keyId: "my-key-id",
 *   keySecret: Redacted.make("from a vault"),
 *   maxConcurrency: 8
 * }).pipe(Layer.provide(FetchHttpClient.layer))
 *
 * // `Pipes` and no `ApiKeys`: what runs on this cannot make keys.
 * export const layer = HttpPipes.layer.pipe(Layer.provide(connection))
 * ```
 */
export class ManagementConnection extends Context.Service<
  ManagementConnection,
  Connection & { readonly dialect: Dialect }
>()("@headgate/http-adapter/ManagementConnection") {
  /**
   * Fails with `InvalidRequest` when an option is of no use. `baseUrl` may end in `/v1`.
   */
  static readonly layer = (
    options: ManagementOptions
  ): Layer.Layer<ManagementConnection, InvalidRequest, HttpClient.HttpClient> =>
    Layer.effect(
      ManagementConnection,
      Effect.gen(function* () {
        const given = yield* groupOption("options", options, "{ baseUrl, keyId, keySecret }")
        const credentials = yield* credentialsOf(given, ["keyId", "keySecret"], basic)
        const connection = yield* connect(given, credentials, ["/v1"])
        return { ...connection, dialect: yield* dialectOption(given.dialect) }
      })
    )
}

/**
 * The observability API: what `HttpDashboards` is built on. `HttpAdapter.layerObservability` is the two of them put
 * together.
 *
 * @example
 * ```ts
 * import { HttpDashboards, ObservabilityConnection } from "@headgate/http-adapter"
 * import * as Config from "effect/Config"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Struct from "effect/Struct"
 *
 * // The token is read for the first call, and again when the service refuses it.
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
   * Fails with `InvalidRequest` when an option is of no use. `baseUrl` may end in `/api` or `/api/v2`.
   */
  static readonly layer = (
    options: ObservabilityOptions
  ): Layer.Layer<ObservabilityConnection, InvalidRequest, HttpClient.HttpClient> =>
    Layer.effect(
      ObservabilityConnection,
      Effect.gen(function* () {
        const given = yield* groupOption("options", options, "{ baseUrl, token }")
        const credentials = yield* credentialsOf(given, ["token"], bearer)
        return yield* connect(given, credentials, ["/api/v2", "/api"])
      })
    )
}
