import type { InvalidRequest } from "@headgate/core"
import * as Command from "effect/cli/Command"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as dashboard from "./dashboard/index.ts"
import * as key from "./key/index.ts"
import * as pipe from "./pipe/index.ts"
import { globalFlags, headgate } from "./headgate.ts"
import { allowInsecureHttp, maxRetries, timeout } from "./settings/connectionFlags.ts"
import { dialectInUse } from "./settings/dialect.ts"
import { secretOf } from "./settings/secretOf.ts"
import * as Setting from "./settings/Setting.ts"
import { dashboardsUrl, keyId, keySecret, organization, service, token, url } from "./settings/settings.ts"
import { UsageError } from "./usage/UsageError.ts"

// What only some commands need is loaded when they run: help, completions and usage errors start without it.
const httpAdapter = Effect.promise(() => import("@headgate/http-adapter"))
const fetchClient = Layer.unwrap(
  Effect.promise(async () => {
    const [FetchHttpClient, RequestLog] = await Promise.all([
      import("effect/http/FetchHttpClient"),
      import("./RequestLog.ts")
    ])
    return RequestLog.layer.pipe(Layer.provide(FetchHttpClient.layer))
  })
)
const fileSystem = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("@effect/platform-node/NodeFileSystem")),
    ({ layer }) => layer
  )
)
const terminal = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("@effect/platform-node/NodeTerminal")),
    ({ layer }) => layer
  )
)

const refused = (sources: { readonly [option: string]: string }) => (error: InvalidRequest) =>
  new UsageError({
    message: error.issues
      .map(({ message, path }) => `${sources[path] ?? path}: ${message}`)
      .join("\n")
      // The adapter speaks to programs: its option is our flag.
      .replaceAll("allowInsecureHttp", "--allow-insecure-http")
  })

const manners = Effect.fnUntraced(function* (version: string) {
  return {
    userAgent: `headgate-cli/${version}`,
    allowInsecureHttp: yield* allowInsecureHttp,
    maxRetries: Option.getOrUndefined(yield* maxRetries),
    deadline: Option.getOrUndefined(yield* timeout)
  }
})

const management = (version: string) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const baseUrl = yield* Setting.required(url)
      const id = yield* Setting.required(keyId)
      const { HttpAdapter } = yield* httpAdapter
      const layer = HttpAdapter.layerManagement({
        ...(yield* manners(version)),
        baseUrl: baseUrl.value,
        keyId: id.value,
        keySecret: yield* secretOf(keySecret),
        dialect: yield* dialectInUse
      })
      return yield* Effect.mapError(Layer.build(layer), refused({ baseUrl: baseUrl.source, keyId: id.source }))
    })
  ).pipe(Layer.provide(fetchClient))

const observability = (version: string) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const baseUrl = yield* Setting.required(dashboardsUrl)
      const { HttpAdapter } = yield* httpAdapter
      const layer = HttpAdapter.layerObservability({
        ...(yield* manners(version)),
        baseUrl: baseUrl.value,
        token: yield* secretOf(token)
      })
      return yield* Effect.mapError(Layer.build(layer), refused({ baseUrl: baseUrl.source }))
    })
  ).pipe(Layer.provide(fetchClient))

const randomness = Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)

const pipeSettings = Setting.requireAll([url, organization, service, keyId, keySecret])
const keySettings = Setting.requireAll([url, organization, keyId, keySecret])
const dashboardSettings = Setting.requireAll([dashboardsUrl, token])

/**
 * The whole command: each verb with the API that it speaks to. What a verb needs is checked as a whole before its
 * connection is made, so that one message names every setting that is missing.
 */
export const command = (version: string) => {
  const managementApi = management(version)
  const observabilityApi = observability(version)
  return headgate.pipe(
    Command.withSubcommands([
      pipe.noun.pipe(
        Command.withSubcommands([
          pipe.get.pipe(Command.provide(managementApi), Command.provideEffectDiscard(pipeSettings)),
          pipe.remove.pipe(
            Command.provide(terminal),
            Command.provide(managementApi),
            Command.provideEffectDiscard(pipeSettings)
          )
        ])
      ),
      key.noun.pipe(
        Command.withSubcommands([
          key.create.pipe(
            Command.provide(randomness),
            Command.provide(managementApi),
            Command.provideEffectDiscard(keySettings)
          )
        ])
      ),
      dashboard.noun.pipe(
        Command.withSubcommands([
          dashboard.create.pipe(
            Command.provide(fileSystem),
            Command.provide(observabilityApi),
            Command.provideEffectDiscard(dashboardSettings)
          ),
          dashboard.list.pipe(Command.provide(observabilityApi), Command.provideEffectDiscard(dashboardSettings))
        ])
      )
    ]),
    Command.withGlobalFlags(globalFlags)
  )
}
