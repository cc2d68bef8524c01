import { ApiKeyCreate, CreatedApiKey, OrganizationId } from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import type { Operation } from "../Operation.ts"

const organizationParams = Schema.Struct({ organizationId: OrganizationId })

/**
 * The operations on API keys: the same in every dialect. Contract: section 4.2.
 *
 * @example
 * ```ts
 * import { keyOperations, neutral } from "@headgate/http-contract"
 *
 * const { method, path } = keyOperations(neutral).create
 * console.log(method, path) // POST /v1/organizations/:organizationId/keys
 * ```
 */
export const keyOperations = (_dialect: Dialect) =>
  ({
    create: {
      api: "management",
      method: "POST",
      path: "/v1/organizations/:organizationId/keys",
      permission: "key:create",
      params: organizationParams,
      payload: ApiKeyCreate,
      success: CreatedApiKey,
      errors: ["CONFLICT"],
      isRepeatable: false,
      stability: "stable",
      summary: "Create an API key"
    } satisfies Operation<typeof organizationParams.Type, ApiKeyCreate, CreatedApiKey>
  }) as const
