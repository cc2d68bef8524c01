import { Role, RoleAddress, RoleCreate, RoleUpdate } from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { noContent, noPayload, type Operation } from "../Operation.ts"
import { organizationParams, type OrganizationParams } from "./keyOperations.ts"

const id = "1f0a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b"
const owner = "organization/1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21"

const payloadExample = {
  name: "auditor",
  actors: [],
  policies: [{ allowDeny: "ALLOW", permissions: ["control-plane:organization:view"], resources: ["instance/*"] }]
}

const roleExample = {
  id,
  tenantId: owner,
  ownerId: owner,
  ...payloadExample,
  type: "custom",
  policies: [
    { id: "2a3b4c5d-6e7f-4081-92a3-b4c5d6e7f809", roleId: id, tenantId: owner, ...payloadExample.policies[0] }
  ],
  createdAt: "2026-11-21T11:42:56.422Z",
  updatedAt: "2026-11-21T11:42:56.422Z"
}

const collection = "/v1/organizations/:organizationId/roles"
const path = `${collection}/:roleId` as const

/**
 * The operations on roles: the same in every dialect. The contract does not show them: they are decided.
 *
 * @example
 * ```ts
 * import { neutral, roleOperations } from "@headgate/http-contract"
 *
 * const { method, path } = roleOperations(neutral).update
 * console.log(method, path) // PATCH /v1/organizations/:organizationId/roles/:roleId
 * ```
 */
export const roleOperations = (_dialect: Dialect) =>
  ({
    list: {
      api: "management",
      method: "GET",
      path: collection,
      permission: "role:read",
      params: organizationParams,
      payload: noPayload,
      success: Schema.Array(Role),
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "List the roles of an organization",
      example: { success: [roleExample] }
    } satisfies Operation<OrganizationParams, undefined, ReadonlyArray<Role>>,
    create: {
      api: "management",
      method: "POST",
      path: collection,
      permission: "role:write",
      params: organizationParams,
      payload: RoleCreate,
      success: Role,
      errors: ["CONFLICT"],
      isRepeatable: false,
      stability: "beta",
      summary: "Create a custom role",
      example: { payload: payloadExample, success: roleExample }
    } satisfies Operation<OrganizationParams, RoleCreate, Role>,
    get: {
      api: "management",
      method: "GET",
      path,
      permission: "role:read",
      params: RoleAddress,
      payload: noPayload,
      success: Role,
      notFound: "RoleNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Read a role",
      example: { success: roleExample }
    } satisfies Operation<RoleAddress, undefined, Role, "RoleNotFound">,
    update: {
      api: "management",
      method: "PATCH",
      path,
      permission: "role:write",
      params: RoleAddress,
      payload: RoleUpdate,
      success: Role,
      notFound: "RoleNotFound",
      errors: ["CONFLICT"],
      isRepeatable: true,
      stability: "beta",
      summary: "Change a custom role",
      example: { payload: { name: "auditor" }, success: roleExample }
    } satisfies Operation<RoleAddress, RoleUpdate, Role, "RoleNotFound">,
    delete: {
      api: "management",
      method: "DELETE",
      path,
      permission: "role:write",
      params: RoleAddress,
      payload: noPayload,
      success: noContent,
      notFound: "RoleNotFound",
      errors: ["CONFLICT"],
      isRepeatable: true,
      stability: "beta",
      summary: "Delete a custom role",
      example: {}
    } satisfies Operation<RoleAddress, undefined, void, "RoleNotFound">
  }) as const
