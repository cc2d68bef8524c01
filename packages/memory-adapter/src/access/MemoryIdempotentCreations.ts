import {
  type CreationAnswer,
  IdempotentCreations,
  idempotencyHashes,
  KeyInFlight,
  KeyReused
} from "@headgate/core/adapter"
import type { OrganizationId } from "@headgate/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Digest } from "effect/crypto/Digest"
import { IsOnlyValidated, type KeptAnswer, MemoryStore } from "../MemoryStore.ts"

const { maxAnswers, maxBytes, retention } = IdempotentCreations

const isFresh = (kept: KeptAnswer, now: number): boolean => kept.expiresAt > now

/** Removes what has expired, and the oldest answers above the limits. */
const evict = (answers: Map<string, KeptAnswer>, now: number): void => {
  let bytes = Array.from(answers.values()).reduce((sum, { answer }) => sum + answer.text.length, 0)
  for (const [id, kept] of answers) {
    if (isFresh(kept, now) && answers.size <= maxAnswers && bytes <= maxBytes) return
    answers.delete(id)
    bytes -= kept.answer.text.length
  }
}

const layer: Layer.Layer<IdempotentCreations, never, MemoryStore | Digest> = Layer.effect(
  IdempotentCreations,
  Effect.gen(function* () {
    const { answers } = yield* MemoryStore
    const digest = yield* Digest
    const inFlight = new Set<string>()

    const answersOf = (organizationId: OrganizationId) => {
      const held = answers.get(organizationId) ?? new Map<string, KeptAnswer>()
      answers.set(organizationId, held)
      return held
    }

    return IdempotentCreations.of({
      validateOnly: (create) => Effect.asVoid(Effect.provideService(create, IsOnlyValidated, true)),
      once: Effect.fnUntraced(function* (request, create) {
        const { bodyHash, id } = yield* Effect.provideService(idempotencyHashes(request), Digest, digest)
        const held = answersOf(request.organizationId).get(id)
        if (held !== undefined && isFresh(held, yield* Clock.currentTimeMillis)) {
          return held.bodyHash === bodyHash ? held.answer : yield* new KeyReused()
        }
        const keep = (answer: CreationAnswer) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const kept = answersOf(request.organizationId)
            kept.delete(id)
            kept.set(id, { bodyHash, answer, expiresAt: now + retention * 1000 })
            evict(kept, now)
          })
        // Both, or none.
        return yield* Effect.acquireUseRelease(
          Effect.suspend(() => (inFlight.has(id) ? new KeyInFlight() : Effect.sync(() => inFlight.add(id)))),
          () => Effect.uninterruptible(Effect.tap(create, keep)),
          () => Effect.sync(() => inFlight.delete(id))
        )
      })
    })
  })
)

/** The `IdempotentCreations` port over a {@link MemoryStore}. */
export const MemoryIdempotentCreations = { layer }
