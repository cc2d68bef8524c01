import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Ledger, Owner } from "../port/Ledger.ts"
import type { ObjectRanges } from "../port/Source.ts"
import type { StagedObject, Warehouse } from "../port/Warehouse.ts"
import { type MoveError, ObjectRejected, SourceError } from "../range/MoveError.ts"
import { type PendingRange, type Range, type Staged, tokenOf } from "../range/Range.ts"
import type { UnknownFields } from "../range/unknownFields.ts"

/** What moves the object of a range. */
export interface ObjectMover {
  readonly ledger: Ledger["Service"]
  readonly warehouse: Warehouse["Service"]
  readonly objects: ObjectRanges
  /** Ends when the range before is done. Objects are read at the same time, and moved one after the other. */
  readonly ready: Effect.Effect<void, MoveError>
}

const encoder = new TextEncoder()

const readObject = Effect.fnUntraced(function* (
  { objects, warehouse }: Pick<ObjectMover, "objects" | "warehouse">,
  owner: Owner,
  range: Range
) {
  const found = yield* objects.reference(range)
  if (found._tag === "Refused") return yield* new ObjectRejected({ reason: found.reason })
  const read = yield* Effect.result(warehouse.stage(owner, range, found.object))
  // Also after a failure: an object that changes while it is read may be why.
  yield* objects.verify(range)
  return yield* Effect.fromResult(read)
})

/** Has the warehouse read the object of a range. `undefined`: the object went to the error table, whole. */
const stageObject = Effect.fnUntraced(function* (
  { ledger, objects, ready, warehouse }: ObjectMover,
  owner: Owner,
  range: Range
) {
  const refuse = (reason: string) => {
    const row = { row: 0, content: encoder.encode(range.to), reason }
    return warehouse.insertBad(range, JSON.stringify([tokenOf(range), "object"]), Stream.succeed(row))
  }
  const read = yield* Effect.result(readObject({ objects, warehouse }, owner, range))
  // The ledger takes what was read of the oldest pending range.
  yield* ready
  if (Result.isFailure(read)) {
    const { failure } = read
    return yield* failure._tag === "ObjectRejected"
      ? Effect.as(refuse(failure.reason), undefined)
      : Effect.fail(failure)
  }
  yield* ledger.recordStaged(owner, range, read.success)
  return read.success
})

/**
 * Delivers a range whose rows the warehouse reads by itself: it stages them, and moves them into the table part by part. The
 * ledger knows each step, and each step can be repeated.
 *
 * An object that has changed is planned anew: its record is taken back, with those of the ones that follow it, and the mover
 * begins again, which deletes what was staged. Returns what was moved, and the staging to delete when the range is done.
 */
export const moveObject = Effect.fn("moveObject")(function* (
  mover: ObjectMover,
  owner: Owner,
  { range, staged: recorded }: Pick<PendingRange, "range" | "staged">,
  checkEpoch: Ledger["Service"]["check"]
) {
  const { ledger, warehouse } = mover
  yield* checkEpoch(owner)
  const staged: (Staged & Partial<StagedObject>) | undefined =
    recorded ??
    (yield* Effect.catchTag(
      stageObject(mover, owner, range),
      "RangeChanged",
      Effect.fnUntraced(function* ({ message }) {
        yield* ledger.withdraw(owner, range)
        return yield* new SourceError({ message: `${message}: it is planned anew` })
      })
    ))
  const none: UnknownFields = new Map()
  if (staged === undefined) return { rows: 0, badRows: 1, unknownFields: none, staging: undefined }
  for (const part of staged.parts) {
    if (recorded?.moved.has(part.part) === true) continue
    yield* checkEpoch(owner)
    yield* warehouse.movePart(staged.staging, part)
    yield* ledger.markMoved(owner, range, part.part)
  }
  // What an earlier mover has staged, it has looked at.
  const { parts, staging, unknownFields = none } = staged
  return { rows: parts.reduce((sum, { rows }) => sum + rows, 0), badRows: 0, unknownFields, staging }
})
