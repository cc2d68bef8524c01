import { CreatedApiKey } from "@headgate/core/key"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { RequiredPermission } from "../access/RequiredPermission.ts"
import { ManagementSecurity } from "../access/Security.ts"
import { managementEnvelope } from "../Envelope.ts"
import { managementCreateErrors } from "../ErrorBody.ts"
import { keyOperations } from "./keyOperations.ts"

const { create } = keyOperations

/**
 * The operation on API keys, `create`: the same in every dialect. Contract: section 4.2.
 *
 * @example
 * ```ts
 * import { keyGroup } from "@headgate/http-contract"
 *
 * const { method, path } = keyGroup.endpoints.create
 * console.log(method, path) // POST /v1/organizations/:organizationId/keys
 * ```
 */
export const keyGroup = HttpApiGroup.make("key")
  .add(
    HttpApiEndpoint.post("create", create.path, {
      params: create.params,
      payload: create.payload,
      success: managementEnvelope(CreatedApiKey),
      error: managementCreateErrors
    })
      .annotate(RequiredPermission, create.permission)
      .annotateMerge(OpenApi.annotations({ summary: "Create an API key" }))
  )
  .middleware(ManagementSecurity)
  .annotateMerge(OpenApi.annotations({ title: "Keys", description: "The API keys of an organization." }))
