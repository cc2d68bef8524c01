import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { IpAccessListEntryCreate } from "../access/IpAccessList.ts"
import { refuseUnknownFields } from "../error/knownFields.ts"
import { registerDecoder } from "../schema/FastDecoder.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { readTimestamp, Timestamp } from "../schema/Timestamp.ts"
import { ApiKeyState } from "./ApiKeyState.ts"
import { RoleId, SystemRole } from "../id/role.ts"

/** base64(sha256(...)), the form of every credential hash: 32 bytes are 43 characters and one "=". */
export const CredentialHash = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9+/]{43}=$/u, {
    message: "Expected the base64 of a SHA-256 digest (44 characters ending in =)"
  })
)

/**
 * The hashes of credentials that the caller made. The credentials themselves are not sent. `makeCredentials` makes the
 * credentials and these hashes. Contract: docs/wire-contract.md#create-an-api-key; the semantics are decided.
 */
export const HashData = looseStruct({
  keyIdHash: CredentialHash.annotate({ description: "The base64 of the SHA-256 digest of the key ID." }),
  keyIdSuffix: Schema.String.annotate({ description: "The last 4 characters of the key ID." }).check(
    Schema.isBetweenCodePoints(4, 4, { message: "Expected the last 4 characters of the key ID" })
  ),
  keySecretHash: CredentialHash.annotate({ description: "The base64 of the SHA-256 digest of the key secret." })
}).pipe(
  refuseUnknownFields,
  withIdentifier("HashData", "The hashes of credentials that the caller made. The credentials are not sent.")
)
export type HashData = typeof HashData.Type

// The contract says "absent, null or empty": an empty string is decoded as null.
const Expiry = Schema.NullOr(Schema.String.annotate({ format: "date-time" })).pipe(
  Schema.decodeTo(
    Schema.NullOr(Timestamp),
    SchemaTransformation.transform({
      decode: (text: string | null) => (text === "" ? null : text),
      encode: (text: string | null) => text
    })
  )
)

/** The IP access list of a request: at most 200 sources. */
export const IpAccessListCreate = Schema.Array(IpAccessListEntryCreate).check(
  Schema.isMaxLength(200, { message: "Expected at most 200 sources" })
)

/**
 * The request for a new API key. `name` is required and has 1 to 255 characters, not only blanks; a field that is not
 * named here is an error, so that a misspelt access list does not open a key. Both are decided. Contract:
 * docs/wire-contract.md#create-an-api-key.
 *
 * @example
 * ```ts
 * import type { ApiKeyCreate } from "@headgate/core"
 * import * as DateTime from "effect/DateTime"
 * import * as Effect from "effect/Effect"
 *
 * // A key for one hour and one network.
 * export const forCi = Effect.map(DateTime.now, (now): ApiKeyCreate => ({
 *   name: "ci",
 *   roles: ["developer"],
 *   expireAt: DateTime.add(now, { hours: 1 }),
 *   ipAccessList: [{ source: "192.0.2.0/24" }]
 * }))
 * ```
 */
export const ApiKeyCreate = looseStruct({
  name: Schema.String.annotate({ description: "The name of the key: 1 to 255 characters, not only blanks." }).check(
    Schema.isMinCodePoints(1, { message: "Expected 1 to 255 characters" }).abort(),
    Schema.isMaxCodePoints(255, { message: "Expected 1 to 255 characters" }),
    Schema.isPattern(/\S/u, { message: "Expected more than blanks" })
  ),
  expireAt: Schema.optionalKey(Expiry).pipe(
    Schema.annotateEncoded({
      description: "The time from which the key is rejected. Absent or `null`: the key never expires."
    }),
    registerDecoder<DateTime.Utc | null>(readTimestamp)
  ),
  state: Schema.optionalKey(ApiKeyState).annotate({ description: "The first state of the key. Absent: `enabled`." }),
  hashData: nullish(
    HashData,
    "The hashes of credentials that the caller made. Absent or `null`: the service makes the credentials."
  ),
  roles: Schema.optionalKey(
    Schema.Array(SystemRole)
      .annotate({
        description: "The system roles of the key. Absent, and no `assignedRoleIds`: the key has no permissions."
      })
      .check(
        Schema.isMinLength(1, { message: "Expected at least 1 role: admin, developer or query_endpoints" }),
        Schema.isMaxLength(20, { message: "Expected at most 20 roles" })
      )
  ),
  assignedRoleIds: Schema.optionalKey(
    Schema.Array(RoleId)
      .annotate({
        description:
          "The ids of the roles of the key, system or custom: at most 100. With `roles`, an empty list counts as absent, and any other must name the same system roles."
      })
      .check(Schema.isMaxLength(100, { message: "Expected at most 100 roles" }))
  ),
  ipAccessList: Schema.optionalKey(
    IpAccessListCreate.annotate({
      description: "The addresses that may use the key. Absent: any address. An empty list: none."
    })
  )
}).pipe(
  refuseUnknownFields,
  withIdentifier("ApiKeyCreate", "The request for a new API key. A field that is not named here is an error.")
)
export type ApiKeyCreate = typeof ApiKeyCreate.Type
