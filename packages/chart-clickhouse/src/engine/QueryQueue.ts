import { type CallError, type OrganizationId, ServerError } from "@headgate/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/** How many queries are at work and wait. */
export interface QueueLimits {
  readonly atWork: number
  readonly atWorkOfOne: number
  readonly waiting: number
}

/** Runs so many queries at a time, and refuses those that too many wait before. */
export interface QueryQueue {
  readonly run: <A, E>(organizationId: OrganizationId, query: Effect.Effect<A, E>) => Effect.Effect<A, E | CallError>
}

const refusal = () =>
  new ServerError({ message: "too many queries of charts wait: try it again", retryAfter: Duration.seconds(1) })

/** A queue. Queries of an organization that has as many at work as it may do not keep those of others waiting. */
export const makeQueue = ({ atWork, atWorkOfOne, waiting: mostWaiting }: QueueLimits): QueryQueue => {
  const all = Semaphore.makeUnsafe(atWork)
  const callers = new Map<OrganizationId, { readonly permits: Semaphore.Semaphore; present: number; working: number }>()
  let [waiting, working] = [0, 0]
  const callerOf = (organizationId: OrganizationId) => {
    const found = callers.get(organizationId) ?? {
      permits: Semaphore.makeUnsafe(atWorkOfOne),
      present: 0,
      working: 0
    }
    callers.set(organizationId, found)
    return found
  }
  return {
    run: <A, E>(organizationId: OrganizationId, query: Effect.Effect<A, E>) =>
      Effect.suspend((): Effect.Effect<A, E | CallError> => {
        const caller = callerOf(organizationId)
        const isFree = working < atWork && caller.working < atWorkOfOne
        if (waiting >= mostWaiting && !isFree) return Effect.fail(refusal())
        let isWorking = false
        waiting += 1
        caller.present += 1
        const begin = Effect.sync(() => {
          isWorking = true
          waiting -= 1
          working += 1
          caller.working += 1
        })
        const end = Effect.sync(() => {
          if (isWorking) {
            working -= 1
            caller.working -= 1
          } else waiting -= 1
          caller.present -= 1
          if (caller.present === 0) callers.delete(organizationId)
        })
        return caller.permits
          .withPermits(1)(all.withPermits(1)(Effect.andThen(begin, query)))
          .pipe(Effect.ensuring(end))
      })
  }
}
