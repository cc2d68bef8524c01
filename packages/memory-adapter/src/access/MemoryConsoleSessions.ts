import type { OrganizationId } from "@headgate/core"
import {
  type ConsoleKind,
  consoleRules,
  ConsoleSessions,
  ConsoleSignIn,
  hashCredential,
  type NewConsoleRecord,
  noOrganization
} from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Digest } from "effect/crypto/Digest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { inOneStep, type KeyMap, MemoryStore } from "../MemoryStore.ts"

/** The session or code with this hash, and its key; `undefined` if there is none. */
export const heldOf = (keys: KeyMap, kind: ConsoleKind, hash: string) => {
  const record = keys.console[kind].get(hash)
  const key = record === undefined ? undefined : keys.byId(record.keyId)
  return record === undefined || key === undefined ? undefined : { expiresAt: record.expiresAt, key }
}

const insert = (keys: KeyMap, kind: ConsoleKind, { record }: NewConsoleRecord, now: number): void => {
  const made = keys.console[kind]
  made.set(record.hash, record)
  for (const hash of consoleRules.endedBy(kind, Array.from(made.values()), record, now)) made.delete(hash)
}

const layer: Layer.Layer<ConsoleSessions | ConsoleSignIn, never, MemoryStore | Digest | SecureRandom> =
  Layer.effectContext(
    Effect.gen(function* () {
      const { keys, organizations } = yield* MemoryStore
      const crypto = Context.make(Digest, yield* Digest).pipe(Context.add(SecureRandom, yield* SecureRandom))

      /** Makes a session or a code of the calling key, and stores it. */
      const create = Effect.fnUntraced(function* (kind: ConsoleKind, organizationId: OrganizationId) {
        const keyId = yield* consoleRules.callingKey
        const made = yield* consoleRules.make(kind, keyId)
        const store = Effect.gen(function* () {
          if (!organizations.has(organizationId)) return yield* noOrganization(organizationId)
          const key = yield* consoleRules.requireKey(keys.byId(keyId), organizationId)
          insert(keys, kind, made, yield* Clock.currentTimeMillis)
          return { made, key }
        })
        return yield* inOneStep(store)
      }, Effect.provideContext(crypto))

      const exchange = Effect.fnUntraced(function* (code: Redacted.Redacted, remoteAddress: string | undefined) {
        const hash = yield* hashCredential(Redacted.value(code))
        const requireCode = Effect.suspend(() => consoleRules.requireCode(heldOf(keys, "code", hash), remoteAddress))
        const { key } = yield* requireCode
        const made = yield* consoleRules.make("session", key.id)
        // Another call may have used the code while the session was made.
        const store = Effect.gen(function* () {
          const record = yield* requireCode
          keys.console.code.delete(hash)
          insert(keys, "session", made, yield* Clock.currentTimeMillis)
          return consoleRules.sessionOf(made, record)
        })
        return yield* inOneStep(store)
      }, Effect.provideContext(crypto))

      return Context.make(ConsoleSessions, {
        createSession: ({ organizationId }) =>
          Effect.map(create("session", organizationId), ({ key, made }) => consoleRules.sessionOf(made, key)),
        createCode: ({ organizationId }) =>
          Effect.map(create("code", organizationId), ({ made }) => consoleRules.codeOf(made))
      }).pipe(
        Context.add(ConsoleSignIn, {
          exchange,
          signOut: Effect.fnUntraced(function* (token) {
            keys.console.session.delete(yield* hashCredential(Redacted.value(token)))
          }, Effect.provideContext(crypto))
        })
      )
    })
  )

/** The ports `ConsoleSessions` and `ConsoleSignIn` over a {@link MemoryStore}. */
export const MemoryConsoleSessions = { layer }
