import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { Digest } from "effect/crypto/Digest"
import type { Forbidden, Unauthorized } from "../error/CallError.ts"
import type { ApiKeyId } from "../id/key.ts"
import type { HeldConsoleRecord } from "./consoleRules.ts"
import { keyPrincipal, refusalOf, unauthorized } from "./keyUse.ts"
import type { ApiKeyRecord } from "./makeApiKey.ts"
import type { Credentials, KeyCredentials, SessionCredentials, TokenCredentials } from "../access/Authenticator.ts"
import { hashCredential, sameHash } from "../access/CredentialHash.ts"
import type { KeyPrincipal, Principal, TokenPrincipal } from "../access/Principal.ts"
import type { TokenRecord } from "../access/makeToken.ts"

/**
 * The lookups that {@link authenticate} needs. A store makes no decisions.
 */
export interface CredentialStore {
  /** The key whose key ID has this hash, also if it is disabled or expired; `undefined` if there is none. */
  readonly findKey: (keyIdHash: string) => Effect.Effect<ApiKeyRecord | undefined>
  /** The token with this hash; `undefined` if there is none. */
  readonly findToken: (tokenHash: string) => Effect.Effect<TokenRecord | undefined>
  /** The session of the console whose token has this hash, and its key, also if either has ended; `undefined` if there is none. */
  readonly findSession: (tokenHash: string) => Effect.Effect<HeldConsoleRecord | undefined>
  /**
   * Stores the minute in which a key was last used. Called at most once a minute for each key and server after it
   * succeeded. The caller is authenticated already, so a store that cannot write logs the error and succeeds.
   */
  readonly markUsed: (keyId: ApiKeyId, usedAt: DateTime.Utc) => Effect.Effect<void>
}

// Compared when the key ID is unknown, so that the comparison takes as long as for a wrong secret. No digest has this text.
const noSecret = "A".repeat(44)

/**
 * The start of the minute, in milliseconds since 1970. `usedAt` has a precision of one minute, so that a key in use costs
 * one write a minute.
 */
const minuteOf = (epochMilliseconds: number): number => epochMilliseconds - (epochMilliseconds % 60_000)

const isBefore = (usedAt: DateTime.Utc | null | undefined, minute: number): boolean =>
  Predicate.isNullish(usedAt) || usedAt.epochMilliseconds < minute

/** The principal of a key whose secret, or whose session, is right, if it may be used now, from this address. */
const admit = (store: CredentialStore, record: ApiKeyRecord, remoteAddress: string | undefined, isSession: boolean) =>
  Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<KeyPrincipal, Unauthorized | Forbidden> => {
    const refusal = refusalOf(record.key, now, remoteAddress)
    if (refusal !== undefined) return refusal
    const principal = keyPrincipal(record, isSession)
    const minute = minuteOf(now)
    return isBefore(record.key.usedAt, minute)
      ? Effect.as(store.markUsed(record.key.id, DateTime.makeUnsafe(minute)), principal)
      : Effect.succeed(principal)
  })

// Every request passes here: without a generator, whose steps are more than the work.
const authenticateKey = (
  store: CredentialStore,
  { keyId, keySecret }: KeyCredentials,
  remoteAddress: string | undefined
): Effect.Effect<KeyPrincipal, Unauthorized | Forbidden, Digest> =>
  Effect.flatMap(hashCredential(keyId), (keyIdHash) =>
    Effect.flatMap(store.findKey(keyIdHash), (record) =>
      Effect.flatMap(hashCredential(Redacted.value(keySecret)), (secretHash) => {
        const secretMatches = sameHash(record?.keySecretHash ?? noSecret, secretHash)
        return record === undefined || !secretMatches ? unauthorized : admit(store, record, remoteAddress, false)
      })
    )
  )

const authenticateToken = Effect.fnUntraced(function* (store: CredentialStore, credentials: TokenCredentials) {
  const tokenHash = yield* hashCredential(Redacted.value(credentials.token))
  const record = yield* store.findToken(tokenHash)
  if (record === undefined || !sameHash(record.tokenHash, tokenHash)) return yield* unauthorized
  const principal: TokenPrincipal = {
    _tag: "TokenPrincipal",
    organizationId: record.organizationId,
    tokenId: record.token.id,
    grants: record.grants
  }
  return principal
})

const authenticateSession = Effect.fnUntraced(function* (
  store: CredentialStore,
  { token }: SessionCredentials,
  remoteAddress: string | undefined
) {
  const found = yield* store.findSession(yield* hashCredential(Redacted.value(token)))
  const now = yield* Clock.currentTimeMillis
  if (found === undefined || found.expiresAt.epochMilliseconds <= now) return yield* unauthorized
  return yield* admit(store, found.key, remoteAddress, true)
})

/**
 * Verifies credentials against a store: the rule behind every `Authenticator`. Unknown, wrong, disabled and expired
 * credentials fail with the same `Unauthorized`. An address outside the access list fails with `Forbidden`, but only if
 * the secret is right. Expiry uses the `Clock`. Contract: docs/wire-contract.md#access; the rules are decided.
 *
 * @example
 * ```ts
 * import { authenticate, Authenticator, type CredentialStore } from "@headgate/core/adapter"
 * import * as Digest from "effect/crypto/Digest"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // The Authenticator over your own store.
 * export const layer = (store: CredentialStore): Layer.Layer<Authenticator> =>
 *   Layer.succeed(Authenticator, {
 *     authenticate: (credentials, remoteAddress) =>
 *       authenticate(store, credentials, remoteAddress).pipe(Effect.provide(Digest.layerWebCrypto))
 *   })
 * ```
 */
export const authenticate = (
  store: CredentialStore,
  credentials: Credentials,
  remoteAddress: string | undefined
): Effect.Effect<Principal, Unauthorized | Forbidden, Digest> => {
  switch (credentials._tag) {
    case "KeyCredentials":
      return authenticateKey(store, credentials, remoteAddress)
    case "SessionCredentials":
      return authenticateSession(store, credentials, remoteAddress)
    case "TokenCredentials":
      return authenticateToken(store, credentials)
  }
}
