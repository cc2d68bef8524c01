import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { CallingKey } from "../access/CallingKey.ts"
import type { ConsoleCode, ConsoleSession } from "../access/ConsoleSessions.ts"
import { hashCredential, randomText } from "../access/CredentialHash.ts"
import { permissionsOf } from "../access/Principal.ts"
import type { ApiKeyId } from "../id/key.ts"
import type { OrganizationId } from "../id/organization.ts"
import type { ApiKey } from "./ApiKey.ts"
import { isUsable, keyPrincipal, refusalOf, unauthorized } from "./keyUse.ts"
import type { ApiKeyRecord } from "./makeApiKey.ts"

/** How what opens the console begins, how long it lasts, and how many of it a key has at most. */
const consoleKinds = {
  session: { prefix: "hgs_", label: "token", lifetime: Duration.hours(8), most: 20 },
  code: { prefix: "hgc_", label: "code", lifetime: Duration.minutes(5), most: 5 }
}

/** What opens the console: a session, or a code that opens a session once. */
export type ConsoleKind = keyof typeof consoleKinds

/** A session or a code as it is stored: with its hash, without its secret. Made by `consoleRules.make`. */
export interface ConsoleRecord {
  /** base64(sha256(secret)); unique among those of its kind. */
  readonly hash: string
  readonly keyId: ApiKeyId
  readonly expiresAt: DateTime.Utc
}

/** A session or a code that a store holds, and the key that it was made for. */
export interface HeldConsoleRecord {
  readonly expiresAt: DateTime.Utc
  readonly key: ApiKeyRecord
}

/** A new session or code. */
export interface NewConsoleRecord {
  /** `hgs_` or `hgc_`, and 40 characters. */
  readonly secret: Redacted.Redacted
  /** For the store, without the secret. */
  readonly record: ConsoleRecord
}

const make = Effect.fnUntraced(function* (kind: ConsoleKind, keyId: ApiKeyId) {
  const { label, lifetime, prefix } = consoleKinds[kind]
  const secret = `${prefix}${yield* randomText(40)}`
  const made: NewConsoleRecord = {
    secret: Redacted.make(secret, { label }),
    record: {
      hash: yield* hashCredential(secret),
      keyId,
      expiresAt: DateTime.addDuration(yield* DateTime.now, lifetime)
    }
  }
  return made
})

const callingKey = Effect.flatMap(CallingKey, (keyId) => (keyId === undefined ? unauthorized : Effect.succeed(keyId)))

const requireKey = Effect.fnUntraced(function* (key: ApiKeyRecord | undefined, organizationId: OrganizationId) {
  if (key?.organizationId !== organizationId) return yield* unauthorized
  return isUsable(key.key, yield* Clock.currentTimeMillis) ? key : yield* unauthorized
})

const requireCode = Effect.fnUntraced(function* (
  held: HeldConsoleRecord | undefined,
  remoteAddress: string | undefined
) {
  const now = yield* Clock.currentTimeMillis
  if (held === undefined || held.expiresAt.epochMilliseconds <= now) return yield* unauthorized
  return yield* refusalOf(held.key.key, now, remoteAddress) ?? Effect.succeed(held.key)
})

const endedBy = (kind: ConsoleKind, held: ReadonlyArray<ConsoleRecord>, { keyId }: ConsoleRecord, now: number) => {
  const isExpired = ({ expiresAt }: ConsoleRecord) => expiresAt.epochMilliseconds <= now
  const ofKey = held.filter((record) => record.keyId === keyId && !isExpired(record))
  return [...held.filter(isExpired), ...ofKey.slice(0, -consoleKinds[kind].most)].map(({ hash }) => hash)
}

const sessionOf = ({ record, secret }: NewConsoleRecord, key: ApiKeyRecord): ConsoleSession => ({
  organizationId: key.organizationId,
  token: secret,
  expiresAt: record.expiresAt,
  permissions: permissionsOf(keyPrincipal(key, true))
})

const codeOf = ({ record, secret }: NewConsoleRecord): ConsoleCode => ({ code: secret, expiresAt: record.expiresAt })

/**
 * The rules of every store of the console's sessions and codes. Times are those of the `Clock`. Contract: docs/wire-contract.md#the-console.
 *
 * @example
 * ```ts
 * import { ApiKeyId } from "@headgate/core"
 * import { consoleRules } from "@headgate/core/adapter"
 * import * as Digest from "effect/crypto/Digest"
 * import * as SecureRandom from "effect/crypto/SecureRandom"
 * import * as Effect from "effect/Effect"
 *
 * const keyId = ApiKeyId.make("51b4936f-cc64-4b62-8949-22ade4e10488")
 * const made = consoleRules.make("code", keyId).pipe(
 *   Effect.provide([Digest.layerWebCrypto, SecureRandom.layerWebCrypto])
 * )
 * const { record, secret } = await Effect.runPromise(made)
 * console.log(`${secret}`, record.hash.length) // <redacted:code> 44
 * ```
 */
export const consoleRules = {
  /** Makes a session or a code of a key. It lasts 8 hours or 5 minutes. */
  make,
  /** The key that makes the call. Fails with `Unauthorized` if it is made with none. */
  callingKey,
  /**
   * The key for which a session or a code is made, as it is stored when this is. Fails with `Unauthorized` if there is none any more, it
   * belongs to another organization, or it has been disabled or has expired since the call was authenticated.
   */
  requireKey,
  /**
   * The key of a code, if the code opens a session now, from this address. Fails with `Unauthorized` if the code is unknown or expired,
   * or its key cannot be used, and with `Forbidden` if the key's access list does not contain the address.
   */
  requireCode,
  /** How many of a kind a key has at most: one more ends the oldest. */
  most: (kind: ConsoleKind): number => consoleKinds[kind].most,
  /**
   * The hashes of those that end when `made` is stored: all that have expired, and the oldest of its key above the number that it may
   * have. `held` is all of the kind, oldest first, with `made` as the last. `now`: milliseconds since 1970.
   */
  endedBy,
  /**
   * Whether a change to a key ends all of its sessions and codes, for good: it is disabled, or the change comes after it was disabled or
   * had expired. `now`: milliseconds since 1970.
   */
  areEnded: (key: ApiKey, changed: ApiKey, now: number): boolean => !isUsable(key, now) || !isUsable(changed, now),
  /** A new session as its caller gets it, with its secret. */
  sessionOf,
  /** A new code as its caller gets it, with its secret. */
  codeOf
}
