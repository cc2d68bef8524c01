import {
  Alerts,
  ApiKeys,
  Conflict,
  Connections,
  FailedDependency,
  Dashboards,
  DashboardSources,
  InvalidRequest,
  Pipes,
  type PortError,
  PreconditionFailed,
  CdcScaling,
  ReversePrivateEndpoints,
  Roles,
  SavedSearches,
  ServerError,
  ServiceDashboards,
  Services,
  TimeoutError,
  UnexpectedResponse,
  Webhooks
} from "@headgate/core"
import {
  OrganizationConnections,
  OrganizationDashboards,
  OrganizationDocuments,
  OrganizationSources,
  invalidRequest,
  notFound
} from "@headgate/core/adapter"
import { HttpAdapter, IdempotencyKey } from "@headgate/http-adapter"
import { type Dialect, dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
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

/** Whether an ID of an address is more than one segment of a path, or none, for whatever stands before the upstream and decodes it. */
const isUnsafe = (address: unknown): boolean =>
  Predicate.isObject(address) &&
  Object.values(address).some((id) => Predicate.isString(id) && /[/\\]|^\.{0,2}$/u.test(id))

// Their first argument is a request, or an address of UUIDs.
const withoutId: ReadonlySet<string> = new Set(["create", "validate"])

const unsafeId = invalidRequest([{ path: "id", message: 'Expected neither "/" nor "\\", and not "." or ".."' }])

/**
 * A port whose methods are those of the upstream's, each with its failures as the gateway's caller sees them. Some IDs are
 * any text.
 */
const behindGateway = <Port extends object>(upstream: Port): Port => {
  const methods = Object.entries(upstream).map(([name, method]) => [
    name,
    (...args: ReadonlyArray<unknown>) =>
      !withoutId.has(name) && isUnsafe(args[0])
        ? Effect.fail(unsafeId)
        : Effect.catch(withKeyOfCaller(method(...args)), failAsGateway)
  ])
  // The same names with the same arguments, and errors that stay within `PortError`.
  return Object.fromEntries(methods) as Port
}

// Organizations are the gateway's own: its keys belong to them.
const management = (ownKeyId: Effect.Effect<string>) =>
  Layer.mergeAll(
    Layer.effect(CdcScaling, Effect.map(CdcScaling, behindGateway)),
    Layer.effect(ReversePrivateEndpoints, Effect.map(ReversePrivateEndpoints, behindGateway)),
    Layer.effect(Services, Effect.map(Services, behindGateway)),
    Layer.effect(Pipes, Effect.map(Pipes, behindGateway)),
    Layer.effect(
      ApiKeys,
      Effect.map(ApiKeys, (upstream) => refuseOwnKey(behindGateway(upstream), ownKeyId))
    ),
    Layer.effect(
      ServiceDashboards,
      Effect.map(ServiceDashboards, (upstream) => ({ of: (address) => behindGateway(upstream.of(address)) }))
    ),
    Layer.effect(Roles, Effect.map(Roles, behindGateway))
  )

// The organization of every caller is the upstream's: `Authorization` refuses any other.
const observability = Layer.mergeAll(
  Layer.effect(
    OrganizationDashboards,
    Effect.map(Dashboards, (upstream) => ({ of: () => behindGateway(upstream) }))
  ),
  Layer.effect(
    OrganizationConnections,
    Effect.map(Connections, (upstream) => ({ of: () => behindGateway(upstream) }))
  ),
  Layer.effect(
    OrganizationSources,
    Effect.map(DashboardSources, (upstream) => ({ of: () => behindGateway(upstream) }))
  ),
  Layer.effect(
    OrganizationDocuments,
    Effect.gen(function* () {
      const savedSearches = behindGateway(yield* SavedSearches)
      const webhooks = behindGateway(yield* Webhooks)
      const alerts = behindGateway(yield* Alerts)
      return { of: () => ({ savedSearches, webhooks, alerts }) }
    })
  )
)

const noUpstream = () =>
  Effect.fail(
    new ServerError({
      message:
        "this gateway was started without a bearer token for its upstream: pass --upstream-token, or " +
        '"token" in the file of --upstream-credentials'
    })
  )

const noDocuments = {
  create: noUpstream,
  list: noUpstream,
  get: noUpstream,
  update: noUpstream,
  delete: noUpstream
}

const noDashboards = Layer.mergeAll(
  Layer.succeed(OrganizationDashboards, { of: () => ({ ...noDocuments, validate: noUpstream }) }),
  Layer.succeed(OrganizationConnections, { of: () => noDocuments }),
  Layer.succeed(OrganizationSources, { of: () => noDocuments }),
  Layer.succeed(OrganizationDocuments, {
    of: () => ({ savedSearches: noDocuments, webhooks: noDocuments, alerts: noDocuments })
  })
)

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
      onNone: () => noDashboards,
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
    return Layer.mergeAll(pipesAndKeys, dashboards, keyRetention).pipe(Layer.provide(noticingRetention(retentions)))
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
