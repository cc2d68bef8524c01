import { Organization, OrganizationId, Whoami } from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { noParams, noPayload, type Operation } from "../Operation.ts"

const organizationParams = Schema.Struct({ organizationId: OrganizationId })

/**
 * The operations on organizations: the same in every dialect. Contract: docs/wire-contract.md#organizations-and-whoami.
 *
 * @example
 * ```ts
 * import { neutral, organizationOperations } from "@headgate/http-contract"
 *
 * const { method, path } = organizationOperations(neutral).list
 * console.log(method, path) // GET /v1/organizations
 * ```
 */
export const organizationOperations = (_dialect: Dialect) =>
  ({
    list: {
      api: "management",
      method: "GET",
      path: "/v1/organizations",
      permission: "organization:read",
      params: noParams,
      payload: noPayload,
      success: Schema.Array(Organization),
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "List the organization of the key"
    } satisfies Operation<{}, undefined, ReadonlyArray<Organization>>,
    get: {
      api: "management",
      method: "GET",
      path: "/v1/organizations/:organizationId",
      permission: "organization:read",
      params: organizationParams,
      payload: noPayload,
      success: Organization,
      notFound: "OrganizationNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Read an organization"
    } satisfies Operation<typeof organizationParams.Type, undefined, Organization, "OrganizationNotFound">,
    whoami: {
      api: "management",
      method: "GET",
      path: "/v1/whoami",
      permission: "organization:read",
      params: noParams,
      payload: noPayload,
      success: Whoami,
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Read who the caller is"
    } satisfies Operation<{}, undefined, Whoami>
  }) as const
