import type * as Core from "@headgate/core"
import type { Addressed, OrganizationAddress } from "../addresses.ts"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Plain } from "../Plain.ts"

/** A role of an organization, system or custom. Times are RFC 3339 strings. */
export type Role = Plain<Core.Role>

/** The address of a role: two UUIDs. */
export type RoleAddress = Addressed<Core.RoleAddress>

/** A request to create a custom role: the organization (a UUID), a name, actors and policies. */
export type RoleCreate = Addressed<{ readonly organizationId: Core.OrganizationId } & Core.RoleCreate>

/** The address of a custom role and its changes: an absent field is unchanged, a list replaces the whole list. */
export type RoleUpdate = Addressed<Core.RoleAddress & Core.RoleUpdate>

/** The roles of the management API. `get`, `update` and `delete` reject with `RoleNotFoundError` if there is no such role. */
export interface RolesClient {
  /** Lists all roles: the system roles, and the organization's custom roles. */
  readonly list: (request?: OrganizationAddress, options?: CallOptions) => List<Role>
  /** Reads a role. */
  readonly get: (request: RoleAddress, options?: CallOptions) => CallPromise<Role>
  /** Creates a custom role. Rejects with `ConflictError` if the organization is at a limit. */
  readonly create: (request: RoleCreate, options?: CallOptions) => CallPromise<Role>
  /** Changes a custom role. Rejects with `ConflictError` for a system role. */
  readonly update: (request: RoleUpdate, options?: CallOptions) => CallPromise<Role>
  /** Deletes a custom role. Rejects with `ConflictError` for a system role, and while a key has the role. */
  readonly delete: (request: RoleAddress, options?: CallOptions) => CallPromise<void>
}
