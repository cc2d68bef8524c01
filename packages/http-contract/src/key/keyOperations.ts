import { ApiKey, ApiKeyAddress, ApiKeyCreate, ApiKeyUpdate, CreatedApiKey, OrganizationId } from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { noContent, noPayload, type Operation } from "../Operation.ts"

/** The parameters of the operations on all keys or roles of an organization. */
export const organizationParams = Schema.Struct({ organizationId: OrganizationId })
export type OrganizationParams = typeof organizationParams.Type

const collection = "/v1/organizations/:organizationId/keys"
const path = `${collection}/:keyId` as const

/**
 * The operations on API keys: the same in every dialect. Contract: docs/wire-contract.md#create-an-api-key (create);
 * the others are decided.
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
    list: {
      api: "management",
      method: "GET",
      path: collection,
      permission: "key:read",
      params: organizationParams,
      payload: noPayload,
      success: Schema.Array(ApiKey),
      hasCursor: true,
      errors: [],
      isRepeatable: true,
      stability: "stable",
      summary: "List the API keys of an organization"
    } satisfies Operation<OrganizationParams, undefined, ReadonlyArray<ApiKey>>,
    create: {
      api: "management",
      method: "POST",
      path: collection,
      permission: "key:create",
      params: organizationParams,
      payload: ApiKeyCreate,
      success: CreatedApiKey,
      errors: ["CONFLICT"],
      isRepeatable: false,
      canValidateOnly: true,
      stability: "stable",
      summary: "Create an API key"
    } satisfies Operation<OrganizationParams, ApiKeyCreate, CreatedApiKey>,
    get: {
      api: "management",
      method: "GET",
      path,
      permission: "key:read",
      params: ApiKeyAddress,
      payload: noPayload,
      success: ApiKey,
      notFound: "KeyNotFound",
      errors: [],
      isRepeatable: true,
      stability: "stable",
      summary: "Read an API key"
    } satisfies Operation<ApiKeyAddress, undefined, ApiKey, "KeyNotFound">,
    update: {
      api: "management",
      method: "PATCH",
      path,
      permission: "key:update",
      params: ApiKeyAddress,
      payload: ApiKeyUpdate,
      success: ApiKey,
      notFound: "KeyNotFound",
      errors: ["CONFLICT"],
      isRepeatable: true,
      stability: "stable",
      summary: "Change an API key"
    } satisfies Operation<ApiKeyAddress, ApiKeyUpdate, ApiKey, "KeyNotFound">,
    delete: {
      api: "management",
      method: "DELETE",
      path,
      permission: "key:delete",
      params: ApiKeyAddress,
      payload: noPayload,
      success: noContent,
      notFound: "KeyNotFound",
      errors: ["CONFLICT"],
      isRepeatable: true,
      stability: "stable",
      summary: "Delete an API key"
    } satisfies Operation<ApiKeyAddress, undefined, void, "KeyNotFound">
  }) as const
