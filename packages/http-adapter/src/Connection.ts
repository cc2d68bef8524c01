import type { InvalidRequest } from "@headgate/core/error"
import { type Dialect, neutral } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { pipe } from "effect/Function"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { attempt } from "./Attempt.ts"
import { attemptTimeout } from "./AttemptTimeout.ts"
import { type Auth, authorize, basic, bearer, scrubber } from "./Auth.ts"
import { baseUrl, parseBaseUrl } from "./BaseUrl.ts"
import type { Exchange } from "./Call.ts"
import { type CallManners, type CallOptions, defaultManners, mannersWith } from "./CallOptions.ts"
import { deadline } from "./Deadline.ts"
import type { Scrub } from "./Excerpt.ts"
import { refuseRedirects } from "./Redirect.ts"
import { retry } from "./Retry.ts"
import { status } from "./Status.ts"
import { userAgent } from "./UserAgent.ts"

/** Where an API is, and the manners of every call to it. */
export interface ConnectionOptions extends CallOptions {
  /** The origin and, if need be, the path of the API: `https://api.example.com`. */
  readonly baseUrl: string | URL
  /** Products named before our own in `User-Agent`: `my-tool/1.2`. */
  readonly userAgent?: string | undefined
  /** Send credentials over plain http to other hosts than loopback too. Default false. */
  readonly allowInsecureHttp?: boolean | undefined
}

/** How to reach the management API. Contract: sections 4.1, 4.2 and 5. */
export interface ManagementOptions extends ConnectionOptions {
  readonly keyId: string
  readonly keySecret: Redacted.Redacted
  /** How the service spells its names. Default: `neutral`, as in the contract. */
  readonly dialect?: Dialect | undefined
}

/** How to reach the observability API. Contract: sections 4.3, 4.4 and 5. */
export interface ObservabilityOptions extends ConnectionOptions {
  readonly token: Redacted.Redacted
}

/** An API within reach: what the ports send their calls through. */
export interface Connection {
  /** Sends a call with every manner, and gives its answer. */
  readonly exchange: Exchange
  /** What stands before the contract's paths. */
  readonly basePath: string
  /** The manners of a call that has no options of its own. */
  readonly manners: CallManners
  /** Takes this connection's credentials out of a text. */
  readonly scrub: Scrub
}

const connect = Effect.fnUntraced(function* (
  options: ConnectionOptions,
  auth: Auth,
  prefixes: ReadonlyArray<string>
): Effect.fn.Return<Connection, InvalidRequest, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  const init = Context.getOrUndefined(yield* Effect.context<never>(), FetchHttpClient.RequestInit)
  const base = yield* parseBaseUrl(options.baseUrl, { prefixes, allowInsecureHttp: options.allowInsecureHttp ?? false })
  const identify = yield* userAgent(options.userAgent)
  const scrub = scrubber(auth)
  // In the order that a request passes them.
  const exchange = pipe(
    client,
    baseUrl(base),
    authorize(auth),
    identify,
    refuseRedirects(init ?? {}),
    attempt(scrub),
    attemptTimeout,
    status(scrub),
    retry,
    deadline
  )
  return { exchange, basePath: base.path, manners: mannersWith(defaultManners, options), scrub }
})

/** The management API: what `HttpPipes` and `HttpApiKeys` are built on. */
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
        const auth = yield* basic(options.keyId, options.keySecret)
        const connection = yield* connect(options, auth, ["/v1"])
        return { ...connection, dialect: options.dialect ?? neutral }
      })
    )
}

/** The observability API: what `HttpDashboards` is built on. */
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
      Effect.flatMap(bearer(options.token), (auth) => connect(options, auth, ["/api/v2", "/api"]))
    )
}
