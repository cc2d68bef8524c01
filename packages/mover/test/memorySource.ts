import * as Effect from "effect/Effect"
import type { SourceUnderTest } from "../src/laws/index.ts"
import { MemorySource } from "../src/memory/index.ts"

/** The source in memory, as its laws need it. */
export const memorySource: Effect.Effect<SourceUnderTest> = Effect.sync(() => {
  const memory = MemorySource.make()
  return {
    source: memory.source,
    append: (rows) => memory.append("0", ...rows),
    loseFirst: (rows) => memory.loseBefore("0", rows),
    replace: memory.replace("another topic")
  }
})
