import { Forbidden, OrganizationId, type Unauthorized } from "@headgate/core"
import {
  Authenticator,
  type Credentials,
  isAuthorized,
  type Permission,
  type Principal,
  TokenGrant
} from "@headgate/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { bearerChallenge, type HttpProblem, portProblem } from "../http/HttpProblem.ts"
import { CurrentRequest } from "../http/RequestLog.ts"
import type { Authorize } from "../http/operationRoutes.ts"
import { nodeHeaders } from "../http/requestUrl.ts"
import { presentedCredentials } from "./Credentials.ts"
import { requireOwnPage, ServerNames } from "./ownPage.ts"
import { RequestLimits, type TooManyRequests } from "./RequestLimits.ts"

/** What a caller must be to call an operation. */
interface AccessRequirement {
  readonly permission: Permission
  /** The organization in the path, if there is one. */
  readonly organizationId: string | undefined
}

const isOrganizationId = Schema.is(OrganizationId)

const forbidden = (message: string) => Option.some(new Forbidden({ message }))

const isGrant = Schema.is(TokenGrant)

const missingPermission = (principal: Principal, permission: Permission): string => {
  if (principal._tag === "KeyPrincipal" && principal.isSession && permission === "console:open") {
    return "a session of the console makes no sessions and no codes: use the API key itself"
  }
  if (principal._tag === "KeyPrincipal" && principal.hasCustomRoles && principal.roles.length === 0) {
    return "the key has only custom roles, which grant nothing on this server: assign admin, developer or query_endpoints"
  }
  return principal._tag === "TokenPrincipal" && isGrant(permission)
    ? `the token is older than the permission ${permission}: the operator grants it with \`headgate-server token grant\``
    : "the credentials do not allow this operation"
}

/** Why a principal may not do something. */
const denial = (
  principal: Principal,
  { organizationId, permission }: AccessRequirement,
  onlyOrganization: OrganizationId | undefined
): Option.Option<Forbidden> => {
  // A path without an organization, or with a malformed id (a 400 that names it, later), belongs to no other one.
  if (organizationId !== principal.organizationId && isOrganizationId(organizationId)) {
    return forbidden("the credentials are not of this organization")
  }
  if (!isAuthorized(principal, permission)) return forbidden(missingPermission(principal, permission))
  return onlyOrganization === undefined || principal.organizationId === onlyOrganization
    ? Option.none()
    : forbidden("the organization of these credentials is not behind this gateway")
}

/** The problem of a session as its page gets it: a challenge for Basic would open the browser's own password box. */
export const problemOfSession = (problem: HttpProblem): HttpProblem =>
  problem.code === "UNAUTHORIZED" ? { ...problem, headers: { ...problem.headers, ...bearerChallenge } } : problem

/** The problem of a caller who is not let in. */
export const accessProblem = (error: Unauthorized | Forbidden | TooManyRequests): HttpProblem =>
  error._tag === "TooManyRequests"
    ? { code: "TOO_MANY_REQUESTS", message: error.message, headers: error.headers }
    : portProblem(error)

/** Counts an attempt with wrong credentials as a failed login. `keyId` is empty if they are not those of a key. */
export const countFailure =
  (limits: RequestLimits["Service"], request: HttpServerRequest, keyId: string) =>
  <A>(
    attempt: Effect.Effect<A, Unauthorized | Forbidden>
  ): Effect.Effect<A, Unauthorized | Forbidden | TooManyRequests> =>
    Effect.tapError(attempt, ({ _tag }) =>
      _tag === "Unauthorized"
        ? // Callers whose address is unknown share their windows.
          limits.afterFailedLogin(
            Option.getOrElse(request.remoteAddress, () => "unknown"),
            keyId
          )
        : Effect.void
    )

/**
 * Whether callers may do what they ask for: the one place where that is decided. Contract:
 * docs/wire-contract.md#access.
 */
export class Authorization extends Context.Service<
  Authorization,
  {
    /** Fails with the problem to answer. Credentials come first, then rate limits, then permissions. */
    readonly authorize: Authorize
  }
>()("headgate-server/access/Authorization") {
  /** `onlyOrganization`: the organization that a gateway's upstream credentials belong to. */
  static readonly layer = (onlyOrganization: Option.Option<OrganizationId> = Option.none()) =>
    Layer.effect(
      Authorization,
      Effect.gen(function* () {
        const authenticator = yield* Authenticator
        const limits = yield* RequestLimits
        const names = yield* ServerNames
        const organization = Option.getOrUndefined(onlyOrganization)

        const admitted = (principal: Principal, { organizationId, permission }: AccessRequirement) =>
          Effect.flatMapEager(limits.countRequest(principal), (headers) => {
            const denied = denial(principal, { organizationId, permission }, organization)
            return Option.isNone(denied) ? Effect.succeed({ principal, headers }) : Effect.fail(denied.value)
          })

        // Every request passes here: without a generator, as `authenticate`.
        const authorized = (request: HttpServerRequest, credentials: Credentials, requirement: AccessRequirement) => {
          const address = Option.getOrUndefined(request.remoteAddress)
          const keyId = credentials._tag === "KeyCredentials" ? credentials.keyId : ""
          const authenticated = countFailure(limits, request, keyId)(authenticator.authenticate(credentials, address))
          return Effect.flatMap(authenticated, (principal) =>
            Effect.contextWith((context: Context.Context<never>) => {
              const current = Context.get(context, CurrentRequest)
              if (keyId !== "") MutableRef.set(current.keyIdSuffix, keyId.slice(-4))
              else if (principal._tag === "KeyPrincipal") {
                MutableRef.set(current.keyIdSuffix, principal.keySuffix)
                MutableRef.set(current.isSession, true)
              }
              return admitted(principal, requirement)
            })
          )
        }

        return Authorization.of({
          authorize: (request, { api, permission }, organizationId) => {
            const credentials = presentedCredentials(api, nodeHeaders(request).authorization)
            if (credentials._tag === "Unauthorized") return Effect.fail(portProblem(credentials))
            const authorizing = Effect.mapError(
              authorized(request, credentials, { organizationId, permission }),
              accessProblem
            )
            if (credentials._tag !== "SessionCredentials") return authorizing
            const problem = requireOwnPage(request, names)
            return problem === undefined ? Effect.mapError(authorizing, problemOfSession) : Effect.fail(problem)
          }
        })
      })
    )
}
