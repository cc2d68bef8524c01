import type { Principal } from "@headgate/core/access"
import * as Context from "effect/Context"

/**
 * Who is calling: provided to a handler by the security middleware of its API.
 *
 * @example
 * ```ts
 * import { CurrentPrincipal } from "@headgate/http-contract"
 * import * as Effect from "effect/Effect"
 *
 * // In a handler: whose data is meant, from the credentials and not from the request.
 * export const organizationId = Effect.map(CurrentPrincipal, (principal) => principal.organizationId)
 * ```
 */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "@headgate/http-contract/access/CurrentPrincipal"
) {}
