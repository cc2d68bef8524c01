import { OrganizationId } from "@headgate/core/access"
import { ApiKeyCreate, CreatedApiKey } from "@headgate/core/key"
import * as Schema from "effect/Schema"
import { readResult } from "../Envelope.ts"
import type { Operation } from "../Operation.ts"

const params = Schema.Struct({ organizationId: OrganizationId })

/**
 * The operation on API keys, `create`, as plain data: the same in every dialect. Contract: section 4.2.
 *
 * @example
 * ```ts
 * import { keyOperations } from "@headgate/http-contract/key"
 *
 * const { method, path } = keyOperations.create
 * console.log(method, path) // POST /v1/organizations/:organizationId/keys
 * ```
 */
export const keyOperations = {
  create: {
    method: "POST",
    path: "/v1/organizations/:organizationId/keys",
    permission: "key:create",
    params,
    payload: ApiKeyCreate,
    read: readResult(CreatedApiKey)
  } satisfies Operation<typeof params.Type, ApiKeyCreate, CreatedApiKey>
}
