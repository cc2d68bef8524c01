import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrganizationId } from "../access/OrganizationId.ts"
import type { CallError } from "../error/CallError.ts"
import type { ApiKeyCreate } from "./ApiKeyCreate.ts"
import type { CreatedApiKey } from "./CreatedApiKey.ts"

/**
 * The port to the API keys of an organization. Contract: section 4.2.
 *
 * @example
 * ```ts
 * const created = Effect.gen(function* () {
 *   const keys = yield* ApiKeys
 *   return yield* keys.create(organizationId, { name: "ci", roles: ["developer"] })
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
