import { identity } from "effect/Function"
import * as Semaphore from "effect/Semaphore"
import type { Attempt } from "../Attempt.ts"

/**
 * Limits how many requests are in flight at once; the others wait in order. A request counts from the start of its
 * attempt until its answer is read; the pause before a retry does not count.
 */
export const concurrency = (maxConcurrency: number | undefined): ((attempt: Attempt) => Attempt) => {
  if (maxConcurrency === undefined) return identity
  const semaphore = Semaphore.makeUnsafe(maxConcurrency)
  return (attempt) => (call) => semaphore.withPermit(attempt(call))
}
