import { ApiKeyCreate, CreatedApiKey, OrganizationId } from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import type { Operation } from "../Operation.ts"

const payloadExample = {
  name: "ci",
  roles: ["developer"],
  expireAt: "2027-01-01T00:00:00Z",
  ipAccessList: [{ source: "192.0.2.0/24", description: "office" }]
}

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
      summary: "Create an API key",
      example: {
        payload: payloadExample,
        success: {
          key: {
            id: "d11a82d4-6d05-4721-8f0b-b0eb24aba6f3",
            ...payloadExample,
            state: "enabled",
            keySuffix: "5cNy",
            createdAt: "2026-11-21T11:42:56.422Z"
          },
          keyId: "HsszkxHYv3sBhYQL5cNy",
          keySecret: "hgs_<40 characters>"
        }
      }
    } satisfies Operation<typeof organizationParams.Type, ApiKeyCreate, CreatedApiKey>
  }) as const
