import {
  CurrentPrincipal,
  ManagementSecurity,
  ObservabilitySecurity,
  RequiredPermission
} from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { unhandled } from "effect/Types"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { withShallowBody } from "../http/requestBody.ts"
import { Guard, type Presented, presentedKey, presentedToken } from "./Guard.ts"

const makeGuarded = Effect.map(
  Guard,
  ({ admit, turnAway }) =>
    (
      httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, unhandled, CurrentPrincipal>,
      presented: Presented,
      endpoint: HttpApiEndpoint.Top
    ) =>
      Effect.flatMap(Effect.all([HttpRouter.params, HttpServerRequest]), ([{ organizationId }, request]) =>
        Effect.matchEffect(
          admit(request, presented, {
            organizationId,
            permission: Context.getOption(endpoint.annotations, RequiredPermission)
          }),
          {
            onFailure: turnAway,
            onSuccess: ({ headers, principal }) =>
              Effect.map(Effect.provideService(withShallowBody(httpEffect), CurrentPrincipal, principal), (answer) =>
                headers === undefined ? answer : HttpServerResponse.setHeaders(answer, headers)
              )
          }
        )
      )
)

/**
 * Who may enter: both security schemes of the contract over the `Authenticator` port, and what the caller's roles
 * allow, for every operation, before a path, a query or a body is looked at. Contract: section 5.
 */
export const layer = Layer.merge(
  Layer.effect(
    ManagementSecurity,
    Effect.map(makeGuarded, (guarded) => ({
      basic: (httpEffect, { credential, endpoint }) =>
        guarded(httpEffect, presentedKey(credential.username, credential.password), endpoint)
    }))
  ),
  Layer.effect(
    ObservabilitySecurity,
    Effect.map(makeGuarded, (guarded) => ({
      bearer: (httpEffect, { credential, endpoint }) => guarded(httpEffect, presentedToken(credential), endpoint)
    }))
  )
)
