import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { hashCredential } from "../access/CredentialHash.ts"
import { randomText } from "../access/RandomText.ts"
import type { HashData } from "./HashData.ts"

/** Fresh credentials of an API key, with the hashes that a store keeps of them. */
export interface IssuedCredentials {
  /** The user name of HTTP Basic: 20 characters. */
  readonly keyId: string
  /** The password of HTTP Basic: `hgs_` and 40 characters, about 238 bits. */
  readonly keySecret: Redacted.Redacted
  /** What may travel and be stored of them. */
  readonly hashData: HashData
}

/**
 * The last 4 characters of a key ID, shown as `keySuffix`. Contract: section 2.3.
 *
 * @example
 * ```ts
 * import { type ApiKey, keySuffix } from "@headgate/core/key"
 *
 * // Which of an organization's keys a key ID may be of: the ID itself is in no answer.
 * export const candidates = (keyId: string, keys: ReadonlyArray<ApiKey>) =>
 *   keys.filter((key) => key.keySuffix === keySuffix(keyId))
 *
 * console.log(keySuffix("0Fk01wVSvePsowXxkfQu")) // kfQu
 * ```
 */
export const keySuffix = (keyId: string): string => keyId.slice(-4)

/**
 * Makes the credentials of a key. The service does so on create; a caller who wants them never to travel does so
 * itself and sends `hashData` alone (contract: section 4.2).
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core/access"
 * import { ApiKeys, issueCredentials } from "@headgate/core/key"
 * import * as Effect from "effect/Effect"
 *
 * // A key whose secret never leaves this machine.
 * export const mintLocally = Effect.fn("mintLocally")(function* (organizationId: OrganizationId) {
 *   const keys = yield* ApiKeys
 *   const { hashData, keyId, keySecret } = yield* issueCredentials
 *   yield* keys.create(organizationId, { name: "ci", roles: ["developer"], hashData })
 *   return { keyId, keySecret }
 * })
 * ```
 */
export const issueCredentials = Effect.gen(function* () {
  const keyId = yield* randomText(20)
  const secret = `hgs_${yield* randomText(40)}`
  const issued: IssuedCredentials = {
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
