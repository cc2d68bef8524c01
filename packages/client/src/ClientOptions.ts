import type { DialectName } from "@headgate/http-contract"
import type * as Layer from "effect/Layer"
import type { HttpClient } from "effect/http/HttpClient"
import type { Manners } from "./CallOptions.ts"
import type { Secret } from "./Secret.ts"

/**
 * Credentials that are given once, or fetched by a function: for the first call, and again when the service refuses
 * them with a 401, once for all calls that were refused, each of which is then sent once more. A function that rejects,
 * or takes longer than `timeout`, ends a call as `UnauthorizedError`.
 */
export type Given<Fixed> =
  | (Fixed & { readonly credentials?: undefined })
  | ({ readonly [Name in keyof Fixed]?: undefined } & {
      /** The signal is aborted when nobody waits any more. */
      readonly credentials: (options: { readonly signal: AbortSignal }) => Promise<Fixed>
    })

/** An API key, for HTTP Basic. */
export interface ApiKeyCredentials {
  /** Its ID: the user name. */
  readonly keyId: string
  /** Its secret: the password. */
  readonly keySecret: Secret | string
}

/** A bearer token. It also says whose dashboards are meant. */
export interface BearerToken {
  readonly token: Secret | string
}

/** Where the management API is, and who calls: `keyId` and `keySecret`, or `credentials`. */
export type ManagementOptions = Given<ApiKeyCredentials> & {
  /** The origin and, if need be, the path of the API: `https://api.example.com`. It may end in `/v1`. */
  readonly baseUrl: string | URL
  /** How the service spells its names: `clickhouse` for the real one. Default `neutral`, as in the contract. */
  readonly dialect?: DialectName | undefined
}

/** Where the observability API is, and who calls: `token`, or `credentials`. */
export type ObservabilityOptions = Given<BearerToken> & {
  /** The origin and, if need be, the path of the API. It may end in `/api` or `/api/v2`. */
  readonly baseUrl: string | URL
}

/** At most so many requests start in any window of so many milliseconds; more wait in turn. */
export interface RateLimitOptions {
  readonly limit: number
  readonly window: number
}

/** When to leave a failing service alone, and for how long. */
export interface CircuitBreakerOptions {
  /** After how many failed calls in a row nothing more is sent. Default 5. */
  readonly failures?: number | undefined
  /** For how many milliseconds nothing is sent; then one call tries the service again. Default 30,000. */
  readonly openDuration?: number | undefined
}

/** How a client calls, whichever API. */
export interface ConnectionOptions extends Manners {
  /** Products named before our own in `User-Agent`: `my-tool/1.2`. */
  readonly userAgent?: string | undefined
  /** Send credentials over plain http to other hosts than loopback too. Default false. */
  readonly allowInsecureHttp?: boolean | undefined
  /** How many bytes of an answer are read at most; a larger one is an `UnexpectedResponseError`. Default 64 MiB. */
  readonly maxResponseBytes?: number | undefined
  /** How many requests to each API may be under way at once; more wait in turn. Default: any number. */
  readonly maxConcurrency?: number | undefined
  /** How many requests may be sent to each API in a time. Default: any number. */
  readonly rateLimit?: RateLimitOptions | undefined
  /** Leave an API that fails alone for a while. `{}` for the defaults. Default: off. */
  readonly circuitBreaker?: CircuitBreakerOptions | undefined
  /** What sends the requests instead of `globalThis.fetch`: one with a proxy, or one of a test. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** What sends the requests instead of any `fetch`: a layer of Effect's `HttpClient`, which the client then owns. */
  readonly httpClient?: Layer.Layer<HttpClient> | undefined
}

/** What `createClient` takes: at least one of the two APIs. */
export type ClientOptions = ConnectionOptions &
  (
    | {
        readonly management: ManagementOptions
        readonly observability?: ObservabilityOptions | undefined
      }
    | {
        readonly management?: ManagementOptions | undefined
        readonly observability: ObservabilityOptions
      }
  )
