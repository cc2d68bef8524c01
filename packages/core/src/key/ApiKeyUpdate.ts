import * as Schema from "effect/Schema"
import { refuseUnknownFields } from "../error/knownFields.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { ApiKeyCreate, IpAccessListCreate } from "./ApiKeyCreate.ts"
import { ApiKeyState } from "./ApiKeyState.ts"
import { SystemRole } from "../id/role.ts"

const { assignedRoleIds, expireAt, name } = ApiKeyCreate.schema.fields

/**
 * The changes to an API key. An absent field is unchanged, a list replaces the whole list. With `expireAt` null or empty
 * the key never expires, with `ipAccessList` null any address may use it. A field that is not named here is an error, as in
 * {@link ApiKeyCreate}.
 *
 * @example
 * ```ts
 * import type { ApiKeyUpdate } from "@headgate/core"
 *
 * export const disable: ApiKeyUpdate = { state: "disabled" }
 * export const makeReader: ApiKeyUpdate = { roles: ["developer"], expireAt: null }
 * ```
 */
export const ApiKeyUpdate = looseStruct({
  name: Schema.optionalKey(name),
  state: Schema.optionalKey(ApiKeyState).annotate({ description: "The new state. A key cannot disable itself." }),
  expireAt,
  roles: Schema.optionalKey(
    Schema.Array(SystemRole)
      .annotate({ description: "The new system roles. An empty list takes all roles from the key." })
      .check(Schema.isMaxLength(20, { message: "Expected at most 20 roles" }))
  ),
  assignedRoleIds,
  ipAccessList: nullish(
    IpAccessListCreate,
    "The new list of addresses that may use the key. `null`: any address. An empty list: none."
  )
}).pipe(
  refuseUnknownFields,
  withIdentifier("ApiKeyUpdate", "The changes to an API key: an absent field is unchanged, a list replaces the list.")
)
export type ApiKeyUpdate = typeof ApiKeyUpdate.Type
