import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { OrganizationId } from "../access/OrganizationId.ts"
import { Conflict } from "../error/CallError.ts"
import { checked } from "../error/checked.ts"
import { invalidRequest } from "../error/invalidRequest.ts"
import type { ApiKey } from "./ApiKey.ts"
import { ApiKeyCreate } from "./ApiKeyCreate.ts"
import { ApiKeyId } from "./ApiKeyId.ts"
import type { ApiKeyRecord } from "./ApiKeyRecord.ts"
import type { CreatedApiKey } from "./CreatedApiKey.ts"
import { issueCredentials } from "./issueCredentials.ts"

/** The most API keys an organization may have. The contract shows no limit: this one is decided. */
export const maxApiKeys = 100

/** A new key: what its maker is shown once, and what a store keeps. */
export interface IssuedApiKey {
  /** For its maker: the credentials are in it, unless the maker made them. */
  readonly created: CreatedApiKey
  /** For the store: no credential is in it. */
  readonly record: ApiKeyRecord
}

const checkedRequest = checked(ApiKeyCreate)

/**
 * Makes a new API key from a request: the rule that every store shares. Fails with `InvalidRequest` when a field is
 * wrong or `expireAt` has passed. Contract: sections 3 and 4.2. A store adds what needs a look at its other keys:
 * {@link tooManyApiKeys}, {@link duplicateKeyId}.
 *
 * @example
 * ```ts
 * import { OrganizationId } from "@headgate/core/access"
 * import { issueApiKey } from "@headgate/core/key"
 * import * as Digest from "effect/crypto/Digest"
 * import * as SecureRandom from "effect/crypto/SecureRandom"
 * import * as Effect from "effect/Effect"
 *
 * const organizationId = OrganizationId.make("1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21")
 * const issued = issueApiKey(organizationId, { name: "ci", roles: ["developer"] }).pipe(
 *   Effect.provide([Digest.layerWebCrypto, SecureRandom.layerWebCrypto])
 * )
 * const { created, record } = await Effect.runPromise(issued)
 * console.log(record.key.state, `${created.keySecret}`) // enabled <redacted:keySecret>
 * ```
 */
export const issueApiKey = Effect.fnUntraced(function* (organizationId: OrganizationId, request: ApiKeyCreate) {
  const now = yield* DateTime.now
  const asked = yield* checkedRequest(request)
  const { expireAt, ipAccessList, roles } = asked
  if (Predicate.isNotNullish(expireAt) && DateTime.isLessThanOrEqualTo(expireAt, now)) {
    return yield* invalidRequest([{ path: "expireAt", message: "Expected a time in the future" }])
  }
  const random = yield* SecureRandom
  const issued = Predicate.isNotNullish(asked.hashData) ? undefined : yield* issueCredentials
  const hashData = asked.hashData ?? issued?.hashData
  if (hashData === undefined) return yield* Effect.die("unreachable: a key has hashData or issued credentials")
  const key: ApiKey = {
    id: ApiKeyId.make(yield* random.uuidV4()),
    name: asked.name,
    state: asked.state ?? "enabled",
    ...(roles === undefined ? {} : { roles }),
    keySuffix: hashData.keyIdSuffix,
    createdAt: now,
    ...(Predicate.isNotNullish(expireAt) ? { expireAt } : {}),
    ...(ipAccessList === undefined ? {} : { ipAccessList })
  }
  const result: IssuedApiKey = {
    created: { key, ...(issued === undefined ? {} : { keyId: issued.keyId, keySecret: issued.keySecret }) },
    record: { organizationId, key, keyIdHash: hashData.keyIdHash, keySecretHash: hashData.keySecretHash }
  }
  return result
})

/**
 * The error of a store whose organization has {@link maxApiKeys} keys already (HTTP 409).
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core/access"
 * import {
 *   type ApiKeyCreate,
 *   type ApiKeyRecord,
 *   duplicateKeyId,
 *   issueApiKey,
 *   maxApiKeys,
 *   tooManyApiKeys
 * } from "@headgate/core/key"
 * import * as Effect from "effect/Effect"
 *
 * // `ApiKeys.create` over an array. Between the look and the push no other fiber runs.
 * const records: Array<ApiKeyRecord> = []
 * export const create = Effect.fn("create")(function* (organizationId: OrganizationId, request: ApiKeyCreate) {
 *   const { created, record } = yield* issueApiKey(organizationId, request)
 *   const own = records.filter((held) => held.organizationId === organizationId)
 *   if (own.length >= maxApiKeys) return yield* tooManyApiKeys()
 *   if (records.some(({ keyIdHash }) => keyIdHash === record.keyIdHash)) return yield* duplicateKeyId()
 *   records.push(record)
 *   return created
 * })
 * ```
 */
export const tooManyApiKeys = (): Conflict =>
  new Conflict({ message: `the organization has ${maxApiKeys} API keys, the most it may have: delete one first` })

/**
 * The error of a store where another key has this `keyIdHash` (HTTP 409): the caller's key ID must be made again. {@link
 * tooManyApiKeys} shows where it stands.
 */
export const duplicateKeyId = (): Conflict =>
  new Conflict({ message: "hashData.keyIdHash: a key with this key ID exists: make another key ID" })
