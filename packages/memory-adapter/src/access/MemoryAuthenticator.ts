import { authenticate, Authenticator, type CredentialStore } from "@headgate/core/access"
import type { ApiKeyId } from "@headgate/core/key"
import type * as DateTime from "effect/DateTime"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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

/** The `Authenticator` port over a {@link MemoryStore}. `layerNoDeps` leaves the cryptography to the caller. */
export const MemoryAuthenticator = { layer, layerNoDeps }
