import * as Schema from "effect/Schema"
import { refuseUnknownFields } from "../error/knownFields.ts"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"
import { ApiKeyCreate } from "./ApiKeyCreate.ts"

const texts = (most: number, description: string) =>
  Schema.Array(Schema.String.check(Schema.isMaxCodePoints(1024, { message: "Expected at most 1024 characters" })))
    .annotate({ description })
    .check(Schema.isMaxLength(most, { message: `Expected at most ${most} values` }))

const PolicyTagsCreate = looseStruct({
  grants: Schema.optionalKey(texts(500, "The database grants: at most 500.")),
  roleV2: Schema.optionalKey(Schema.Literals(["sql-console-readonly", "sql-console-admin"])).annotate({
    description: "The role in the SQL console."
  })
}).pipe(refuseUnknownFields, withIdentifier("RolePolicyTagsCreate", "What a policy says beside its permissions."))

/** A policy of a custom role in a request. */
const RolePolicyCreate = looseStruct({
  allowDeny: Schema.Literals(["ALLOW", "DENY"]).annotate({ description: "Whether the policy allows or denies." }),
  permissions: texts(500, "The permissions, such as `control-plane:organization:view`: at most 500."),
  resources: texts(500, "The resources that the policy applies to, such as `instance/*`: at most 500."),
  tags: Schema.optionalKey(PolicyTagsCreate).annotateKey({
    description: "What the policy says beside its permissions."
  })
}).pipe(refuseUnknownFields, withIdentifier("RolePolicyCreate", "A policy of a custom role."))

const name = ApiKeyCreate.schema.fields.name.annotate({
  description: "The name of the role: 1 to 255 characters, not only blanks."
})

const actors = texts(500, "Who has the role, such as `user/<id>`: at most 500. It assigns the role to no key.")

const policies = Schema.Array(RolePolicyCreate)
  .annotate({ description: "The policies of the role: at most 100." })
  .check(Schema.isMaxLength(100, { message: "Expected at most 100 policies" }))

/**
 * The request for a custom role. All fields are required; a field that is not named here is an error. A key gets the role by
 * its `assignedRoleIds`.
 *
 * @example
 * ```ts
 * import type { RoleCreate } from "@headgate/core"
 *
 * export const auditor: RoleCreate = {
 *   name: "auditor",
 *   actors: [],
 *   policies: [{ allowDeny: "ALLOW", permissions: ["control-plane:organization:view"], resources: ["instance/*"] }]
 * }
 * ```
 */
export const RoleCreate = looseStruct({ name, actors, policies }).pipe(
  refuseUnknownFields,
  withIdentifier("RoleCreate", "The request for a custom role. A field that is not named here is an error.")
)
export type RoleCreate = typeof RoleCreate.Type

/** The changes to a custom role: an absent field is unchanged, a list replaces the whole list. */
export const RoleUpdate = looseStruct({
  name: Schema.optionalKey(name),
  actors: Schema.optionalKey(actors),
  policies: Schema.optionalKey(policies)
}).pipe(
  refuseUnknownFields,
  withIdentifier("RoleUpdate", "The changes to a custom role: an absent field is unchanged, a list replaces the list.")
)
export type RoleUpdate = typeof RoleUpdate.Type
