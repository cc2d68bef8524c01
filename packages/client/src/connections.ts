import type { FieldIssue, InvalidRequest } from "@headgate/core/error"
import {
  ManagementConnection,
  type ManagementOptions,
  ObservabilityConnection,
  type ObservabilityOptions
} from "@headgate/http-adapter"
import { dialects } from "@headgate/http-contract"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { adapterManners } from "./CallOptions.ts"
import type { CheckedOptions } from "./checkedOptions.ts"

const shared = (options: CheckedOptions) => ({
  ...adapterManners(options),
  userAgent: options.userAgent,
  allowInsecureHttp: options.allowInsecureHttp
})

/** The adapter's options for the management API, if it is wanted: what an adapter can do is passed on here. */
export const managementOptions = (options: CheckedOptions): ManagementOptions | undefined => {
  const { management } = options
  if (management === undefined) return undefined
  const { dialect, ...rest } = management
  return { ...shared(options), ...rest, dialect: dialect && dialects[dialect] }
}

/** The adapter's options for the observability API, if it is wanted. */
export const observabilityOptions = (options: CheckedOptions): ObservabilityOptions | undefined =>
  options.observability && { ...shared(options), ...options.observability }

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
  const exit = Effect.runSyncExit(Effect.scoped(Layer.build(Layer.provide(connection, nobody))))
  return Exit.isFailure(exit) ? exit.cause.reasons.filter(Cause.isFailReason).flatMap(({ error }) => error.issues) : []
}

const under = (api: string, issues: ReadonlyArray<FieldIssue>): ReadonlyArray<FieldIssue> =>
  issues.map(({ message, path }) => ({ path: path === "userAgent" ? path : `${api}.${path}`, message }))

/** What the adapter finds wrong with options, before anything is opened. */
export const connectionFaults = (options: CheckedOptions): ReadonlyArray<FieldIssue> => {
  const management = managementOptions(options)
  const observability = observabilityOptions(options)
  const faults = [
    ...(management ? under("management", faultsOf(ManagementConnection.layer(management))) : []),
    ...(observability ? under("observability", faultsOf(ObservabilityConnection.layer(observability))) : [])
  ]
  // What both share is found twice.
  return Array.from(new Map(faults.map((fault) => [fault.path, fault])).values())
}
