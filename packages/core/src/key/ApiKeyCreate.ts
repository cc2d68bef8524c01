import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { IpAccessListEntryCreate } from "../access/IpAccessList.ts"
import { registerDecoder } from "../schema/FastDecoder.ts"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"
import { readTimestamp, Timestamp } from "../schema/Timestamp.ts"
import { ApiKeyState, Role } from "./ids.ts"

// 32 bytes in base64: 43 digits and one "=".
/** base64(sha256(...)), as every hash of a credential is written. */
export const CredentialHash = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9+/]{43}=$/u, {
    message: "Expected the base64 of a SHA-256 digest (44 characters ending in =)"
  })
)

/**
 * Credentials that the caller made and keeps: only their hashes travel. All three members or none of them. Contract:
 * section 4.2, semantics by decision. `issueCredentials` makes both, the credentials and this.
 */
export const HashData = looseStruct({
  /** base64(sha256(key ID)). */
  keyIdHash: CredentialHash,
  /** The last 4 characters of the key ID. */
  keyIdSuffix: Schema.String.check(
    Schema.isBetweenLength(4, 4, { message: "Expected the last 4 characters of the key ID" })
  ),
  /** base64(sha256(key secret)). */
  keySecretHash: CredentialHash
}).pipe(withIdentifier("HashData"))
export type HashData = typeof HashData.Type

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
 * import type { ApiKeyCreate } from "@headgate/core"
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
export const ApiKeyCreate = looseStruct({
  name: Schema.String.check(Schema.isBetweenLength(1, 255, { message: "Expected 1 to 255 characters" })),
  /** Absent or `null`: the key never expires. A time that has passed is refused. */
  expireAt: Schema.optionalKey(Expiry).pipe(registerDecoder<DateTime.Utc | null>(readTimestamp)),
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
}).pipe(withIdentifier("ApiKeyCreate"))
export type ApiKeyCreate = typeof ApiKeyCreate.Type
