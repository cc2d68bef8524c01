import type { PipeId } from "@headgate/core"
import * as Effect from "effect/Effect"
import { isOver, type LivePipe } from "../pipe/LivePipe.ts"
import { checkProcess } from "../pipe/ownFailure.ts"

/** After so many starts in a row that failed for a reason of its own, a process leaves its pipes to others. */
const mostFailures = 3

/** For how long, at first and at most, in milliseconds. */
const [firstRest, longestRest] = [60_000, 600_000]

/** A process is checked so often at most, in milliseconds. */
const checkInterval = 2000

/** Whether this process can start pipes. */
export interface StartFailures {
  /** Counts starts that failed for a reason of this process, and those that did not fail. */
  readonly observe: (running: ReadonlyMap<PipeId, LivePipe>, now: number) => Effect.Effect<void>
  /** Whether this process takes no pipes for a while. */
  readonly isResting: (now: number) => boolean
}

/**
 * Counts the starts of pipes that fail for a reason of this process: the mover ended with an error such as "too many open files", or it
 * is Degraded before it has moved anything, and the process finds that it can open or write no file. A source that is away is no reason
 * of its own: no other server would reach it. A pipe that is Running begins the count anew.
 */
export const makeStartFailures = (check: Effect.Effect<string | undefined> = checkProcess): StartFailures => {
  const counted = new WeakSet<LivePipe>()
  let failures = 0
  let rest = firstRest
  let restsUntil = 0
  let checkedAt = -Infinity

  const count = Effect.fnUntraced(function* (live: LivePipe, reason: string, now: number) {
    counted.add(live)
    failures += 1
    if (failures < mostFailures || now < restsUntil) return
    restsUntil = now + rest
    yield* Effect.logWarning(
      `${failures} starts of pipes in a row have failed because of this server (${reason}): other servers move its pipes for the next ${rest / 1000} seconds`
    )
    rest = Math.min(longestRest, rest * 2)
    // After the rest, one more is enough.
    failures = mostFailures - 1
  })

  return {
    isResting: (now) => now < restsUntil,
    observe: Effect.fnUntraced(function* (running, now) {
      const begun = Array.from(running.values()).filter((live) => !counted.has(live))
      for (const live of begun) {
        if (live.end?._tag === "Unable") yield* count(live, live.end.reason, now)
        else if (live.status?.state === "Running" || live.status?.state === "Completed") {
          counted.add(live)
          failures = 0
          rest = firstRest
        } else if (isOver(live)) counted.add(live)
      }
      const degraded = begun.filter((live) => !counted.has(live) && live.status?.state === "Degraded")
      if (degraded.length === 0 || now - checkedAt < checkInterval) return
      checkedAt = now
      const reason = yield* check
      if (reason !== undefined) for (const live of degraded) yield* count(live, reason, now)
    })
  }
}
