import type { HashData, Snapshot } from "@headgate/core"
import { hashCredential, keySuffix, type SnapshotKey } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Digest from "effect/crypto/Digest"

/** What a caller who makes the credentials sends of them. */
export const hashDataOf = Effect.fnUntraced(function* (keyId: string, keySecret: string) {
  const hashData: HashData = {
    keyIdHash: yield* hashCredential(keyId),
    keyIdSuffix: keySuffix(keyId),
    keySecretHash: yield* hashCredential(keySecret)
  }
  return hashData
}, Effect.provide(Digest.layerWebCrypto))

const spareKey = Effect.fnUntraced(function* (name: string) {
  const key: SnapshotKey = { name, roles: ["developer"], hashData: yield* hashDataOf(`spare-id-${name}`, name) }
  return key
})

/** The snapshot with keys added to one of its organizations, so that it has `count` of them. */
export const withKeyCount = Effect.fnUntraced(function* (snapshot: Snapshot, index: number, count: number) {
  const organizations = yield* Effect.forEach(
    snapshot.organizations,
    Effect.fnUntraced(function* (organization, position) {
      if (position !== index) return organization
      const { keys = [] } = organization
      const spare = yield* Effect.forEach(Array.from({ length: count - keys.length }), (_, n) =>
        spareKey(`spare-${index}-${n}`)
      )
      return { ...organization, keys: [...keys, ...spare] }
    })
  )
  const filled: Snapshot = { organizations }
  return filled
})
