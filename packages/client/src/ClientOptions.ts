import type { DialectName } from "@headgate/http-contract"
import type { HttpClient } from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import type { Manners } from "./CallOptions.ts"
import type { Secret } from "./Secret.ts"

/** Where the management API is, and who calls. */
export interface ManagementOptions {
  /** The origin and, if need be, the path of the API: `https://api.example.com`. It may end in `/v1`. */
  readonly baseUrl: string | URL
  /** The ID of an API key: the user name of HTTP Basic. */
  readonly keyId: string
  /** Its secret: the password of HTTP Basic. */
  readonly keySecret: Secret | string
  /** How the service spells its names: `clickhouse` for the real one. Default `neutral`, as in the contract. */
  readonly dialect?: DialectName | undefined
}

/** Where the observability API is, and who calls. */
export interface ObservabilityOptions {
  /** The origin and, if need be, the path of the API. It may end in `/api` or `/api/v2`. */
  readonly baseUrl: string | URL
  /** A bearer token. It also says whose dashboards are meant. */
  readonly token: Secret | string
}

/** How a client calls, whichever API. */
export interface ConnectionOptions extends Manners {
  /** Products named before our own in `User-Agent`: `my-tool/1.2`. */
  readonly userAgent?: string | undefined
  /** Send credentials over plain http to other hosts than loopback too. Default false. */
  readonly allowInsecureHttp?: boolean | undefined
  /** What sends the requests instead of `globalThis.fetch`: one with a proxy, or one of a test. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** What sends the requests instead of any `fetch`: a layer of Effect's `HttpClient`, which the client then owns. */
  readonly httpClient?: Layer.Layer<HttpClient> | undefined
}

/** What `createClient` takes: at least one of the two APIs. */
export interface ClientOptions extends ConnectionOptions {
  readonly management?: ManagementOptions | undefined
  readonly observability?: ObservabilityOptions | undefined
}
