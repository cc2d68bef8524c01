import type { InvalidRequest } from "@headgate/core"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Semaphore from "effect/Semaphore"
import type { Attempt } from "./Call.ts"
import { countOption } from "./validateOption.ts"

/**
 * Sends at most so many requests at once; the others wait for their turn, in order. A place is taken from the start of
 * an attempt until its answer is read, and not in the pause before a retry.
 */
export const concurrency = (
  maxConcurrency: number | undefined
): Effect.Effect<(attempt: Attempt) => Attempt, InvalidRequest> =>
  maxConcurrency === undefined
    ? Effect.succeed(identity)
    : Effect.map(countOption("maxConcurrency", maxConcurrency), (permits) => {
        const semaphore = Semaphore.makeUnsafe(permits)
        return (attempt) => (call) => semaphore.withPermit(attempt(call))
      })
