import type { InvalidRequest } from "@headgate/core"
import { ManagementConnection, ObservabilityConnection } from "@headgate/http-adapter"
import type { Dialect } from "@headgate/http-contract"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { UsageError } from "../error/CommandError.ts"
import type { SettingValue } from "./Setting.ts"
import { allowInsecureHttp, maxRetries, timeout } from "./settings.ts"
import { Version } from "./Version.ts"

const text = (name: string) => Config.String(name).pipe(Config.withDefault(""))

// HTTP_PROXY is not read: plain http goes to loopback, where a proxy would see the credentials.
const proxyEnvironment = Config.all({
  HTTPS_PROXY: text("HTTPS_PROXY"),
  https_proxy: text("https_proxy"),
  NO_PROXY: text("NO_PROXY"),
  no_proxy: text("no_proxy")
})

const httpClient = Layer.unwrap(
  Effect.gen(function* () {
    const proxyEnv = yield* Effect.orDie(proxyEnvironment)
    const { layerHttpClient } = yield* Effect.promise(() => import("../request/httpClient.ts"))
    return layerHttpClient(proxyEnv)
  })
)

// What is not of an origin and a path may be a secret.
const shown = ({ source, value }: SettingValue<string>): string =>
  /[@?#]/.test(value) ? source : `${source} "${value}"`

// Names the flag or variable of a wrong option of the adapter.
const toUsageError = (sources: { readonly [option: string]: SettingValue<string> }) => (error: InvalidRequest) =>
  new UsageError({
    message: error.issues
      .map(({ message, path }) => {
        const source = sources[path]
        return `${source === undefined ? path : shown(source)}: ${message}`
      })
      .join("\n")
      // The adapter names its option, the user knows the flag.
      .replaceAll("allowInsecureHttp", "--allow-insecure-http")
  })

const connectionOptions = Effect.gen(function* () {
  return {
    userAgent: `headgate-cli/${yield* Version}`,
    allowInsecureHttp: yield* allowInsecureHttp,
    maxRetries: Option.getOrUndefined(yield* maxRetries),
    deadline: Option.getOrUndefined(yield* timeout)
  }
})

/** The credentials of the management API and where it is. */
export interface ManagementSettings {
  readonly baseUrl: SettingValue<string>
  readonly keyId: SettingValue<string>
  readonly keySecret: Redacted.Redacted
  readonly dialect: Dialect
}

/** The connection to the management API. */
export const management = <E, R>(settings: Effect.Effect<ManagementSettings, E, R>) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { baseUrl, dialect, keyId, keySecret } = yield* settings
      const options = { baseUrl: baseUrl.value, keyId: keyId.value, keySecret, dialect }
      const layer = ManagementConnection.layer({ ...(yield* connectionOptions), ...options })
      return yield* Effect.mapError(Layer.build(layer), toUsageError({ baseUrl, keyId }))
    })
  ).pipe(Layer.provide(httpClient))

/** The token of the observability API and where it is. */
export interface ObservabilitySettings {
  readonly baseUrl: SettingValue<string>
  readonly token: Redacted.Redacted
}

/** The connection to the observability API. */
export const observability = <E, R>(settings: Effect.Effect<ObservabilitySettings, E, R>) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { baseUrl, token } = yield* settings
      const options = { baseUrl: baseUrl.value, token }
      const layer = ObservabilityConnection.layer({ ...(yield* connectionOptions), ...options })
      return yield* Effect.mapError(Layer.build(layer), toUsageError({ baseUrl }))
    })
  ).pipe(Layer.provide(httpClient))
