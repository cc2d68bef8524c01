import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Ledger, Owner } from "../port/Ledger.ts"
import type { ObjectRanges } from "../port/Source.ts"
import type { Warehouse } from "../port/Warehouse.ts"
import {
  CannotContinue,
  type MoveError,
  ObjectRejected,
  SourceError,
  type WarehouseError,
  type WarehouseRefused
} from "../range/MoveError.ts"
import { badTokenOf, type PendingRange, type Range, type Staged, tokenOf } from "../range/Range.ts"
import type { ObjectReference } from "../range/ObjectReference.ts"
import { addUnknownFields, type UnknownFields } from "../range/unknownFields.ts"
import { insertRange, type RangeWriter } from "./insertRange.ts"

/** How many objects of a partition are read at the same time. While one is moved, the others keep the warehouse busy. */
export const objectsAtOnce = 3

/** What moves the object of a range. */
export interface ObjectMover {
  readonly ledger: Ledger["Service"]
  readonly warehouse: Warehouse["Service"]
  readonly objects: ObjectRanges
  /** Ends when the range before is done. Objects are read at the same time, and moved one after the other. */
  readonly ready: Effect.Effect<void, MoveError>
}

const encoder = new TextEncoder()

/** What the warehouse has read of an object. Fails with `RangeChanged` if the object is not the one that was planned. */
const unchanged = Effect.fnUntraced(function* <A, E>(
  { objects }: ObjectMover,
  range: Range,
  read: Effect.Effect<A, E>
) {
  const result = yield* Effect.result(read)
  // Also after a failure: an object that changes while it is read may be why.
  yield* objects.verify(range)
  return yield* Effect.fromResult(result)
})

/** Stages the rows of an object but for the bad ones, which are found batch by batch as those of a range. */
const stageRows = Effect.fnUntraced(function* (
  mover: ObjectMover,
  owner: Owner,
  range: Range,
  object: ObjectReference,
  checkEpoch: Ledger["Service"]["check"]
) {
  const { warehouse } = mover
  const rows = yield* unchanged(mover, range, warehouse.stageRows(owner, range, object))
  let badRows = 0
  let unknownFields: UnknownFields = new Map()
  let batch = yield* rows.read(0)
  for (let first = batch[0]; first !== undefined; first = batch[0]) {
    yield* checkEpoch(owner)
    // The version of the object belongs to the token: one that is planned anew has other bad rows.
    const tokenOfBatch = (token: string) => JSON.stringify([token, range.detail, first?.row])
    const lines = batch
    const staging: RangeWriter<WarehouseError | WarehouseRefused> = {
      insert: (contents) => rows.insert(tokenOfBatch(tokenOf(range)), contents),
      insertBad: (bad) =>
        warehouse.insertBad(
          range,
          tokenOfBatch(badTokenOf(range)),
          Stream.map(bad, (one) => ({ ...one, ...lines[one.row], reason: one.reason }))
        )
    }
    const inserted = yield* insertRange(staging, Stream.fromIterable(lines.map(({ input }) => input)))
    const last = lines.at(-1) ?? first
    const reasons = new Map((yield* rows.rejected(first, last)).map(({ reason, row }) => [row, reason]))
    const rejected = lines.flatMap((line) => {
      const reason = reasons.get(line.row)
      return reason === undefined ? [] : [{ ...line, reason }]
    })
    if (rejected.length > 0) {
      const token = tokenOfBatch(JSON.stringify([tokenOf(range), "rejected"]))
      yield* warehouse.insertBad(range, token, Stream.fromIterable(rejected))
    }
    badRows += inserted.badRows + rejected.length
    unknownFields = addUnknownFields(unknownFields, inserted.unknownFields)
    batch = yield* rows.read(last.next)
  }
  return { ...(yield* rows.staged), badRows, unknownFields }
})

/** Has the warehouse read the object of a range. `undefined`: the object went to the error table, whole. */
const stageObject = Effect.fnUntraced(function* (
  mover: ObjectMover,
  owner: Owner,
  range: Range,
  checkEpoch: Ledger["Service"]["check"]
) {
  const { ledger, objects, ready, warehouse } = mover
  const [found] = yield* objects.reference(range)
  if (found === undefined) return yield* new SourceError({ message: `range ${range.to} holds no object` })
  const read = yield* Effect.result(
    found._tag === "Refused"
      ? Effect.fail(new ObjectRejected({ reason: found.reason }))
      : unchanged(mover, range, warehouse.stage(owner, range, [found.object]))
  )
  // The ledger takes what was read of the oldest pending range, and bad rows are written of no other.
  yield* ready
  const staged = yield* Effect.fromResult(read).pipe(
    Effect.map((whole) => ({ ...whole, badRows: 0 })),
    Effect.catchTag("ObjectRejected", (rejected) =>
      found._tag === "Refused"
        ? Effect.fail(rejected)
        : stageRows(mover, owner, range, found.object, checkEpoch).pipe(
            Effect.catchTag("ObjectRejected", () => Effect.fail(rejected))
          )
    ),
    Effect.catchTag("ObjectRejected", ({ reason }) => {
      const row = { row: 0, content: encoder.encode(range.to), reason }
      return Effect.as(
        warehouse.insertBad(range, JSON.stringify([tokenOf(range), "object"]), Stream.succeed(row)),
        undefined
      )
    })
  )
  if (staged !== undefined) {
    const { badRows, parts, staging } = staged
    yield* ledger.recordStaged(owner, range, { staging, parts, ...(badRows === 0 ? {} : { rejected: badRows }) })
  }
  return staged
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
  const staged: (Staged & { readonly badRows?: number; readonly unknownFields?: UnknownFields }) | undefined =
    recorded ??
    (yield* Effect.catchTag(
      stageObject(mover, owner, range, checkEpoch),
      "RangeChanged",
      Effect.fnUntraced(function* ({ message }) {
        yield* ledger.withdraw(owner, range)
        return yield* new SourceError({ message: `${message}: it is planned anew` })
      })
    ))
  if (staged === undefined) {
    return { rows: 0, badRows: 1, unknownFields: new Map<string, undefined>(), staging: undefined }
  }
  for (const part of staged.parts) {
    if (recorded?.moved.has(part.part) === true) continue
    const before = recorded?.moving.get(part.part)
    // Both find out whether another mover owns the pipe.
    yield* before === undefined
      ? Effect.flatMap(warehouse.beforeMove(part), (now) => ledger.markMoving(owner, range, part.part, now))
      : checkEpoch(owner)
    yield* warehouse
      .movePart(staged.staging, part, before)
      .pipe(
        Effect.catchTag("CannotContinue", ({ message }) =>
          Effect.fail(new CannotContinue({ message: `object ${range.to}: ${message}` }))
        )
      )
    yield* ledger.markMoved(owner, range, part.part)
  }
  // What an earlier mover has staged, it has looked at.
  const { badRows = staged.rejected ?? 0, parts, staging, unknownFields = new Map() } = staged
  return { rows: parts.reduce((sum, { rows }) => sum + rows, 0), badRows, unknownFields, staging }
})
