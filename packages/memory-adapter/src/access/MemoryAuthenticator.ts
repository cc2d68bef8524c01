import type { ApiKeyId } from "@headgate/core"
import { authenticate, Authenticator, type CredentialStore } from "@headgate/core/adapter"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import { MemoryStore } from "../MemoryStore.ts"

const layerNoDeps: Layer.Layer<Authenticator, never, MemoryStore | Digest.Digest> = Layer.effect(
  Authenticator,
  Effect.gen(function* () {
    const { keys, tokens } = yield* MemoryStore
    const digest = yield* Digest.Digest

    const markUsed = (keyId: ApiKeyId, usedAt: DateTime.Utc) => {
      const record = keys.byId(keyId)
      if (record !== undefined) keys.set(record.keyIdHash, { ...record, key: { ...record.key, usedAt } })
    }

    const store: CredentialStore = {
      findKey: (keyIdHash) => Effect.sync(() => keys.get(keyIdHash)),
      findToken: (tokenHash) => Effect.sync(() => tokens.get(tokenHash)),
      markUsed: (keyId, usedAt) => Effect.sync(() => markUsed(keyId, usedAt))
    }

    return Authenticator.of({
      // Without a span: every request comes by here.
      authenticate: (credentials, remoteAddress) =>
        Effect.provideService(authenticate(store, credentials, remoteAddress), Digest.Digest, digest)
    })
  })
)

const layer: Layer.Layer<Authenticator, never, MemoryStore> = Layer.provide(layerNoDeps, Digest.layerWebCrypto)

/**
 * The `Authenticator` port over a {@link MemoryStore}. `layerNoDeps` leaves the cryptography to the caller.
 *
 * @example
 * ```ts
 * import { Authenticator, type Credentials } from "@headgate/core/adapter"
 * import type { Snapshot } from "@headgate/core"
 * import { MemoryAdapter } from "@headgate/memory-adapter"
 * import * as Effect from "effect/Effect"
 *
 * // `MemoryAdapter` has this port beside the others, so a key that one of them creates signs in here.
 * export const signIn = (snapshot: Snapshot, credentials: Credentials) =>
 *   Authenticator.use((authenticator) => authenticator.authenticate(credentials, "192.0.2.7")).pipe(
 *     Effect.provide(MemoryAdapter.layer({ snapshot }))
 *   )
 * ```
 */
export const MemoryAuthenticator = { layer, layerNoDeps }
