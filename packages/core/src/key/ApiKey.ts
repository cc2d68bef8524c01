import * as Schema from "effect/Schema"
import { IpAccessListEntry } from "../access/IpAccessList.ts"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { ApiKeyId } from "./ApiKeyId.ts"
import { ApiKeyState } from "./ApiKeyState.ts"
import { Role } from "./Role.ts"

/**
 * An API key of an organization, without its credentials. Contract: section 2.3. A reader needs `id` and `name`; any
 * other field may be absent or `null`. `state` and `roles` are closed sets: an unknown role cannot be enforced, so it
 * is not read.
 *
 * @example
 * ```ts
 * import { ApiKey } from "@headgate/core/key"
 * import * as DateTime from "effect/DateTime"
 * import * as Schema from "effect/Schema"
 *
 * const key = Schema.decodeUnknownSync(ApiKey)({
 *   id: "51b4936f-cc64-4b62-8949-22ade4e10488",
 *   name: "ci",
 *   roles: ["developer"],
 *   expireAt: "2026-12-31T23:59:59Z"
 * })
 * console.log(key.expireAt ? DateTime.formatIso(key.expireAt) : "never") // 2026-12-31T23:59:59.000Z
 * console.log(Schema.encodeSync(ApiKey)(key).expireAt) // 2026-12-31T23:59:59Z
 * ```
 */
export const ApiKey = openStruct({
  id: ApiKeyId,
  name: Schema.String,
  state: absentOrNull(ApiKeyState),
  /** Absent: the key has no rights. */
  roles: absentOrNull(Schema.Array(Role)),
  /** The last 4 characters of the key ID. */
  keySuffix: absentOrNull(Schema.String),
  createdAt: absentOrNull(Timestamp),
  /** Absent or `null`: the key never expires. */
  expireAt: absentOrNull(Timestamp),
  /** To the minute; absent until the first use. */
  usedAt: absentOrNull(Timestamp),
  /** Absent: any address may use the key. An empty list: none may. */
  ipAccessList: absentOrNull(Schema.Array(IpAccessListEntry))
}).pipe(identified("ApiKey"))
/** What {@link ApiKey} decodes to. */
export type ApiKey = typeof ApiKey.Type
