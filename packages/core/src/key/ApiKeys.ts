import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrganizationId } from "../access/ids.ts"
import type { CallError } from "../error/CallError.ts"
import type { CreatedApiKey } from "./ApiKey.ts"
import type { ApiKeyCreate } from "./ApiKeyCreate.ts"

/**
 * The port to the API keys of an organization. Contract: section 4.2.
 *
 * @example
 * ```ts
 * import { ApiKeys, type OrganizationId } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * export const mint = Effect.fn("mint")(function* (organizationId: OrganizationId) {
 *   const keys = yield* ApiKeys
 *   const { key, keyId, keySecret } = yield* keys.create(organizationId, { name: "ci", roles: ["developer"] })
 *   yield* Effect.logInfo(`made ${key.name}, which ends in ${key.keySuffix}`)
 *   return { keyId, keySecret } // shown this once: keep them now
 * })
 * ```
 */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Creates a key. Its credentials are in the answer, this once, unless the request carried `hashData`. Fails with
     * `InvalidRequest` for a bad field and with `Conflict` at the organization's limit of 100 keys.
     */
    readonly create: (organizationId: OrganizationId, request: ApiKeyCreate) => Effect.Effect<CreatedApiKey, CallError>
  }
>()("@headgate/core/key/ApiKeys") {}
