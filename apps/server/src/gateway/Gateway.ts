import {
  ApiKeys,
  type CallError,
  Conflict,
  Dashboards,
  Forbidden,
  InvalidRequest,
  type OrganizationId,
  PipeNotFound,
  Pipes,
  ServerError,
  TimeoutError,
  UnexpectedResponse
} from "@headgate/core"
import { OrganizationDashboards } from "@headgate/core/adapter"
import { HttpAdapter } from "@headgate/http-adapter"
import { type Dialect, dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { UsageError } from "../StartupError.ts"
import { upstreamDeadline, type UpstreamOptions } from "./gatewayFlags.ts"
import { type UpstreamCredentials, upstreamCredentials } from "./upstreamCredentials.ts"

/** What the upstream said, and the id under which whoever runs it finds the request. */
const words = ({ message, requestId }: CallError | PipeNotFound): string =>
  requestId === undefined ? `upstream: ${message}` : `upstream: ${message} (upstream request ${requestId})`

const unavailable = (message: string, { retryAfter }: Pick<ServerError, "retryAfter">) =>
  new ServerError({ message, ...(retryAfter === undefined ? {} : { retryAfter }) })

const serverFault = (fault: ServerError): CallError => {
  const message = words(fault)
  if (fault.status === 503) return unavailable(message, fault)
  return fault.status === 504 ? new TimeoutError({ message }) : new UnexpectedResponse({ message })
}

/**
 * What a failure behind the gateway is to a caller in front of it. What the caller asked for wrongly stays what it is.
 * What has to do with the gateway's own credentials, quota or connection is a failure of the gateway: a caller who was
 * let in must not be told to look after credentials that are good.
 */
const inFront = (error: CallError): CallError => {
  const message = words(error)
  switch (error._tag) {
    case "InvalidRequest":
      return new InvalidRequest({ message, issues: error.issues })
    case "Conflict":
      return new Conflict({ message })
    case "Unauthorized":
    case "Forbidden":
      return new UnexpectedResponse({ message: `the credentials of this gateway are refused; ${message}` })
    case "RateLimited":
      return unavailable(`the quota of this gateway is used up; ${message}`, error)
    case "ServerError":
      return serverFault(error)
    case "TimeoutError":
      return new TimeoutError({ message })
    case "ConnectionError":
    case "UnexpectedResponse":
      return new UnexpectedResponse({ message })
  }
}

const isCallersOwn = ({ _tag }: CallError): boolean => _tag === "InvalidRequest" || _tag === "Conflict"

/** A failure behind the gateway, as its callers see it. The log has what was no fault of theirs. */
export const upstreamFailure = (error: CallError): Effect.Effect<never, CallError> => {
  const failure = inFront(error)
  return isCallersOwn(failure)
    ? Effect.fail(failure)
    : Effect.andThen(Effect.logWarning(failure.message), Effect.fail(failure))
}

/** The same for an operation on a pipe: one that the upstream does not have is nobody's fault. */
export const upstreamPipeFailure = (error: CallError | PipeNotFound): Effect.Effect<never, CallError | PipeNotFound> =>
  error._tag === "PipeNotFound"
    ? Effect.fail(new PipeNotFound({ message: words(error), address: error.address }))
    : upstreamFailure(error)

/** The upstream credentials are one organization's: nobody else's keys may use them, whatever they may do at home. */
const only = (upstream: OrganizationId) => (organizationId: OrganizationId) =>
  organizationId === upstream
    ? Effect.void
    : Effect.fail(new Forbidden({ message: "the organization of these credentials is not behind this gateway" }))

const management = (organization: OrganizationId) => {
  const belongs = only(organization)
  const pipes = Layer.effect(
    Pipes,
    Effect.map(Pipes, (upstream) =>
      Pipes.of({
        get: (address) =>
          Effect.andThen(belongs(address.organizationId), Effect.catch(upstream.get(address), upstreamPipeFailure)),
        delete: (address) =>
          Effect.andThen(belongs(address.organizationId), Effect.catch(upstream.delete(address), upstreamPipeFailure))
      })
    )
  )
  const keys = Layer.effect(
    ApiKeys,
    Effect.map(ApiKeys, (upstream) =>
      ApiKeys.of({
        create: (organizationId, request) =>
          Effect.andThen(
            belongs(organizationId),
            Effect.catch(upstream.create(organizationId, request), upstreamFailure)
          )
      })
    )
  )
  return Layer.merge(keys, pipes)
}

const observability = (organization: OrganizationId) =>
  Layer.effect(
    OrganizationDashboards,
    Effect.map(Dashboards, (upstream) =>
      OrganizationDashboards.of({
        of: (organizationId) => {
          const belongs = only(organization)(organizationId)
          return {
            create: (dashboard) => Effect.andThen(belongs, Effect.catch(upstream.create(dashboard), upstreamFailure)),
            list: Effect.andThen(belongs, Effect.catch(upstream.list, upstreamFailure))
          }
        }
      })
    )
  )

const noDashboards = Layer.sync(OrganizationDashboards, () => {
  const absent = Effect.fail(
    new ServerError({ message: "no dashboards are behind this gateway: it was started without an upstream token" })
  )
  return OrganizationDashboards.of({ of: () => ({ create: () => absent, list: absent }) })
})

/** What cannot be reached as it was asked for; the option's name is the adapter's, the flag's is ours. */
const refused = (flag: string) => (error: InvalidRequest) =>
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
    const organization = options.upstreamOrganization.value
    const manners = {
      allowInsecureHttp: options.upstreamInsecureHttp,
      deadline: upstreamDeadline(options)
    }
    const { key, token } = credentials
    const dialect = Option.match(options.upstreamDialect, {
      onNone: () => ownDialect,
      onSome: (name) => dialects[name]
    })
    const pipesAndKeys = management(organization).pipe(
      Layer.provide(HttpAdapter.layerManagement({ ...manners, baseUrl: url, dialect, ...key })),
      Layer.catch(refused("--upstream"))
    )
    const dashboards = Option.match(token, {
      onNone: () => noDashboards,
      onSome: (token) => {
        const baseUrl = Option.getOrElse(options.upstreamObservability, () => url)
        return observability(organization).pipe(
          Layer.provide(HttpAdapter.layerObservability({ ...manners, baseUrl, ...token })),
          Layer.catch(refused("--upstream-observability"))
        )
      }
    })
    return Layer.merge(pipesAndKeys, dashboards).pipe(Layer.provide(FetchHttpClient.layer))
  })

/**
 * The ports of a gateway: pipes, keys and dashboards of the API at `url`, behind the credentials of the gateway alone.
 * Fails with `UsageError` when it cannot be reached as it was asked for, with `StartupError` when the file of its
 * credentials is of no use.
 */
export const layer = (options: UpstreamOptions, url: string, ownDialect: Dialect) =>
  Layer.unwrap(
    Effect.flatMap(upstreamCredentials(options), (credentials) => adapter(options, credentials, url, ownDialect))
  )
