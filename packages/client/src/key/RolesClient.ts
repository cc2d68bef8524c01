import * as Core from "@headgate/core"
import { looseStruct } from "@headgate/core/adapter"
import { OrganizationAddress } from "../addresses.ts"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"
import { promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"

/** A role of an organization, system or custom. Times are RFC 3339 strings. */
export type Role = Plain<Core.Role>

/** The address of a role: two UUIDs. */
export type RoleAddress = Input<Core.RoleAddress>

/** The schema of {@link RoleCreate}. */
export const RoleCreate = looseStruct({ organizationId: Core.OrganizationId, ...Core.RoleCreate.schema.fields })

/** A request to create a custom role: the organization (a UUID), a name, actors and policies. */
export type RoleCreate = Input<typeof RoleCreate.Type>

/** The schema of {@link RoleUpdate}. */
export const RoleUpdate = looseStruct({ ...Core.RoleAddress.fields, ...Core.RoleUpdate.schema.fields })

/** The address of a custom role and its changes: an absent field is unchanged, a list replaces the whole list. */
export type RoleUpdate = Input<typeof RoleUpdate.Type>

/** The roles of the management API. `get`, `update` and `delete` reject with `RoleNotFoundError` if there is no such role. */
export interface RolesClient {
  /** Lists all roles: the system roles, and the organization's custom roles. */
  readonly list: (request: OrganizationAddress, options?: CallOptions) => List<Role>
  /** Reads a role. */
  readonly get: (request: RoleAddress, options?: CallOptions) => CallPromise<Role>
  /** Creates a custom role. Rejects with `ConflictError` if the organization is at a limit. */
  readonly create: (request: RoleCreate, options?: CallOptions) => CallPromise<Role>
  /** Changes a custom role. Rejects with `ConflictError` for a system role. */
  readonly update: (request: RoleUpdate, options?: CallOptions) => CallPromise<Role>
  /** Deletes a custom role. Rejects with `ConflictError` for a system role, and while a key has the role. */
  readonly delete: (request: RoleAddress, options?: CallOptions) => CallPromise<void>
}

/** The methods of roles, over the adapter that runs the calls. */
export const rolesClient = (run: Run<Core.Roles>): RolesClient => {
  const { list, method } = promiseMethods(run, Core.Roles)
  return {
    list: list(OrganizationAddress, (roles, { organizationId }) => roles.list({ organizationId })),
    get: method(Core.RoleAddress, (roles, address) => roles.get(address)),
    create: method(RoleCreate, (roles, { organizationId, ...request }) => roles.create({ organizationId }, request)),
    update: method(RoleUpdate, (roles, { organizationId, roleId, ...changes }) =>
      roles.update({ organizationId, roleId }, changes)
    ),
    delete: method(Core.RoleAddress, (roles, address) => roles.delete(address))
  }
}
