import * as Schema from "effect/Schema"
import { Uuid } from "../schema/fieldSchemas.ts"
import { OrganizationId } from "./organization.ts"

/** The id of a role, a UUID. */
export const RoleId = Uuid.pipe(Schema.brand("RoleId")).annotate({ description: "The id of the role, a UUID." })
export type RoleId = typeof RoleId.Type

/** The address of a role: the path parameters of the operations on one role. */
export const RoleAddress = Schema.Struct({ organizationId: OrganizationId, roleId: RoleId })
export type RoleAddress = typeof RoleAddress.Type

/**
 * A role that every organization has, a closed set. `isPermitted` shows the permissions of each. A role that an
 * organization makes itself is a custom role. Contract: docs/wire-contract.md#fields-of-an-api-key.
 */
export const SystemRole = Schema.Literals(["admin", "developer", "query_endpoints"])
export type SystemRole = typeof SystemRole.Type
