import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { hashCredential, randomText } from "../access/CredentialHash.ts"
import { OrganizationId } from "../id/organization.ts"
import { withVersion } from "../access/Version.ts"
import { Conflict, invalidRequest } from "../error/CallError.ts"
import { validate } from "../error/validate.ts"
import { ApiKey, type CreatedApiKey } from "./ApiKey.ts"
import { ApiKeyCreate, type HashData } from "./ApiKeyCreate.ts"
import type { Role } from "./Role.ts"
import { assignRoles, roleIssues } from "./assignRoles.ts"
import { ApiKeyId } from "../id/key.ts"

/** New credentials of an API key, with their hashes. */
export interface NewCredentials {
  /** The user name of HTTP Basic: 20 characters. */
  readonly keyId: string
  /** The password of HTTP Basic: `hgs_` and 40 characters, about 238 bits. */
  readonly keySecret: Redacted.Redacted
  /** The hashes, which may be sent and stored. */
  readonly hashData: HashData
}

/**
 * The last 4 characters of a key ID, shown as `keySuffix`. Contract: docs/wire-contract.md#fields-of-an-api-key.
 *
 * @example
 * ```ts
 * import type { ApiKey } from "@headgate/core"
 * import { keySuffix } from "@headgate/core/adapter"
 *
 * // The keys to which a key ID may belong: no response holds the key ID itself.
 * export const candidates = (keyId: string, keys: ReadonlyArray<ApiKey>) =>
 *   keys.filter((key) => key.keySuffix === keySuffix(keyId))
 *
 * console.log(keySuffix("0Fk01wVSvePsowXxkfQu")) // kfQu
 * ```
 */
export const keySuffix = (keyId: string): string => keyId.slice(-4)

/**
 * Makes the credentials of a key. The service does this when it creates a key. A caller that must not send its
 * credentials makes them itself and sends `hashData` (contract: docs/wire-contract.md#create-an-api-key).
 *
 * @example
 * ```ts
 * import { ApiKeys, makeCredentials, type OrganizationId } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // Creates a key whose secret is not sent.
 * export const createWithLocalSecret = Effect.fn("createWithLocalSecret")(function* (organizationId: OrganizationId) {
 *   const keys = yield* ApiKeys
 *   const { hashData, keyId, keySecret } = yield* makeCredentials
 *   yield* keys.create({ organizationId }, { name: "ci", roles: ["developer"], hashData })
 *   return { keyId, keySecret }
 * })
 * ```
 */
export const makeCredentials = Effect.gen(function* () {
  const keyId = yield* randomText(20)
  const secret = `hgs_${yield* randomText(40)}`
  const issued: NewCredentials = {
    keyId,
    keySecret: Redacted.make(secret, { label: "keySecret" }),
    hashData: {
      keyIdHash: yield* hashCredential(keyId),
      keyIdSuffix: keySuffix(keyId),
      keySecretHash: yield* hashCredential(secret)
    }
  }
  return issued
})

/** An API key as it is stored: with the hashes of its credentials. Made by `keyRules.make`. */
export const ApiKeyRecord = Schema.Struct({
  organizationId: OrganizationId,
  key: ApiKey,
  /** base64(sha256(key ID)); unique in a store. */
  keyIdHash: Schema.String,
  /** base64(sha256(key secret)). */
  keySecretHash: Schema.String
})
export type ApiKeyRecord = typeof ApiKeyRecord.Type

/** A new API key. */
export interface NewApiKey {
  /** For the caller, with the credentials unless the caller made them. */
  readonly created: CreatedApiKey
  /** For the store, without the credentials. */
  readonly record: ApiKeyRecord
}

const validateRequest = validate(ApiKeyCreate)

/** Fails if a key would expire at once. */
export const checkExpiry = Effect.fnUntraced(function* (expireAt: DateTime.Utc | null | undefined) {
  if (Predicate.isNotNullish(expireAt) && DateTime.isLessThanOrEqualTo(expireAt, yield* DateTime.now)) {
    return yield* invalidRequest([{ path: "expireAt", message: "Expected a time in the future" }])
  }
})

/**
 * Makes a new API key from a request. Every adapter that stores keys uses this rule. `customRoles` are those roles of
 * the organization that the request names. Fails with `InvalidRequest` when a field is wrong, `expireAt` is in the past
 * or a role is unknown. The store then checks its other keys: `exceededLimit` and {@link duplicateKeyId}. Contract:
 * docs/wire-contract.md#fields-of-an-api-key and docs/wire-contract.md#create-an-api-key.
 *
 * @example
 * ```ts
 * import { OrganizationId } from "@headgate/core"
 * import { keyRules } from "@headgate/core/adapter"
 * import * as Digest from "effect/crypto/Digest"
 * import * as SecureRandom from "effect/crypto/SecureRandom"
 * import * as Effect from "effect/Effect"
 *
 * const organizationId = OrganizationId.make("1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21")
 * const issued = keyRules.make(organizationId, { name: "ci", roles: ["developer"] }).pipe(
 *   Effect.provide([Digest.layerWebCrypto, SecureRandom.layerWebCrypto])
 * )
 * const { created, record } = await Effect.runPromise(issued)
 * console.log(record.key.state, `${created.keySecret}`) // enabled <redacted:keySecret>
 * ```
 */
export const makeApiKey = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  request: ApiKeyCreate,
  customRoles: ReadonlyArray<Role> = []
) {
  const valid = yield* validateRequest(request)
  const { expireAt, ipAccessList } = valid
  yield* checkExpiry(expireAt)
  const issues = roleIssues(valid, customRoles)
  if (issues.length > 0) return yield* invalidRequest(issues)
  const random = yield* SecureRandom
  const issued = Predicate.isNotNullish(valid.hashData) ? undefined : yield* makeCredentials
  const hashData = valid.hashData ?? issued?.hashData
  if (hashData === undefined) return yield* Effect.die("unreachable: a key has hashData or issued credentials")
  const fields: ApiKey = {
    id: ApiKeyId.make(yield* random.uuidV4()),
    name: valid.name,
    state: valid.state ?? "enabled",
    ...assignRoles(valid, customRoles),
    keySuffix: hashData.keyIdSuffix,
    createdAt: yield* DateTime.now,
    ...(Predicate.isNotNullish(expireAt) ? { expireAt } : {}),
    ...(ipAccessList === undefined ? {} : { ipAccessList })
  }
  const key = withVersion(fields, 1)
  const result: NewApiKey = {
    created: { key, ...(issued === undefined ? {} : { keyId: issued.keyId, keySecret: issued.keySecret }) },
    record: { organizationId, key, keyIdHash: hashData.keyIdHash, keySecretHash: hashData.keySecretHash }
  }
  return result
})

/**
 * Makes the error of a store where another key has this `keyIdHash` (HTTP 409). The caller needs another key ID.
 * `exceededLimit` shows its use.
 */
export const duplicateKeyId = (): Conflict =>
  new Conflict({ message: "hashData.keyIdHash: a key with this key ID exists: make another key ID" })
