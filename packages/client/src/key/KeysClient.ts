import { ApiKeyCreate as CoreApiKeyCreate, ApiKeys, OrganizationId } from "@headgate/core"
import { looseStruct } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type { CallOptions } from "../CallOptions.ts"
import type { Run } from "../Runner.ts"
import { validateInput } from "../validateInput.ts"
import type { ApiKeyCreate, CreatedApiKey } from "./ApiKey.ts"

/** The API keys of the management API. */
export interface KeysClient {
  /**
   * Creates a key. Its credentials are in the answer, this once, unless the request carried `hashData`. Rejects with
   * `ConflictError` at the organization's limit of 100 keys.
   */
  create(request: ApiKeyCreate, options?: CallOptions): Promise<CreatedApiKey>
}

const checkRequest = validateInput(looseStruct({ organizationId: OrganizationId, ...CoreApiKeyCreate.schema.fields }))

/** The API keys, over whatever adapter runs the calls. */
export const keysClient = (run: Run<ApiKeys>): KeysClient => ({
  create: (request, options) =>
    run(
      Effect.flatMap(checkRequest(request), ({ organizationId, ...request }) =>
        ApiKeys.use((keys) => keys.create(organizationId, request))
      ),
      options
    )
})
