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
 * export const createCiKey = Effect.fn("createCiKey")(function* (organizationId: OrganizationId) {
 *   const keys = yield* ApiKeys
 *   const { key, keyId, keySecret } = yield* keys.create(organizationId, { name: "ci", roles: ["developer"] })
 *   yield* Effect.logInfo(`created ${key.name}, whose key ID ends in ${key.keySuffix}`)
 *   return { keyId, keySecret } // store them now: they cannot be read again
 * })
 * ```
 */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Creates a key. Only this result holds its credentials; it does not if the request has `hashData`. Fails with
     * `InvalidRequest` for a bad field, and with `Conflict` if the organization is at a limit or the key ID exists.
     */
    readonly create: (organizationId: OrganizationId, request: ApiKeyCreate) => Effect.Effect<CreatedApiKey, CallError>
  }
>()("@headgate/core/key/ApiKeys") {}
