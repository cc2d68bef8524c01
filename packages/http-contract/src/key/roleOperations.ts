import { Role, RoleAddress, RoleCreate, RoleUpdate } from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { noContent, noPayload, type Operation } from "../Operation.ts"
import { organizationParams, type OrganizationParams } from "./keyOperations.ts"

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
      summary: "List the roles of an organization"
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
      canValidateOnly: true,
      stability: "beta",
      summary: "Create a custom role"
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
      summary: "Read a role"
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
      summary: "Change a custom role"
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
      summary: "Delete a custom role"
    } satisfies Operation<RoleAddress, undefined, void, "RoleNotFound">
  }) as const
