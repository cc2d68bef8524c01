import * as Effect from "effect/Effect"
import type { LoggedPositions } from "../port/Warehouse.ts"
import { resumeBy } from "../range/Decision.ts"
import { CannotContinue, type MoveError, type PositionLost } from "../range/MoveError.ts"
import { deliveredOf, nothingDelivered, type PendingRange, Range, rejectedTokenOf } from "../range/Range.ts"
import { isForgotten } from "../rule/deduplicationWindow.ts"
import { countDelivered, type DeliveredRange, type MoveAttempt } from "./Delivery.ts"
import { rejectedOf } from "./insertRange.ts"
import { checkEpoch, readRows, recordDelivered } from "./MoveContext.ts"

/** Writes those rows of a range into the error table that were recorded as rejected. The reasons are not recorded. */
const writeRejected = Effect.fnUntraced(function* ({ context, owner }: MoveAttempt, pending: PendingRange) {
  const { range, rejected } = pending
  if (rejected === undefined) return
  const found = rejected.rows.map((row) => ({ row, reason: "rejected before the pipe was interrupted" }))
  yield* context.warehouse
    .insertRejected(range, rejectedTokenOf(range), rejectedOf(readRows(context, owner, range), found))
    .pipe(Effect.catchTag("PositionLost", () => Effect.void))
})

/** Replays a range as a person has decided, or without a decision. Returns what the source has lost of it. */
const replayRange = Effect.fnUntraced(function* (
  { context, delivery, owner, report, state }: MoveAttempt,
  pending: PendingRange,
  decided: "replay" | "skip" | undefined,
  /** Leaves out the rows that may be in the table. */
  leaveOutGood: Effect.Effect<void, MoveError>
) {
  const { range, staged } = pending
  const objectsSince = state.current?.objectsSince ?? range.generation
  // Somebody has looked: none of its rows is in the table, so they are checked anew.
  const unchecked = staged === undefined ? { range } : { range, staged }
  const undelivered = { ...(decided === "replay" ? unchecked : pending), objectsSince }
  yield* checkEpoch(context, owner)
  return yield* delivery.deliver(owner, undelivered, Effect.void).pipe(
    Effect.flatMap((found) => report((status) => countDelivered(status, found))),
    Effect.as<PositionLost | undefined>(undefined),
    Effect.catchTags({
      PositionLost: (lost) =>
        decided === "skip"
          ? Effect.as(recordDelivered(context, owner, range, nothingDelivered), undefined)
          : Effect.succeed(lost),
      RejectionChanged: (error) =>
        decided === "skip" ? Effect.as(leaveOutGood, undefined) : Effect.fail<MoveError>(error)
    })
  )
})

/** Delivers the ranges that earlier movers have recorded and not marked as done. */
export const replay = Effect.fnUntraced(function* (attempt: MoveAttempt, logged: LoggedPositions) {
  const { context, delivery, destination, owner, report, state } = attempt
  const { decision, window } = context
  const memory = { remembersFor: destination.remembersFor, window, inserts: logged.inserts }
  const forgotten = new Set(
    state.pending.filter((one) => delivery.proofOf(one.range, logged) === "token" && isForgotten(one, memory))
  )
  const [first] = forgotten
  const decided = decision !== undefined && "pending" in decision ? decision.pending : undefined
  if (first !== undefined && decided === undefined) {
    return yield* new CannotContinue({
      message: `the warehouse may have forgotten the token of a pending range: ${Range.describe(first.range)}. Look whether its rows are in the table. If they are not: ${resumeBy({ pending: "replay" })}. If they are: ${resumeBy({ pending: "skip" })}`
    })
  }
  const lost: Array<PositionLost> = []
  for (const pending of state.pending) {
    const { range } = pending
    const rejected = pending.rejected?.rows.length ?? 0
    if (delivery.proofOf(range, logged) === "log") {
      const found: DeliveredRange = {
        delivered: deliveredOf(range, rejected),
        left: 0,
        unknownFields: new Map()
      }
      yield* recordDelivered(context, owner, range, found.delivered)
      yield* report((status) => countDelivered(status, found))
      continue
    }
    // The rows of it that were rejected are in the table in no case.
    const leaveOutGood = Effect.andThen(
      writeRejected(attempt, pending),
      recordDelivered(context, owner, range, { ...nothingDelivered, rejected })
    )
    if (decided === "skip" && forgotten.has(pending)) {
      yield* leaveOutGood
      continue
    }
    const found = yield* replayRange(attempt, pending, decided, leaveOutGood)
    if (found !== undefined) lost.push(found)
  }
  // What another decision is then about is nothing but these.
  const [firstLost] = lost
  if (firstLost !== undefined) return yield* firstLost
})
