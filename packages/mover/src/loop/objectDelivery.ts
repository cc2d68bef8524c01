import * as Effect from "effect/Effect"
import type { LedgerState } from "../port/Ledger.ts"
import type { ObjectRanges } from "../port/Source.ts"
import { resumeBy } from "../range/Decision.ts"
import { CannotContinue } from "../range/MoveError.ts"
import type { DeliveredRange, Delivery } from "./Delivery.ts"
import { checkEpoch, type MoveContext, recordDelivered } from "./MoveContext.ts"
import { moveObjects, objectsAtOnce } from "./moveObject.ts"

/** Positions of objects are numbers. An earlier build had keys, below which nothing tells what was read. */
const checkNumbered = ({ current, recorded }: LedgerState) => {
  const positions = [...(current?.starts.values() ?? []), ...recorded.values()]
  const message = `the pipe was made by an earlier version, which did not record the objects that it has read. Empty the table, then: ${resumeBy({ from: "start" })}. Without emptying it, every row is there twice`
  return positions.every((position) => /^\d+$/u.test(position))
    ? Effect.void
    : Effect.fail(new CannotContinue({ message }))
}

/** Has the warehouse stage the objects of a range, and move their rows into the table. */
export const objectDelivery = (context: MoveContext, objects: ObjectRanges): Delivery => ({
  readAhead: objectsAtOnce - 1,
  checkState: checkNumbered,
  takeOver: (owner, pending) => {
    const staged = pending.flatMap(({ staged }) => (staged === undefined ? [] : [staged.staging]))
    return context.warehouse.takeOver(owner, new Set(staged))
  },
  // Staged rows are under no token.
  proofOf: () => "marks",
  heldPositions: Effect.succeed,
  complete: Effect.succeed,
  // An object waits for the one before it when it has been read, so that the log is looked at after that.
  readyAfter: (previous, checkLog) => Effect.andThen(previous, checkLog),
  deliver: Effect.fnUntraced(function* (owner, undelivered, ready) {
    const { ledger, warehouse } = context
    const {
      rejectedRows,
      objects: read,
      rows,
      bytes,
      staging,
      ...found
    } = yield* moveObjects({ ledger, warehouse, objects, ready }, owner, undelivered, (owner) =>
      checkEpoch(context, owner)
    )
    const delivered = { rows, rejected: rejectedRows, bytes }
    const log = { since: undelivered.objectsSince, objects: read }
    yield* recordDelivered(context, owner, undelivered.range, delivered, log)
    if (staging !== undefined) yield* warehouse.discard(staging)
    return { ...found, delivered } satisfies DeliveredRange
  })
})
