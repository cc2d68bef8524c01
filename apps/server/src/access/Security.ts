import { Authenticator, type Credentials, mayDo, OrganizationId, type Principal } from "@headgate/core/access"
import { Forbidden, Unauthorized } from "@headgate/core/error"
import {
  CurrentPrincipal,
  ManagementSecurity,
  ObservabilitySecurity,
  RequiredPermission
} from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { unhandled } from "effect/Types"
import { errorResponse } from "../http/errorResponse.ts"

const isOrganizationId = Schema.is(OrganizationId)

// A path that names no organization, or one that is no UUID (refused later, by name), is nobody else's.
const isForeign = (principal: Principal, organizationId: string | undefined): boolean =>
  isOrganizationId(organizationId) && organizationId !== principal.organizationId

const authorize = Effect.fnUntraced(function* (principal: Principal, endpoint: HttpApiEndpoint.Top) {
  const { organizationId } = yield* HttpRouter.params
  if (isForeign(principal, organizationId)) {
    return yield* new Forbidden({ message: "the credentials are not of this organization" })
  }
  const permission = Context.getOption(endpoint.annotations, RequiredPermission)
  if (Option.isNone(permission) || !mayDo(principal, permission.value)) {
    return yield* new Forbidden({ message: "the credentials do not allow this operation" })
  }
})

const missing = (scheme: string) => new Unauthorized({ message: `the Authorization header must carry ${scheme}` })

const managementCredentials = (username: string, password: Redacted.Redacted): Credentials | Unauthorized =>
  username === ""
    ? missing("HTTP Basic credentials: a key ID and its secret")
    : { _tag: "KeyCredentials", keyId: username, keySecret: password }

const observabilityCredentials = (token: Redacted.Redacted): Credentials | Unauthorized =>
  Redacted.value(token) === "" ? missing("a Bearer token") : { _tag: "TokenCredentials", token }

const makeGuard = Effect.map(Authenticator, (authenticator) => {
  const admit = Effect.fnUntraced(function* (credentials: Credentials | Unauthorized, endpoint: HttpApiEndpoint.Top) {
    if (credentials._tag === "Unauthorized") return yield* credentials
    const request = yield* HttpServerRequest.HttpServerRequest
    const principal = yield* authenticator.authenticate(credentials, Option.getOrUndefined(request.remoteAddress))
    yield* authorize(principal, endpoint)
    return principal
  })
  return (
    httpEffect: Effect.Effect<HttpServerResponse, unhandled, CurrentPrincipal>,
    credentials: Credentials | Unauthorized,
    endpoint: HttpApiEndpoint.Top
  ) =>
    Effect.matchEffect(admit(credentials, endpoint), {
      onFailure: errorResponse,
      onSuccess: (principal) => Effect.provideService(httpEffect, CurrentPrincipal, principal)
    })
})

/**
 * Who may enter: both security schemes of the contract over the `Authenticator` port, and what the caller's roles
 * allow, for every operation, before a path, a query or a body is looked at. Contract: section 5.
 */
export const layer = Layer.merge(
  Layer.effect(
    ManagementSecurity,
    Effect.map(makeGuard, (guard) => ({
      basic: (httpEffect, { credential, endpoint }) =>
        guard(httpEffect, managementCredentials(credential.username, credential.password), endpoint)
    }))
  ),
  Layer.effect(
    ObservabilitySecurity,
    Effect.map(makeGuard, (guard) => ({
      bearer: (httpEffect, { credential, endpoint }) =>
        guard(httpEffect, observabilityCredentials(credential), endpoint)
    }))
  )
)
