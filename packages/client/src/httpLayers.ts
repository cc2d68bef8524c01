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
import { adapterPolicy, invalidOptions } from "./CallOptions.ts"
import { apiKeyCredentials, bearerToken, type ValidOptions } from "./ClientOptions.ts"

const connectionOptions = (options: ValidOptions) => ({
  ...adapterPolicy(options),
  userAgent: options.userAgent,
  allowInsecureHttp: options.allowInsecureHttp,
  maxResponseBytes: options.maxResponseBytes,
  onUnreadable: options.onUnreadable,
  maxConcurrency: options.maxConcurrency,
  rateLimit: options.rateLimit,
  circuitBreaker: options.circuitBreaker
})

/** Calls a function that fetches credentials. Of its error the adapter shows the name and nothing else. */
const fetchCredentials = <A>(
  schema: Schema.Codec<A, unknown>,
  credentials: (options: { readonly signal: AbortSignal }) => Promise<unknown>
): Effect.Effect<A, unknown> => {
  const decode = Schema.decodeUnknownEffect(schema)
  return Effect.tryPromise({ try: (signal) => credentials({ signal }), catch: identity }).pipe(
    Effect.flatMap((given) => Effect.mapError(decode(given), () => ({ _tag: "NotCredentials" })))
  )
}

const managementOptions = (options: ValidOptions): ManagementOptions | undefined => {
  if (options.management === undefined) return undefined
  const { baseUrl, credentials, dialect, keyId, keySecret } = options.management
  const rest = { ...connectionOptions(options), baseUrl, dialect: dialect && dialects[dialect] }
  if (credentials !== undefined) return { ...rest, credentials: fetchCredentials(apiKeyCredentials, credentials) }
  // `validateOptions` rejects options that have neither.
  return keyId === undefined || keySecret === undefined ? undefined : { ...rest, keyId, keySecret }
}

const observabilityOptions = (options: ValidOptions): ObservabilityOptions | undefined => {
  if (options.observability === undefined) return undefined
  const { baseUrl, credentials, token } = options.observability
  const rest = { ...connectionOptions(options), baseUrl }
  if (credentials !== undefined) return { ...rest, credentials: fetchCredentials(bearerToken, credentials) }
  return token === undefined ? undefined : { ...rest, token }
}

const httpClient = (options: ValidOptions): Layer.Layer<HttpClient.HttpClient> =>
  FetchHttpClient.layer.pipe(
    Layer.provide(
      Layer.succeed(
        FetchHttpClient.Fetch,
        // Read for each request, so that a test may replace the global fetch later.
        options.fetch ?? ((input, init) => globalThis.fetch(input, init))
      )
    )
  )

const neverSends = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make(() => Effect.die("unreachable: building a connection sends nothing"))
)

// The adapter validates its options when its connection is built. A defect is thrown.
const issuesOf = <A>(connection: Layer.Layer<A, InvalidRequest, HttpClient.HttpClient>): ReadonlyArray<FieldIssue> => {
  const built = Effect.as(Effect.scoped(Layer.build(Layer.provide(connection, neverSends))), [])
  return Effect.runSync(Effect.catchTag(built, "InvalidRequest", ({ issues }) => Effect.succeed(issues)))
}

// An option of one API is named with it: `management.baseUrl`. An option of both APIs is reported once.
const qualified = (api: "management" | "observability", options: ValidOptions, issues: ReadonlyArray<FieldIssue>) =>
  issues.map(({ message, path }) => ({
    path: Predicate.hasProperty(options[api], path) ? `${api}.${path}` : path,
    message
  }))

/**
 * A connection to each API that the options name. Opens nothing. Throws `InvalidRequestError` for an option that the adapter
 * rejects.
 */
export const httpLayers = (options: ValidOptions) => {
  const management = managementOptions(options)
  const observability = observabilityOptions(options)
  const connections = {
    management: management && ManagementConnection.layer(management),
    observability: observability && ObservabilityConnection.layer(observability)
  }
  const issues = [
    ...(connections.management ? qualified("management", options, issuesOf(connections.management)) : []),
    ...(connections.observability ? qualified("observability", options, issuesOf(connections.observability)) : [])
  ]
  if (issues.length > 0) throw invalidOptions(Array.from(new Map(issues.map((issue) => [issue.path, issue])).values()))
  const client = httpClient(options)
  return {
    management: connections.management && Layer.provide(connections.management, client),
    observability: connections.observability && Layer.provide(connections.observability, client)
  }
}
