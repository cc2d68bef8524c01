import type { OrganizationId } from "@headgate/core/access"
import { Dashboards, OrganizationDashboards } from "@headgate/core/dashboard"
import { Forbidden, type InvalidRequest, ServerFault } from "@headgate/core/error"
import { ApiKeys } from "@headgate/core/key"
import { Pipes } from "@headgate/core/pipe"
import { HttpAdapter } from "@headgate/http-adapter"
import { type Dialect, dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { UsageError } from "../startup/UsageError.ts"
import { type UpstreamCredentials, upstreamCredentials } from "./upstreamCredentials.ts"
import { upstreamFailure, upstreamPipeFailure } from "./upstreamFailure.ts"
import { upstreamDeadline, type UpstreamOptions } from "./UpstreamOptions.ts"

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
    new ServerFault({ message: "no dashboards are behind this gateway: it was started without an upstream token" })
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
