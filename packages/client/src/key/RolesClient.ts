import * as Core from "@headgate/core"
import { looseStruct } from "@headgate/core/adapter"
import type { Plain } from "../Plain.ts"
import { type PromiseClient, promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"
import { OrganizationInput } from "./KeysClient.ts"

/** A role of an organization, system or custom. Times are RFC 3339 strings. */
export type Role = Plain<Core.Role>

/**
 * The roles of the management API. `get`, `update` and `delete` reject with `RoleNotFoundError` if there is no such role,
 * `update` and `delete` with `ConflictError` for a system role, and `delete` while a key has the role.
 */
export interface RolesClient extends PromiseClient<Core.Roles["Service"]> {}

/** A request to create a custom role: the organization (a UUID), a name, actors and policies. */
export type RoleCreate = Parameters<RolesClient["create"]>[0]

/** The address of a custom role and its changes: an absent field is unchanged, a list replaces the whole list. */
export type RoleUpdate = Parameters<RolesClient["update"]>[0]

const RoleCreateInput = looseStruct({ organizationId: Core.OrganizationId, ...Core.RoleCreate.schema.fields })
const RoleUpdateInput = looseStruct({ ...Core.RoleAddress.fields, ...Core.RoleUpdate.schema.fields })

/** The methods of roles, over the adapter that runs the calls. */
export const rolesClient = (run: Run<Core.Roles>): RolesClient => {
  const { list, method } = promiseMethods(run, Core.Roles)
  return {
    list: list(OrganizationInput, (roles, { organizationId }) => roles.list(organizationId)),
    get: method(Core.RoleAddress, (roles, address) => roles.get(address)),
    create: method(RoleCreateInput, (roles, { organizationId, ...request }) => roles.create(organizationId, request)),
    update: method(RoleUpdateInput, (roles, { organizationId, roleId, ...changes }) =>
      roles.update({ organizationId, roleId }, changes)
    ),
    delete: method(Core.RoleAddress, (roles, address) => roles.delete(address))
  }
}
