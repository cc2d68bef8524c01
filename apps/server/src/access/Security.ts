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
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { unhandled } from "effect/Types"
import { withShallowBody } from "../http/BodyDepth.ts"
import { CurrentExchange } from "../http/CurrentExchange.ts"
import { errorResponse, refuse } from "../http/errorResponse.ts"
import { RequestLimits } from "./RequestLimits.ts"

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

type Presented = Credentials | Unauthorized

const makeGuard = Effect.gen(function* () {
  const authenticator = yield* Authenticator
  const limits = yield* RequestLimits

  const login = Effect.fnUntraced(function* (presented: Presented) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const address = Option.getOrUndefined(request.remoteAddress)
    if (presented._tag === "Unauthorized") return yield* presented
    // Callers whose address cannot be told share one window.
    yield* limits.beforeLogin(address ?? "unknown")
    const principal = yield* authenticator
      .authenticate(presented, address)
      .pipe(Effect.tapErrorTag("Unauthorized", () => limits.afterFailedLogin(address ?? "unknown")))
    if (presented._tag === "KeyCredentials") {
      MutableRef.set((yield* CurrentExchange).keyIdSuffix, presented.keyId.slice(-4))
    }
    return principal
  })

  const admit = Effect.fnUntraced(function* (presented: Presented, endpoint: HttpApiEndpoint.Top) {
    const principal = yield* login(presented)
    const headers = yield* limits.countRequest(principal)
    yield* authorize(principal, endpoint)
    return { principal, headers }
  })

  return (
    httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, unhandled, CurrentPrincipal>,
    presented: Presented,
    endpoint: HttpApiEndpoint.Top
  ) =>
    Effect.matchEffect(admit(presented, endpoint), {
      onFailure: (failure) =>
        failure._tag === "TooManyRequests"
          ? refuse({ code: "TOO_MANY_REQUESTS", message: failure.message, headers: failure.headers })
          : errorResponse(failure),
      onSuccess: ({ headers, principal }) =>
        Effect.map(Effect.provideService(withShallowBody(httpEffect), CurrentPrincipal, principal), (answer) =>
          headers === undefined ? answer : HttpServerResponse.setHeaders(answer, headers)
        )
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
