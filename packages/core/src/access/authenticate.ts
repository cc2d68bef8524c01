import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { Digest } from "effect/crypto/Digest"
import { Forbidden, Unauthorized } from "../error/CallError.ts"
import type { ApiKeyId } from "../key/ids.ts"
import type { ApiKeyRecord } from "../key/issueApiKey.ts"
import type { Credentials, KeyCredentials, TokenCredentials } from "./Authenticator.ts"
import { hashCredential, sameHash } from "./CredentialHash.ts"
import { isAddressAllowed } from "./IpAccessList.ts"
import type { KeyPrincipal, Principal, TokenPrincipal } from "./Principal.ts"
import type { TokenRecord } from "./issueToken.ts"

/**
 * What a store must offer for its callers to be told apart by {@link authenticate}. It looks up and decides nothing.
 */
export interface CredentialStore {
  /** The key whose key ID has this hash, in whatever state; `undefined` when there is none. */
  readonly findKey: (keyIdHash: string) => Effect.Effect<ApiKeyRecord | undefined>
  /** The token that has this hash; `undefined` when there is none. */
  readonly findToken: (tokenHash: string) => Effect.Effect<TokenRecord | undefined>
  /**
   * Keeps when a key was last used, to the minute: called at most once a minute for each key and server, once it is kept.
   * Whoever waits for it was let in already: a store that cannot keep it says so in its log and ends well.
   */
  readonly markUsed: (keyId: ApiKeyId, usedAt: DateTime.Utc) => Effect.Effect<void>
}

// Compared with when the key ID is unknown, so that this costs what a wrong secret costs. No digest ends like it.
const noSecret = "A".repeat(44)

// One text for every reason: an answer must not tell a guesser how close they are.
const unauthorized = () => new Unauthorized({ message: "the credentials are not valid" })

/**
 * When the minute began that `usedAt` shows, in milliseconds since 1970: it has one-minute precision, so that a key in
 * use costs one write a minute.
 */
const minuteOf = (epochMilliseconds: number): number => epochMilliseconds - (epochMilliseconds % 60_000)

const isUnmarked = (usedAt: DateTime.Utc | null | undefined, minute: number): boolean =>
  Predicate.isNullish(usedAt) || usedAt.epochMilliseconds < minute

const authenticateKey = Effect.fnUntraced(function* (
  store: CredentialStore,
  credentials: KeyCredentials,
  remoteAddress: string | undefined
) {
  const record = yield* store.findKey(yield* hashCredential(credentials.keyId))
  const secretHash = yield* hashCredential(Redacted.value(credentials.keySecret))
  const secretMatches = sameHash(record?.keySecretHash ?? noSecret, secretHash)
  if (record === undefined || !secretMatches) return yield* unauthorized()
  const { expireAt, id, ipAccessList, roles, state, usedAt } = record.key
  const now = yield* Clock.currentTimeMillis
  const expired = Predicate.isNotNullish(expireAt) && expireAt.epochMilliseconds <= now
  if (state === "disabled" || expired) return yield* unauthorized()
  if (!isAddressAllowed(ipAccessList, remoteAddress)) {
    return yield* new Forbidden({ message: "the key's IP access list does not hold the address of this request" })
  }
  const minute = minuteOf(now)
  if (isUnmarked(usedAt, minute)) yield* store.markUsed(id, DateTime.makeUnsafe(minute))
  const principal: KeyPrincipal = {
    _tag: "KeyPrincipal",
    organizationId: record.organizationId,
    keyId: id,
    roles: roles ?? []
  }
  return principal
})

const authenticateToken = Effect.fnUntraced(function* (store: CredentialStore, credentials: TokenCredentials) {
  const tokenHash = yield* hashCredential(Redacted.value(credentials.token))
  const record = yield* store.findToken(tokenHash)
  if (record === undefined || !sameHash(record.tokenHash, tokenHash)) return yield* unauthorized()
  const principal: TokenPrincipal = {
    _tag: "TokenPrincipal",
    organizationId: record.organizationId,
    tokenId: record.token.id
  }
  return principal
})

/**
 * Verifies credentials against a store: the rule behind every `Authenticator`, so that an adapter only looks up.
 * Unknown, wrong, disabled and expired all fail alike with `Unauthorized`; an address outside the access list fails
 * with `Forbidden`, and only after the secret was right. Expiry is the `Clock`'s. Contract: section 5, rules by
 * decision.
 *
 * @example
 * ```ts
 * import { authenticate, Authenticator, type CredentialStore } from "@headgate/core/adapter"
 * import * as Digest from "effect/crypto/Digest"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // The Authenticator of a store of yours.
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
): Effect.Effect<Principal, Unauthorized | Forbidden, Digest> =>
  credentials._tag === "KeyCredentials"
    ? authenticateKey(store, credentials, remoteAddress)
    : authenticateToken(store, credentials)
