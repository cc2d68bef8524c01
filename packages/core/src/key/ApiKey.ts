import * as Schema from "effect/Schema"
import { IpAccessListEntry } from "../access/IpAccessList.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { knownString, secretText } from "../schema/fieldSchemas.ts"
import { ApiKeyState } from "./ApiKeyState.ts"
import { ApiKeyId } from "../id/key.ts"
import { SystemRole } from "../id/role.ts"

/** The kinds of roles: every organization has the system roles, and makes its own custom roles. */
export const roleTypes = ["system", "custom"] as const

/** A role that is assigned to a key, system or custom. Any field may be absent or `null` in the answer of a service. */
export const AssignedRole = looseStruct({
  roleId: nullish(Schema.String, "The id of the role, a UUID."),
  roleName: nullish(Schema.String, "The name of the role."),
  roleType: nullish(knownString(roleTypes), "Whether the role is a system or a custom role.")
}).pipe(withIdentifier("AssignedRole", "A role that is assigned to an API key."))
export type AssignedRole = typeof AssignedRole.Type

/**
 * An API key of an organization, without its credentials. `id` and `name` are required; any other field may be absent
 * or `null`. `state` and `roles` are closed sets: an unknown role is an error, because it cannot be enforced. Contract:
 * docs/wire-contract.md#fields-of-an-api-key.
 *
 * @example
 * ```ts
 * import { ApiKey } from "@headgate/core"
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
export const ApiKey = looseStruct({
  id: ApiKeyId,
  name: Schema.String.annotate({ description: "The name of the key." }),
  state: nullish(ApiKeyState, "Whether the key can authenticate."),
  roles: nullish(Schema.Array(SystemRole), "The system roles of the key. Absent or empty: the key has no permissions."),
  assignedRoles: nullish(Schema.Array(AssignedRole), "All roles of the key, system and custom."),
  keySuffix: nullish(Schema.String, "The last 4 characters of the key ID."),
  createdAt: nullish(Timestamp, "The time at which the key was created."),
  expireAt: nullish(Timestamp, "The time from which the key is rejected. Absent or `null`: the key never expires."),
  usedAt: nullish(Timestamp, "The minute of the last use. Absent: the key was not used yet."),
  ipAccessList: nullish(
    Schema.Array(IpAccessListEntry),
    "The addresses that may use the key. Absent: any address. An empty list: none."
  )
}).pipe(withIdentifier("ApiKey", "An API key of an organization, without its credentials."))
export type ApiKey = typeof ApiKey.Type

/**
 * A new API key with its credentials, which cannot be read again. Both are absent if the caller made them (`hashData`).
 * Contract: docs/wire-contract.md#create-an-api-key, `result`.
 *
 * @example
 * ```ts
 * import { CreatedApiKey } from "@headgate/core"
 * import * as Redacted from "effect/Redacted"
 * import * as Schema from "effect/Schema"
 *
 * const created = Schema.decodeUnknownSync(CreatedApiKey)({
 *   key: { id: "51b4936f-cc64-4b62-8949-22ade4e10488", name: "ci" },
 *   keyId: "0Fk01wVSvePsowXxkfQu",
 *   keySecret: "hgs_example"
 * })
 * console.log(JSON.stringify(created.keySecret)) // "<redacted:keySecret>"
 * console.log(created.keySecret ? Redacted.value(created.keySecret) : "the caller's own") // hgs_example
 * ```
 */
export const CreatedApiKey = looseStruct({
  key: ApiKey.annotateKey({ description: "The new key." }),
  keyId: Schema.optionalKey(Schema.String).annotate({
    description: "The key ID, the user name of HTTP Basic. Absent if the request has `hashData`."
  }),
  keySecret: Schema.optionalKey(secretText("keySecret")).pipe(
    Schema.annotateEncoded({
      description:
        "The key secret, the password of HTTP Basic. Only this response has it; absent if the request has `hashData`."
    })
  )
}).pipe(withIdentifier("CreatedApiKey", "A new API key with its credentials."))
export type CreatedApiKey = typeof CreatedApiKey.Type
