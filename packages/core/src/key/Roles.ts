import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrganizationId } from "../id/organization.ts"
import type { CallError } from "../error/CallError.ts"
import type { RoleNotFound } from "../error/NotFound.ts"
import type { Role } from "./Role.ts"
import type { RoleCreate, RoleUpdate } from "./RoleCreate.ts"
import type { RoleAddress } from "../id/role.ts"

/**
 * The port to the roles of an organization: the three system roles, which cannot be changed, and its custom roles, which
 * are stored and grant nothing.
 *
 * @example
 * ```ts
 * import { ApiKeys, type OrganizationId, Roles } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // Makes a role and a key that has it.
 * export const createAuditor = Effect.fn("createAuditor")(function* (organizationId: OrganizationId) {
 *   const roles = yield* Roles
 *   const keys = yield* ApiKeys
 *   const { id } = yield* roles.create({ organizationId }, { name: "auditor", actors: [], policies: [] })
 *   return yield* keys.create({ organizationId }, { name: "audit", assignedRoleIds: [id] })
 * })
 * ```
 */
export class Roles extends Context.Service<
  Roles,
  {
    /** All roles: the system roles, and the organization's custom roles. */
    readonly list: (address: {
      readonly organizationId: OrganizationId
    }) => Effect.Effect<ReadonlyArray<Role>, CallError>
    /** Reads a role. Fails with `RoleNotFound`. */
    readonly get: (address: RoleAddress) => Effect.Effect<Role, RoleNotFound | CallError>
    /**
     * Creates a custom role. Fails with `InvalidRequest` for a bad field, and with `Conflict` if the organization is at a
     * limit.
     */
    readonly create: (
      address: { readonly organizationId: OrganizationId },
      request: RoleCreate
    ) => Effect.Effect<Role, CallError>
    /**
     * Changes a custom role. Fails with `RoleNotFound`, with `InvalidRequest` for a bad field, with `Conflict` for a system
     * role, and with `PreconditionFailed` if the role does not have the version of `IfMatch`.
     */
    readonly update: (address: RoleAddress, changes: RoleUpdate) => Effect.Effect<Role, RoleNotFound | CallError>
    /**
     * Deletes a custom role. Fails with `RoleNotFound`, with `Conflict` for a system role and while a key has it, and with
     * `PreconditionFailed` as `update` does.
     */
    readonly delete: (address: RoleAddress) => Effect.Effect<void, RoleNotFound | CallError>
  }
>()("@headgate/core/key/Roles") {}
