import type { Permission } from "@headgate/core/access"
import * as Context from "effect/Context"

/**
 * What an operation needs its caller to be allowed: an annotation that every endpoint of the contract carries and that
 * the server enforces in one place, so that no operation can be added without saying who may call it.
 *
 * @example
 * ```ts
 * import { mayDo, type Principal } from "@headgate/core/access"
 * import { RequiredPermission } from "@headgate/http-contract"
 * import * as Context from "effect/Context"
 * import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
 * import * as Option from "effect/Option"
 *
 * // In the middleware of a server: an endpoint that names no permission is nobody's.
 * export const mayCall = (principal: Principal, { annotations }: HttpApiEndpoint.Top): boolean =>
 *   Option.exists(Context.getOption(annotations, RequiredPermission), (permission) => mayDo(principal, permission))
 * ```
 */
export class RequiredPermission extends Context.Service<RequiredPermission, Permission>()(
  "@headgate/http-contract/access/RequiredPermission"
) {}
