import { Forbidden, OrganizationId, Unauthorized } from "@headgate/core"
import { Authenticator, type Credentials, isAuthorized, type Permission, type Principal } from "@headgate/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { errorResponse, refuse } from "../http/HttpProblem.ts"
import { CurrentExchange } from "../http/RequestLog.ts"
import { RequestLimits, type TooManyRequests } from "./RequestLimits.ts"

/** What a caller shows, or why it cannot be looked at. */
export type Presented = Credentials | Unauthorized

const missing = (scheme: string) => new Unauthorized({ message: `the Authorization header must carry ${scheme}` })

/** What a caller of the management API shows. No user name: nothing was shown. */
export const presentedKey = (username: string, password: Redacted.Redacted): Presented =>
  username === ""
    ? missing("HTTP Basic credentials: a key ID and its secret")
    : { _tag: "KeyCredentials", keyId: username, keySecret: password }

/** What a caller of the observability API shows. */
export const presentedToken = (token: Redacted.Redacted): Presented =>
  Redacted.value(token) === "" ? missing("a Bearer token") : { _tag: "TokenCredentials", token }

/** What a caller wants to be let in for. */
export interface Errand {
  /** What the operation needs. None: nobody may do it. */
  readonly permission: Option.Option<Permission>
  /** The organization in the path, if there is one there. */
  readonly organizationId: string | undefined
}

/** A caller who was let in, and what they are told of their limits, if they have any. */
export interface Admitted {
  readonly principal: Principal
  readonly headers: Readonly<Record<string, string>> | undefined
}

type Refused = Unauthorized | Forbidden | TooManyRequests

const isOrganizationId = Schema.is(OrganizationId)

// A path that names no organization, or one that is no UUID (refused later, by name), is nobody else's.
const isForeign = (principal: Principal, organizationId: string | undefined): boolean =>
  organizationId !== principal.organizationId && isOrganizationId(organizationId)

const authorize = (principal: Principal, { organizationId, permission }: Errand): Forbidden | undefined => {
  if (isForeign(principal, organizationId)) {
    return new Forbidden({ message: "the credentials are not of this organization" })
  }
  return Option.isSome(permission) && isAuthorized(principal, permission.value)
    ? undefined
    : new Forbidden({ message: "the credentials do not allow this operation" })
}

/** Lets callers in, or not: the one place where that is decided. Contract: section 5. */
export class Guard extends Context.Service<
  Guard,
  {
    /** Fails with why a caller is not let in. The credentials come first, then the limits, then the rights. */
    readonly admit: (
      request: HttpServerRequest.HttpServerRequest,
      presented: Presented,
      errand: Errand
    ) => Effect.Effect<Admitted, Refused>
    /** Answers one who was not let in. */
    readonly turnAway: (
      refused: Refused
    ) => Effect.Effect<HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
  }
>()("headgate-server/access/Guard") {
  static readonly layer = Layer.effect(
    Guard,
    Effect.gen(function* () {
      const authenticator = yield* Authenticator
      const limits = yield* RequestLimits

      return Guard.of({
        admit: Effect.fnUntraced(function* (request, presented, errand) {
          if (presented._tag === "Unauthorized") return yield* presented
          // Callers whose address cannot be told share one window.
          const address = Option.getOrUndefined(request.remoteAddress)
          const window = address ?? "unknown"
          yield* limits.beforeLogin(window)
          const principal = yield* Effect.tapError(authenticator.authenticate(presented, address), ({ _tag }) =>
            _tag === "Unauthorized" ? limits.afterFailedLogin(window) : Effect.void
          )
          if (presented._tag === "KeyCredentials") {
            MutableRef.set((yield* CurrentExchange).keyIdSuffix, presented.keyId.slice(-4))
          }
          const headers = yield* limits.countRequest(principal)
          const forbidden = authorize(principal, errand)
          return forbidden === undefined ? { principal, headers } : yield* forbidden
        }),
        turnAway: (refused) =>
          refused._tag === "TooManyRequests"
            ? refuse({ code: "TOO_MANY_REQUESTS", message: refused.message, headers: refused.headers })
            : errorResponse(refused)
      })
    })
  )
}
