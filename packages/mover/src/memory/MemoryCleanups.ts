import * as Effect from "effect/Effect"
import type { Cleanups, PendingCleanup } from "../port/Cleanups.ts"

/** Cleanups in memory. */
const make = (): Cleanups["Service"] => {
  const pending = new Map<string, PendingCleanup>()
  return {
    add: (cleanup) => Effect.sync(() => void pending.set(cleanup.pipeId, { ...cleanup, attempts: 0 })),
    list: Effect.sync(() =>
      Array.from(pending.values()).toSorted((one, other) => (one.pipeId < other.pipeId ? -1 : 1))
    ),
    markFailed: (pipeId, lastError) =>
      Effect.sync(() => {
        const cleanup = pending.get(pipeId)
        if (cleanup !== undefined) pending.set(pipeId, { ...cleanup, attempts: cleanup.attempts + 1, lastError })
      }),
    remove: (pipeId) => Effect.sync(() => void pending.delete(pipeId))
  }
}

/**
 * Cleanups in memory, for tests.
 *
 * @example
 * ```ts
 * import { Cleanups } from "@headgate/mover"
 * import { MemoryCleanups } from "@headgate/mover/memory"
 * import * as Layer from "effect/Layer"
 *
 * export const TestCleanups = Layer.sync(Cleanups, MemoryCleanups.make)
 * ```
 */
export const MemoryCleanups = { make }
