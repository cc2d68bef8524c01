import type { CallError, PipeId } from "@headgate/core"
import { type MovedPipes, type PipeAssignment, restingStates } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { monotonicMillis } from "./monotonicMillis.ts"

/** How often all pipes are asked for, and not only those that have changed: whatever was missed is missed no longer. */
const wholeInterval = Duration.toMillis(Duration.seconds(30))

/** The pipes of a store that move rows, as this process knows them. */
export interface AssignedPipes {
  /** Asks the store what has changed. Returns all pipes that are not at rest. */
  readonly poll: Effect.Effect<ReadonlyArray<PipeAssignment>, CallError>
}

/** Knows the pipes of a store from its answers: all at first and every 30 seconds, and what has changed in between. */
export const makeAssignedPipes = (moved: MovedPipes["Service"]): AssignedPipes => {
  const known = new Map<PipeId, PipeAssignment>()
  let cursor: string | undefined
  let wholeAt = 0

  const poll = Effect.gen(function* () {
    const now = yield* monotonicMillis
    const after = now - wholeAt < wholeInterval ? cursor : undefined
    // After an error it asks for all: a pipe that was deleted meanwhile may be forgotten.
    cursor = undefined
    const answer = yield* moved.changes(after)
    if (answer.isWhole) {
      known.clear()
      wholeAt = now
    }
    for (const id of answer.deleted) known.delete(id)
    for (const pipe of answer.pipes) {
      const { pipeId } = pipe.address
      if (restingStates.includes(pipe.state)) known.delete(pipeId)
      else known.set(pipeId, pipe)
    }
    cursor = answer.cursor
    return Array.from(known.values())
  })
  return { poll }
}
