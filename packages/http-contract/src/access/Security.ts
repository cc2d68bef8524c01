import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import type { CurrentPrincipal } from "./CurrentPrincipal.ts"

const describe = (description: string) => Context.make(OpenApi.Description, description)

/**
 * HTTP Basic with the key ID and key secret of an API key: the management API. Contract: section 5. A server provides
 * the layer that verifies them; missing or malformed credentials reach it as empty strings.
 *
 * @example
 * ```ts
 * import { Authenticator } from "@headgate/core/access"
 * import { CurrentPrincipal, ManagementSecurity } from "@headgate/http-contract"
 * import * as Effect from "effect/Effect"
 * import * as HttpServerResponse from "effect/http/HttpServerResponse"
 * import * as Layer from "effect/Layer"
 *
 * // The least: who signs in is who calls. A server also looks at the endpoint's `RequiredPermission`.
 * export const layer = Layer.effect(
 *   ManagementSecurity,
 *   Effect.map(Authenticator, (authenticator) => ({
 *     basic: (handler, { credential }) =>
 *       authenticator
 *         .authenticate(
 *           { _tag: "KeyCredentials", keyId: credential.username, keySecret: credential.password },
 *           undefined
 *         )
 *         .pipe(
 *           Effect.matchEffect({
 *             onFailure: ({ _tag }) =>
 *               Effect.succeed(HttpServerResponse.empty({ status: _tag === "Forbidden" ? 403 : 401 })),
 *             onSuccess: (principal) => Effect.provideService(handler, CurrentPrincipal, principal)
 *           })
 *         )
 *   }))
 * )
 * ```
 */
export class ManagementSecurity extends HttpApiMiddleware.Service<ManagementSecurity, { provides: CurrentPrincipal }>()(
  "@headgate/http-contract/access/ManagementSecurity",
  {
    security: {
      basic: HttpApiSecurity.basic.pipe(
        HttpApiSecurity.annotateMerge(describe("The key ID as user name, the key secret as password."))
      )
    }
  }
) {}

/**
 * A bearer token: the observability API. Contract: section 5. A server provides its layer as {@link
 * ManagementSecurity}'s.
 *
 * @example
 * ```ts
 * import type { Principal } from "@headgate/core/access"
 * import { CurrentPrincipal, ObservabilitySecurity } from "@headgate/http-contract"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // For a test of handlers: every token is this caller's.
 * export const layerAs = (principal: Principal) =>
 *   Layer.succeed(ObservabilitySecurity, {
 *     bearer: (handler) => Effect.provideService(handler, CurrentPrincipal, principal)
 *   })
 * ```
 */
export class ObservabilitySecurity extends HttpApiMiddleware.Service<
  ObservabilitySecurity,
  { provides: CurrentPrincipal }
>()("@headgate/http-contract/access/ObservabilitySecurity", {
  security: {
    bearer: HttpApiSecurity.bearer.pipe(HttpApiSecurity.annotateMerge(describe("A token that the server minted.")))
  }
}) {}
