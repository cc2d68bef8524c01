import type { FieldIssue, InvalidRequest } from "@headgate/core"
import type { ManagementOptions, ObservabilityOptions } from "@headgate/http-adapter"
import {
  type Connection,
  connectManagement,
  connectObservability,
  fetchTransport,
  type ManagementApi
} from "@headgate/http-adapter/ports"
import { dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { adapterPolicy, invalidOptions } from "./CallOptions.ts"
import { observerOf } from "./observerOf.ts"
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

const managementOptions = (
  options: ValidOptions,
  { baseUrl, credentials, dialect, keyId, keySecret }: NonNullable<ValidOptions["management"]>
): ManagementOptions | undefined => {
  const rest = { ...connectionOptions(options), baseUrl, dialect: dialect && dialects[dialect] }
  if (credentials !== undefined) return { ...rest, credentials: fetchCredentials(apiKeyCredentials, credentials) }
  // `validateOptions` rejects options that have neither.
  return keyId === undefined || keySecret === undefined ? undefined : { ...rest, keyId, keySecret }
}

const observabilityOptions = (
  options: ValidOptions,
  { baseUrl, credentials, token }: NonNullable<ValidOptions["observability"]>
): ObservabilityOptions | undefined => {
  const rest = { ...connectionOptions(options), baseUrl }
  if (credentials !== undefined) return { ...rest, credentials: fetchCredentials(bearerToken, credentials) }
  return token === undefined ? undefined : { ...rest, token }
}

const partsOf = (options: ValidOptions) => ({
  transport: fetchTransport(options.fetch),
  observer: observerOf(options)
})

/** A connection to an API, or what is wrong with its options. Nothing is sent. */
export type Connecting<Connection> = Result.Result<Connection, ReadonlyArray<FieldIssue>>

// An option of one API is named with it: `management.baseUrl`.
const qualified = (api: "management" | "observability", options: ValidOptions, issues: ReadonlyArray<FieldIssue>) =>
  issues.map(({ message, path }) => ({
    path: Predicate.hasProperty(options[api], path) ? `${api}.${path}` : path,
    message
  }))

// The adapter validates its options when it connects. A defect is thrown.
const connect = <Connection>(
  api: "management" | "observability",
  options: ValidOptions,
  connecting: Effect.Effect<Connection, InvalidRequest>
): Connecting<Connection> =>
  Result.mapError(Effect.runSync(Effect.result(connecting)), ({ issues }) => qualified(api, options, issues))

/** Connects to the management API, if the options name it. */
export const openManagement = (options: ValidOptions): Connecting<ManagementApi> | undefined => {
  const given = options.management && managementOptions(options, options.management)
  return given && connect("management", options, connectManagement(given, partsOf(options)))
}

/** Connects to the observability API, if the options name it. */
export const openObservability = (options: ValidOptions): Connecting<Connection> | undefined => {
  const given = options.observability && observabilityOptions(options, options.observability)
  return given && connect("observability", options, connectObservability(given, partsOf(options)))
}

/** Throws `InvalidRequestError` for every option that the adapter rejects. An option of both APIs is reported once. */
export const throwIssues = (...connecting: ReadonlyArray<Connecting<unknown> | undefined>): void => {
  const issues = connecting.flatMap((result) =>
    result !== undefined && Result.isFailure(result) ? result.failure : []
  )
  if (issues.length > 0) throw invalidOptions(Array.from(new Map(issues.map((issue) => [issue.path, issue])).values()))
}
