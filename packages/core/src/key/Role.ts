import * as Schema from "effect/Schema"
import { withVersion } from "../access/Version.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { roleTypes } from "./ApiKey.ts"
import { RoleId, SystemRole } from "../id/role.ts"

const texts = (description: string) => nullish(Schema.Array(Schema.String), description)

/** What a policy says beside its permissions. */
const RolePolicyTags = looseStruct({
  grants: texts("The database grants, such as names of databases."),
  roleV2: nullish(knownString(["sql-console-readonly", "sql-console-admin"]), "The role in the SQL console.")
}).pipe(withIdentifier("RolePolicyTags", "What a policy says beside its permissions."))

/** A policy of a custom role: permissions on resources that it allows or denies. It has no effect on this server. */
export const RolePolicy = looseStruct({
  id: nullish(Schema.String.annotate({ format: "uuid" }), "The id of the policy, a UUID."),
  roleId: nullish(Schema.String.annotate({ format: "uuid" }), "The id of the role that has the policy, a UUID."),
  tenantId: nullish(Schema.String, "The organization, as `organization/<id>`."),
  allowDeny: nullish(knownString(["ALLOW", "DENY"]), "Whether the policy allows or denies."),
  permissions: texts("The permissions, such as `control-plane:organization:view`."),
  resources: texts("The resources that the policy applies to, such as `instance/*`."),
  tags: nullish(RolePolicyTags, "What the policy says beside its permissions.")
}).pipe(withIdentifier("RolePolicy", "A policy of a custom role. It is stored, and has no effect on this server."))
export type RolePolicy = typeof RolePolicy.Type

/**
 * A role of an organization: one of the three system roles, or a custom role. `id` and `name` are required; any other
 * field may be absent or `null`. A custom role is stored and answered; it grants nothing.
 *
 * @example
 * ```ts
 * import { Role } from "@headgate/core"
 * import * as Schema from "effect/Schema"
 *
 * const role = Schema.decodeUnknownSync(Role)({ id: "701e0000-0000-4000-8000-000000000001", name: "admin", type: "system" })
 * console.log(role.name, role.type) // admin system
 * ```
 */
export const Role = looseStruct({
  id: RoleId,
  name: Schema.String.annotate({ description: "The name of the role." }),
  type: nullish(knownString(roleTypes), "Whether the role is a system or a custom role."),
  tenantId: nullish(Schema.String, "The organization, as `organization/<id>`."),
  ownerId: nullish(Schema.String, "The owner of the role, as `organization/<id>`."),
  actors: texts("Who has the role, such as `user/<id>`, as it was sent."),
  policies: nullish(Schema.Array(RolePolicy), "The policies of the role."),
  createdAt: nullish(Timestamp, "The time at which the role was created."),
  updatedAt: nullish(Timestamp, "The time of the last change.")
}).pipe(withIdentifier("Role", "A role of an organization, system or custom. A custom role grants nothing here."))
export type Role = typeof Role.Type

/**
 * The ids of the system roles: the same in every organization and on every server.
 *
 * @example
 * ```ts
 * import { systemRoleIds } from "@headgate/core"
 *
 * console.log(systemRoleIds.developer) // 701e0000-0000-4000-8000-000000000002
 * ```
 */
export const systemRoleIds: { readonly [Name in SystemRole]: RoleId } = {
  admin: RoleId.make("701e0000-0000-4000-8000-000000000001"),
  developer: RoleId.make("701e0000-0000-4000-8000-000000000002"),
  query_endpoints: RoleId.make("701e0000-0000-4000-8000-000000000003")
}

/** The system roles. They come first in every list of roles. Nobody can change them, so they keep their first version. */
export const systemRoles: ReadonlyArray<Role & { readonly name: SystemRole }> = SystemRole.literals.map((name) =>
  withVersion({ id: systemRoleIds[name], name, type: "system" as const }, 1)
)
