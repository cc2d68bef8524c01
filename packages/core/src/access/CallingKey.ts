import * as Context from "effect/Context"
import type { ApiKeyId } from "../id/key.ts"

/**
 * The API key that a call is made with; `undefined` if it is made with none, as an operator's command is. A server provides
 * it. Stores read it: a key cannot disable or delete itself, or take the role `admin` from itself.
 *
 * @example
 * ```ts
 * import { type ApiKeyAddress, type ApiKeyId, ApiKeys } from "@headgate/core"
 * import { CallingKey } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // Deletes a key for a caller. It is a `Conflict` if the caller's own key is the one to delete.
 * export const deleteFor = (caller: ApiKeyId, address: ApiKeyAddress) =>
 *   ApiKeys.use((keys) => keys.delete(address)).pipe(Effect.provideService(CallingKey, caller))
 * ```
 */
export const CallingKey = Context.Reference<ApiKeyId | undefined>("@headgate/core/access/CallingKey", {
  defaultValue: () => undefined
})
