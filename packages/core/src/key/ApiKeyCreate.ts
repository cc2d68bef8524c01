import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { IpAccessListEntryCreate } from "../access/IpAccessList.ts"
import { readsDirectly } from "../schema/DirectDecode.ts"
import { identified, openStruct } from "../schema/OpenStruct.ts"
import { readTimestamp, Timestamp } from "../schema/Timestamp.ts"
import { ApiKeyState } from "./ApiKeyState.ts"
import { HashData } from "./HashData.ts"
import { Role } from "./Role.ts"

// The contract writes "absent, null or empty": the empty string reads as null.
const Expiry = Schema.NullOr(Schema.String).pipe(
  Schema.decodeTo(
    Schema.NullOr(Timestamp),
    SchemaTransformation.transform({
      decode: (text: string | null) => (text === "" ? null : text),
      encode: (text: string | null) => text
    })
  )
)

/**
 * What it takes to create an API key. Contract: section 4.2; what it leaves open is decided: `name` is required and has
 * 1 to 255 characters.
 *
 * @example
 * ```ts
 * import type { ApiKeyCreate } from "@headgate/core/key"
 * import * as DateTime from "effect/DateTime"
 * import * as Effect from "effect/Effect"
 *
 * // For an hour, from one network.
 * export const forCi = Effect.map(DateTime.now, (now): ApiKeyCreate => ({
 *   name: "ci",
 *   roles: ["developer"],
 *   expireAt: DateTime.add(now, { hours: 1 }),
 *   ipAccessList: [{ source: "192.0.2.0/24" }]
 * }))
 * ```
 */
export const ApiKeyCreate = openStruct({
  name: Schema.String.check(Schema.isBetweenLength(1, 255, { message: "Expected 1 to 255 characters" })),
  /** Absent or `null`: the key never expires. A time that has passed is refused. */
  expireAt: Schema.optionalKey(Expiry).pipe(readsDirectly<DateTime.Utc | null>(readTimestamp)),
  /** Absent: `enabled`. */
  state: Schema.optionalKey(ApiKeyState),
  /** Absent or `null`: the service makes the credentials and shows them once. */
  hashData: Schema.optionalKey(Schema.NullOr(HashData)),
  /** Absent: no rights. If present, at least one. */
  roles: Schema.optionalKey(
    Schema.Array(Role).check(
      Schema.isMinLength(1, { message: "Expected at least 1 role: admin, developer or query_endpoints" })
    )
  ),
  /** Absent: any address. An empty list: no address, so the key is of no use. */
  ipAccessList: Schema.optionalKey(Schema.Array(IpAccessListEntryCreate))
}).pipe(identified("ApiKeyCreate"))
/** What {@link ApiKeyCreate} decodes to. */
export type ApiKeyCreate = typeof ApiKeyCreate.Type
