import type { Permission } from "@headgate/core/access"
import * as Context from "effect/Context"

/**
 * What an operation needs its caller to be allowed: an annotation that every endpoint of the contract carries and that
 * the server enforces in one place, so that no operation can be added without saying who may call it.
 */
export class RequiredPermission extends Context.Service<RequiredPermission, Permission>()(
  "@headgate/http-contract/access/RequiredPermission"
) {}
