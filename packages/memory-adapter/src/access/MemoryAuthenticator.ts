import { type ApiKeyId, versionOf } from "@headgate/core"
import { authenticate, Authenticator, type CredentialStore, withVersion } from "@headgate/core/adapter"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Digest } from "effect/crypto/Digest"
import { MemoryStore } from "../MemoryStore.ts"
import { heldOf } from "./MemoryConsoleSessions.ts"

const layer: Layer.Layer<Authenticator, never, MemoryStore | Digest> = Layer.effect(
  Authenticator,
  Effect.gen(function* () {
    const { keys, tokens } = yield* MemoryStore
    const digest = yield* Digest

    const markUsed = (keyId: ApiKeyId, usedAt: DateTime.Utc) => {
      const record = keys.byId(keyId)
      if (record === undefined) return
      const { key } = record
      keys.set(record.keyIdHash, { ...record, key: withVersion({ ...key, usedAt }, versionOf(key) ?? 1) })
    }

    const store: CredentialStore = {
      findKey: (keyIdHash) => Effect.sync(() => keys.get(keyIdHash)),
      findToken: (tokenHash) => Effect.sync(() => tokens.get(tokenHash)),
      findSession: (tokenHash) => Effect.sync(() => heldOf(keys, "session", tokenHash)),
      markUsed: (keyId, usedAt) => Effect.sync(() => markUsed(keyId, usedAt))
    }

    return Authenticator.of({
      authenticate: (credentials, remoteAddress) =>
        Effect.provideService(authenticate(store, credentials, remoteAddress), Digest, digest)
    })
  })
)

/** The `Authenticator` port over a {@link MemoryStore}. */
export const MemoryAuthenticator = { layer }
