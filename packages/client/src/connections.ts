import type { FieldIssue, InvalidRequest } from "@headgate/core"
import {
  ManagementConnection,
  type ManagementOptions,
  ObservabilityConnection,
  type ObservabilityOptions
} from "@headgate/http-adapter"
import { dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { adapterManners } from "./CallOptions.ts"
import { ApiKeyCredentials, BearerToken, type CheckedOptions } from "./validateOptions.ts"

const shared = (options: CheckedOptions) => ({
  ...adapterManners(options),
  userAgent: options.userAgent,
  allowInsecureHttp: options.allowInsecureHttp,
  maxResponseBytes: options.maxResponseBytes,
  maxConcurrency: options.maxConcurrency,
  rateLimit: options.rateLimit,
  circuitBreaker: options.circuitBreaker
})

/** What a function promises, as the adapter wants it. The adapter shows of a failure its name and no more. */
const fetched = <A>(
  schema: Schema.Codec<A, unknown>,
  source: (options: { readonly signal: AbortSignal }) => Promise<unknown>
): Effect.Effect<A, unknown> => {
  const decode = Schema.decodeUnknownEffect(schema)
  return Effect.tryPromise({ try: (signal) => source({ signal }), catch: identity }).pipe(
    Effect.flatMap((given) => Effect.mapError(decode(given), () => ({ _tag: "NotCredentials" })))
  )
}

/** The adapter's options for the management API, if it is wanted: what an adapter can do is passed on here. */
export const managementOptions = (options: CheckedOptions): ManagementOptions | undefined => {
  if (options.management === undefined) return undefined
  const { baseUrl, credentials, dialect, keyId, keySecret } = options.management
  const rest = { ...shared(options), baseUrl, dialect: dialect && dialects[dialect] }
  if (credentials !== undefined) return { ...rest, credentials: fetched(ApiKeyCredentials, credentials) }
  // Options that have neither were refused before.
  return keyId === undefined || keySecret === undefined ? undefined : { ...rest, keyId, keySecret }
}

/** The adapter's options for the observability API, if it is wanted. */
export const observabilityOptions = (options: CheckedOptions): ObservabilityOptions | undefined => {
  if (options.observability === undefined) return undefined
  const { baseUrl, credentials, token } = options.observability
  const rest = { ...shared(options), baseUrl }
  if (credentials !== undefined) return { ...rest, credentials: fetched(BearerToken, credentials) }
  return token === undefined ? undefined : { ...rest, token }
}

/** What sends the requests of a client. */
export const transport = ({ fetch, httpClient }: CheckedOptions): Layer.Layer<HttpClient.HttpClient> =>
  httpClient ??
  FetchHttpClient.layer.pipe(
    // Looked up for each request, so that a fetch which is replaced later, as tests do, is the one that is called.
    Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch ?? ((input, init) => globalThis.fetch(input, init))))
  )

const nobody = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make(() => Effect.die("unreachable: a connection that is only tried sends nothing"))
)

const faultsOf = <A>(connection: Layer.Layer<A, InvalidRequest, HttpClient.HttpClient>): ReadonlyArray<FieldIssue> => {
  const built = Effect.as(Effect.scoped(Layer.build(Layer.provide(connection, nobody))), [])
  // A defect is thrown: a client that cannot be built is not handed out.
  return Effect.runSync(Effect.catchTag(built, "InvalidRequest", ({ issues }) => Effect.succeed(issues)))
}

// What both APIs share keeps its name, and is found once.
const under = (api: "management" | "observability", options: CheckedOptions, issues: ReadonlyArray<FieldIssue>) =>
  issues.map(({ message, path }) => ({
    path: Predicate.hasProperty(options[api], path) ? `${api}.${path}` : path,
    message
  }))

/** What the adapter finds wrong with options, before anything is opened. */
export const connectionFaults = (
  options: CheckedOptions,
  management: ManagementOptions | undefined,
  observability: ObservabilityOptions | undefined
): ReadonlyArray<FieldIssue> => {
  const faults = [
    ...(management ? under("management", options, faultsOf(ManagementConnection.layer(management))) : []),
    ...(observability ? under("observability", options, faultsOf(ObservabilityConnection.layer(observability))) : [])
  ]
  return Array.from(new Map(faults.map((fault) => [fault.path, fault])).values())
}
