import {
  Conflict,
  FailedDependency,
  Forbidden,
  InvalidRequest,
  type Organizations,
  type PortError,
  PreconditionFailed,
  ServerError,
  ServiceAddress,
  TimeoutError,
  UnexpectedResponse
} from "@headgate/core"
import {
  ConsoleSessions,
  documentKinds,
  type DocumentStores,
  OrganizationCharts,
  OrganizationConnections,
  OrganizationDashboards,
  OrganizationDocuments,
  OrganizationSources,
  invalidRequest,
  type ManagementPort,
  mapKinds,
  notFound,
  ports
} from "@headgate/core/adapter"
import { HttpAdapter, IdempotencyKey } from "@headgate/http-adapter"
import { type AnyOperation, type Dialect, dialects, neutral, operations, takesAddress } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Struct from "effect/Struct"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { UsageError } from "../StartupError.ts"
import { KeyRetention, RequestIdempotencyKey } from "../http/idempotency.ts"
import { isObservability } from "../http/requestUrl.ts"
import { upstreamDeadline, type UpstreamOptions } from "./gatewayFlags.ts"
import { refuseOwnKey } from "./refuseOwnKey.ts"
import { type UpstreamCredentials, upstreamCredentials } from "./upstreamCredentials.ts"

/** The upstream's message, with the request id under which its operator finds the request. */
const upstreamMessage = ({ message, requestId }: PortError): string =>
  requestId === undefined ? `upstream: ${message}` : `upstream: ${message} (upstream request ${requestId})`

/** How long the upstream asks to wait, if it does. */
const waitOf = ({ retryAfter }: Pick<ServerError, "retryAfter">) => (retryAfter === undefined ? {} : { retryAfter })

const unavailable = (message: string, error: Pick<ServerError, "retryAfter">) =>
  new ServerError({ message, ...waitOf(error) })

const serverError = (error: ServerError): PortError => {
  const message = upstreamMessage(error)
  if (error.status === 503) return unavailable(message, error)
  return error.status === 504 ? new TimeoutError({ message }) : new UnexpectedResponse({ message })
}

/**
 * An error of the upstream as the gateway's caller sees it. What the caller asked for wrongly stays what it is. What
 * concerns the gateway's own credentials, quota or connection is a failure of the gateway: the caller's credentials are
 * good, and the answer must not say otherwise.
 */
const callersError = (error: PortError): PortError => {
  const message = upstreamMessage(error)
  switch (error._tag) {
    case "InvalidRequest":
      return new InvalidRequest({
        message,
        issues: error.issues,
        ...(error.status === undefined ? {} : { status: error.status })
      })
    case "Conflict":
      return new Conflict({ message, ...waitOf(error) })
    case "PreconditionFailed":
      return new PreconditionFailed({ message })
    case "FailedDependency":
      return new FailedDependency({ message })
    case "Unauthorized":
    case "Forbidden":
      return new UnexpectedResponse({ message: `the credentials of this gateway are refused; ${message}` })
    case "RateLimited":
      return unavailable(`the quota of this gateway is used up; ${message}`, error)
    case "ServerError":
      return serverError(error)
    case "TimeoutError":
      return new TimeoutError({ message })
    case "ConnectionError":
    case "UnexpectedResponse":
      return new UnexpectedResponse({ message })
    default:
      return notFound(error._tag, "address" in error ? error.address : error, () => ({ message }))
  }
}

const gatewayFailures: ReadonlySet<PortError["_tag"]> = new Set(["ServerError", "TimeoutError", "UnexpectedResponse"])

/** Fails with the error as the gateway's caller sees it. A failure of the gateway or its upstream is logged. */
const failAsGateway = (upstreamError: PortError): Effect.Effect<never, PortError> => {
  const error = callersError(upstreamError)
  return gatewayFailures.has(error._tag)
    ? Effect.andThen(Effect.logWarning(error.message), Effect.fail(error))
    : Effect.fail(error)
}

/** Passes the `Idempotency-Key` of the caller to the upstream. */
const withKeyOfCaller = (call: Effect.Effect<unknown, PortError>): Effect.Effect<unknown, PortError> =>
  Effect.flatMap(RequestIdempotencyKey, (key) => Effect.provideService(call, IdempotencyKey, key))

/** The client, and what each origin last said of how long it keeps idempotency keys. */
const noticingRetention = (retentions: Map<string, string>) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(
      HttpClient.HttpClient,
      HttpClient.tap(({ headers, request }) =>
        Effect.sync(() => {
          const { origin } = new URL(request.url)
          const retention = headers["idempotency-key-retention"]
          if (retention === undefined) retentions.delete(origin)
          else retentions.set(origin, retention)
        })
      )
    )
  ).pipe(Layer.provide(FetchHttpClient.layer))

/** Whether an ID of an address is more than one segment of a path, or none, to a proxy that decodes the path. */
const isUnsafe = (address: unknown): boolean =>
  Predicate.isObject(address) &&
  Object.values(address).some((id) => Predicate.isString(id) && /[/\\]|^\.{0,2}$/u.test(id))

const unsafeId = invalidRequest([{ path: "id", message: 'Expected neither "/" nor "\\", and not "." or ".."' }])

type Table = { readonly [name: string]: AnyOperation }

/** A port whose methods are those of the upstream's, each with its failures as the gateway's caller sees them. */
const behindGateway = <Port extends object>(table: Table, upstream: Port, given?: object): Port => {
  const methods = Object.entries(upstream).map(([name, method]) => {
    const hasAddress = table[name] !== undefined && takesAddress(table[name], given)
    return [
      name,
      (...args: ReadonlyArray<unknown>) =>
        hasAddress && isUnsafe(args[0])
          ? Effect.fail(unsafeId)
          : Effect.catch(withKeyOfCaller(method(...args)), failAsGateway)
    ]
  })
  // The same names with the same arguments, and errors that stay within `PortError`.
  return Object.fromEntries(methods) as Port
}

/** A port that `BelowService` has made. */
interface PortBelowService {
  readonly of: (address: ServiceAddress) => object
}

const isBelowService = (port: object): port is PortBelowService => Predicate.hasProperty(port, "of")

const belowGateway = (table: Table, { of }: PortBelowService): PortBelowService => ({
  of: (address) => behindGateway(table, of(address), ServiceAddress.fields)
})

// The names of an upstream's dialect stand between the adapter and the upstream.
const tables = operations(neutral)

type Nouns<Ports> = { readonly [Noun in keyof Ports]: object } & { readonly [Noun in keyof typeof tables]?: unknown }

/** The ports of the upstream by noun, each as {@link behindGateway} makes it. */
const allBehindGateway = <Ports extends Nouns<Ports>>(upstream: Ports): Ports => {
  const tableOf: { readonly [noun: string]: Table } = tables
  const each = Object.entries<object>(upstream).map(([noun, port]) => {
    const table = tableOf[noun] ?? {}
    return [noun, isBelowService(port) ? belowGateway(table, port) : behindGateway(table, port)]
  })
  // The same nouns, each with the same port.
  return Object.fromEntries(each) as Ports
}

// Organizations are the gateway's own: its keys belong to them. A session of the upstream would be one of the gateway's key there, and
// would give its caller what the caller's own key may not do.
const { console: _console, organization: _own, ...managementPorts } = ports.management

type UpstreamPort = Exclude<ManagementPort, ConsoleSessions | Organizations>

const noConsole = () =>
  Effect.fail(new Forbidden({ message: "a gateway has no console: sign in at the server that it stands before" }))

const noSessions = Layer.succeed(ConsoleSessions, { createSession: noConsole, createCode: noConsole })

const management = (ownKeyId: Effect.Effect<string>) =>
  Layer.effectContext(
    Effect.map(Effect.all(managementPorts), (upstream) => {
      const made = allBehindGateway(upstream)
      const services = { ...made, key: refuseOwnKey(made.key, ownKeyId) }
      // `services` has the nouns of `managementPorts`: a port is missing from neither.
      return Context.makeUnsafe<UpstreamPort>(
        new Map(Struct.keys(managementPorts).map((noun) => [managementPorts[noun].key, services[noun]]))
      )
    })
  )

/** The ports of the observability API by noun. */
type Observability = {
  readonly [Noun in keyof typeof ports.observability]: (typeof ports.observability)[Noun]["Service"]
}

// The organization of every caller is the upstream's: `Authorization` refuses any other.
const ofEveryOrganization = ({ chart, connection, dashboard, source, ...others }: Observability) => {
  // A kind that the observability API does not have is reached through services alone, which are the upstream's, too.
  const upstream: { readonly [noun: string]: any } = others
  const documents = mapKinds<DocumentStores>(Struct.keys(documentKinds), (kind) => upstream[documentKinds[kind].noun])
  return Layer.mergeAll(
    Layer.succeed(OrganizationDashboards, { of: () => dashboard }),
    Layer.succeed(OrganizationConnections, { of: () => connection }),
    Layer.succeed(OrganizationSources, { of: () => source }),
    Layer.succeed(OrganizationCharts, { of: () => chart }),
    Layer.succeed(OrganizationDocuments, { of: () => documents })
  )
}

const observability = Layer.unwrap(
  Effect.map(Effect.all(ports.observability), (upstream) => ofEveryOrganization(allBehindGateway(upstream)))
)

const noUpstream = () =>
  Effect.fail(
    new ServerError({
      message:
        "this gateway was started without a bearer token for its upstream: pass --upstream-token, or " +
        '"token" in the file of --upstream-credentials'
    })
  )

const noObservability = ofEveryOrganization({
  dashboard: Record.map(tables.dashboard, () => noUpstream),
  connection: Record.map(tables.connection, () => noUpstream),
  source: Record.map(tables.source, () => noUpstream),
  savedSearch: Record.map(tables.savedSearch, () => noUpstream),
  webhook: Record.map(tables.webhook, () => noUpstream),
  alert: Record.map(tables.alert, () => noUpstream),
  chart: Record.map(tables.chart, () => noUpstream)
})

/** An option that the adapter refuses, in the words of the command line. */
const usageError = (flag: string) => (error: InvalidRequest) =>
  Layer.effectContext(
    new UsageError({
      message: `${flag}: ${error.message.replaceAll("allowInsecureHttp", "--upstream-insecure-http")}`
    })
  )

const adapter = (options: UpstreamOptions, credentials: UpstreamCredentials, url: string, ownDialect: Dialect) =>
  Effect.gen(function* () {
    if (Option.isNone(options.upstreamOrganization)) {
      return yield* new UsageError({
        message: "--upstream wants --upstream-organization: the organization that its credentials belong to"
      })
    }
    const requestPolicy = {
      allowInsecureHttp: options.upstreamInsecureHttp,
      deadline: upstreamDeadline(options),
      // The caller repeats what failed: retries on both sides would multiply.
      maxRetries: 0
    }
    const { key, ownKeyId, token } = credentials
    const dialect = Option.match(options.upstreamDialect, {
      onNone: () => ownDialect,
      onSome: (name) => dialects[name]
    })
    const pipesAndKeys = management(ownKeyId).pipe(
      Layer.provide(HttpAdapter.layerManagement({ ...requestPolicy, baseUrl: url, dialect, ...key })),
      Layer.catch(usageError("--upstream"))
    )
    const dashboards = Option.match(token, {
      onNone: () => noObservability,
      onSome: (token) => {
        const baseUrl = Option.getOrElse(options.upstreamObservability, () => url)
        return observability.pipe(
          Layer.provide(HttpAdapter.layerObservability({ ...requestPolicy, baseUrl, ...token })),
          Layer.catch(usageError("--upstream-observability"))
        )
      }
    })
    const retentions = new Map<string, string>()
    const observabilityUrl = Option.getOrElse(options.upstreamObservability, () => url)
    // A gateway keeps no answers: its header is that of the upstream, once an answer of it was seen.
    const keyRetention = Layer.succeed(KeyRetention, (path) =>
      retentions.get(new URL(isObservability(path) ? observabilityUrl : url).origin)
    )
    return Layer.mergeAll(pipesAndKeys, noSessions, dashboards, keyRetention).pipe(
      Layer.provide(noticingRetention(retentions))
    )
  })

/**
 * The ports of a gateway: pipes, keys and dashboards of the API at `url`, behind the credentials of the gateway alone.
 * Fails with `UsageError` when it cannot be reached as it was asked for, with `StartupError` when the file of its
 * credentials cannot be read or is incomplete.
 */
export const layer = (options: UpstreamOptions, url: string, ownDialect: Dialect) =>
  Layer.unwrap(
    Effect.flatMap(upstreamCredentials(options), (credentials) => adapter(options, credentials, url, ownDialect))
  )
