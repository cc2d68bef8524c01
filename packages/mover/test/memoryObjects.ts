import * as Effect from "effect/Effect"
import type { ObjectSourceUnderTest } from "../src/laws/index.ts"
import { MemoryObjects } from "../src/memory/index.ts"

/** The objects in memory, as their laws need them. */
export const memoryObjects: Effect.Effect<ObjectSourceUnderTest> = Effect.sync(() => {
  const { put, remove, source } = MemoryObjects.make()
  return { source, put: (key, rows) => put(key, ...rows), remove, wait: Effect.void }
})
