import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Ledger, Owner } from "../port/Ledger.ts"
import type { ObjectRanges, RangeObject } from "../port/Source.ts"
import type { StagedObject, Warehouse } from "../port/Warehouse.ts"
import { resumeBy } from "../range/Decision.ts"
import type { DoneObject } from "../range/DoneObject.ts"
import { CannotContinue, type MoveError, ObjectRejected, RangeChanged, SourceError } from "../range/MoveError.ts"
import { type PendingRange, Range, type Staged } from "../range/Range.ts"

/** How many objects of a partition are read at the same time. While one is moved, the others keep the warehouse busy. */
export const objectsAtOnce = 3

/** What moves the objects of a range. */
export interface ObjectMover {
  readonly ledger: Ledger["Service"]
  readonly warehouse: Warehouse["Service"]
  readonly objects: ObjectRanges
  /** Ends when the range before is done. Objects are read at the same time, and moved one after the other. */
  readonly ready: Effect.Effect<void, MoveError>
}

const encoder = new TextEncoder()

/** What the warehouse has read of objects. Fails with `RangeChanged` if one of them is not as it was planned. */
const unchanged = Effect.fnUntraced(function* <A, E>(
  { objects }: ObjectMover,
  range: Range,
  read: Effect.Effect<A, E>,
  discard: (read: A) => Effect.Effect<void, MoveError>
) {
  const result = yield* Effect.result(read)
  // Also after a failure: an object that changes while it is read may be why.
  const changed = yield* objects.changed(range)
  if (changed.size > 0) {
    if (result._tag === "Success") yield* discard(result.success)
    return yield* new RangeChanged({ message: `${changed.size} objects have changed since they were planned` })
  }
  return yield* Effect.fromResult(result)
})

/** What was read of the objects of a range: `staged` is absent if there is nothing to move. */
interface Read {
  readonly staged?: Staged & Partial<Pick<StagedObject, "unknownFields" | "empty">>
  /** The keys of objects that went to the error table, whole. */
  readonly rejectedObjects: ReadonlyArray<string>
}

/** What was read of a range, as it went on, of these objects; `left` have left it. */
interface StagedObjects extends Read {
  readonly range: Range
  readonly found: ReadonlyArray<RangeObject>
  readonly left: number
}

/** Has the warehouse read one object. Without what it can read of it, the object went to the error table, whole. */
const stageOne = Effect.fnUntraced(function* (mover: ObjectMover, owner: Owner, range: Range, found: RangeObject) {
  const { ready, warehouse } = mover
  const read = yield* Effect.result(
    unchanged(
      mover,
      range,
      found._tag === "Refused"
        ? Effect.fail(new ObjectRejected({ reason: found.reason }))
        : warehouse.stage(owner, range, [found.object]),
      ({ staging }) => warehouse.discard(staging)
    )
  )
  // The ledger takes what was read of the oldest pending range, and rejected rows are written of no other.
  yield* ready
  return yield* Effect.fromResult(read).pipe(
    Effect.catchTag("ObjectRejected", (rejected) =>
      found._tag === "Refused"
        ? Effect.fail(rejected)
        : unchanged(mover, range, warehouse.stageRows(owner, range, found.object), ({ staging }) =>
            warehouse.discard(staging)
          ).pipe(Effect.catchTag("ObjectRejected", () => Effect.fail(rejected)))
    ),
    Effect.map((staged): Read => ({ staged, rejectedObjects: [] })),
    Effect.catchTag("ObjectRejected", ({ reason }) => {
      const row = { row: 0, content: encoder.encode(found.key), reason }
      const token = JSON.stringify([Range.tokenOf(range), "object", found.key, found.etag])
      return Effect.as(warehouse.insertRejected({ ...range, to: found.key }, token, Stream.succeed(row)), {
        rejectedObjects: [found.key]
      } satisfies Read)
    })
  )
})

/** The objects that the warehouse rejects, found by reading fewer and fewer of them. */
const findRejected: (
  mover: ObjectMover,
  owner: Owner,
  range: Range,
  found: ReadonlyArray<RangeObject>
) => Effect.Effect<ReadonlyArray<RangeObject>, MoveError> = Effect.fnUntraced(function* (mover, owner, range, found) {
  const read = mover.warehouse.stage(
    owner,
    range,
    found.flatMap((one) => (one._tag === "Read" ? [one.object] : []))
  )
  const isRejected = yield* read.pipe(
    Effect.flatMap(({ staging }) => mover.warehouse.discard(staging)),
    Effect.as(false),
    Effect.catchTag("ObjectRejected", () => Effect.succeed(true))
  )
  if (!isRejected) return []
  if (found.length <= 1) return found
  const middle = Math.ceil(found.length / 2)
  const halves = [found.slice(0, middle), found.slice(middle)]
  const rejected = yield* Effect.forEach(halves, (half) => findRejected(mover, owner, range, half))
  return rejected.flat()
})

/** The objects that cannot be read with the others of their range; none if all were read. */
const stageTogether = Effect.fnUntraced(function* (
  mover: ObjectMover,
  owner: Owner,
  range: Range,
  found: ReadonlyArray<RangeObject>
) {
  const refused = found.filter(({ _tag }) => _tag === "Refused")
  if (refused.length > 0) return { alone: refused }
  const objects = found.flatMap((one) => (one._tag === "Read" ? [one.object] : []))
  const staged = yield* Effect.catchTag(
    unchanged(mover, range, mover.warehouse.stage(owner, range, objects), ({ staging }) =>
      mover.warehouse.discard(staging)
    ),
    "ObjectRejected",
    Effect.succeed
  )
  if ("staging" in staged) return { staged }
  const halves = [found.slice(0, Math.ceil(found.length / 2)), found.slice(Math.ceil(found.length / 2))]
  const rejected = (yield* Effect.forEach(halves, (half) => findRejected(mover, owner, range, half))).flat()
  return { alone: rejected.length === 0 ? found : rejected }
})

/**
 * Has the warehouse read the objects of a range. One that was refused or rejected, or has changed, leaves the range before, which the
 * ledger records: so it holds up none of the others.
 */
const stageObjects = Effect.fnUntraced(function* (
  mover: ObjectMover,
  owner: Owner,
  planned: Range,
  checkEpoch: Ledger["Service"]["check"]
) {
  const { ledger, objects, ready } = mover
  let range = planned
  let left = 0
  const leave = Effect.fnUntraced(function* (keys: ReadonlySet<string>, isAlone: boolean) {
    const detail = yield* objects.leave(range, keys, isAlone)
    yield* ledger.recordNarrowed(owner, range, detail)
    range = { ...range, detail }
    left += keys.size
  })
  const leaveChanged = Effect.fnUntraced(function* ({ message }: RangeChanged) {
    const changed = yield* objects.changed(range)
    // The warehouse may have seen what the source does not show.
    if (changed.size === 0) return yield* new SourceError({ message })
    yield* leave(changed, false)
    return undefined
  })
  while (true) {
    yield* checkEpoch(owner)
    const found = yield* objects.reference(range)
    const [first, ...more] = found
    if (first === undefined) {
      yield* ready
      return { range, found, left, rejectedObjects: [] }
    }
    if (more.length === 0) {
      const read = yield* Effect.catchTag(stageOne(mover, owner, range, first), "RangeChanged", leaveChanged)
      if (read !== undefined) return { range, found, left, ...read }
      continue
    }
    const read = yield* Effect.catchTag(stageTogether(mover, owner, range, found), "RangeChanged", leaveChanged)
    if (read === undefined) continue
    if (read.alone !== undefined) {
      yield* leave(new Set(read.alone.map(({ key }) => key)), true)
      continue
    }
    yield* ready
    return { range, found, left, staged: read.staged, rejectedObjects: [] }
  }
})

/** Copies the rejected rows of a staging into the error table: all that the ledger knows of. */
const copyRejectedRows = Effect.fnUntraced(function* (
  { warehouse }: ObjectMover,
  range: Range,
  { rejected = 0, staging }: Staged,
  names: string
) {
  if (rejected === 0) return
  // The ledger knows which rows these are, so a replay copies the same ones. They are of one object: no other one was read with it.
  const copied = yield* warehouse.copyRejected(range, staging)
  if (copied === rejected) return
  const message = `${names}: ${rejected} of its rows were rejected, and ${copied} of them are left in the staging ${staging}. To read it again after removing its rows: ${resumeBy({ from: "ledger" })}`
  return yield* new CannotContinue({ message })
})

/** Moves the parts of a staging into the table that an earlier mover has not moved. */
const moveParts = Effect.fnUntraced(function* (
  { ledger, warehouse }: ObjectMover,
  owner: Owner,
  range: Range,
  { parts, staging }: Staged,
  recorded: PendingRange["staged"],
  checkEpoch: Ledger["Service"]["check"],
  names: string
) {
  for (const part of parts) {
    if (recorded?.moved.has(part.part) === true) continue
    const before = recorded?.moving.get(part.part)
    // Both find out whether another mover owns the pipe.
    yield* before === undefined
      ? Effect.flatMap(warehouse.beforeMove(part), (now) => ledger.markMoving(owner, range, part.part, now))
      : checkEpoch(owner)
    yield* Effect.catchTag(warehouse.movePart(staging, part, before), "CannotContinue", ({ message }) =>
      Effect.fail(new CannotContinue({ message: `${names}: ${message}` }))
    )
    yield* ledger.markMoved(owner, range, part.part)
  }
})

/**
 * Delivers a range whose rows the warehouse reads by itself: it stages them, and moves them into the table part by part. The
 * ledger knows each step, and each step can be repeated.
 *
 * Returns what was moved and of which objects, which of them went to the error table whole or have bytes and no row, how many have left
 * the range and are to be planned again, and the staging to delete when the range is done.
 */
export const moveObjects = Effect.fn("moveObjects")(function* (
  mover: ObjectMover,
  owner: Owner,
  { range: planned, staged: recorded }: Pick<PendingRange, "range" | "staged">,
  checkEpoch: Ledger["Service"]["check"]
) {
  const { ledger, objects } = mover
  yield* checkEpoch(owner)
  const read: StagedObjects =
    recorded === undefined
      ? yield* stageObjects(mover, owner, planned, checkEpoch)
      : // What an earlier mover has staged, it has looked at.
        {
          range: planned,
          found: yield* objects.reference(planned),
          left: 0,
          staged: recorded,
          rejectedObjects: []
        }
  const { found, left, range, rejectedObjects, staged } = read
  const [first, ...more] = found
  const names = `object ${first?.key ?? range.to}${more.length === 0 ? "" : ` and ${more.length} more`}`
  if (recorded === undefined && staged !== undefined) yield* ledger.recordStaged(owner, range, staged)
  const objectsDone = found.map(({ etag, key }): DoneObject => ({ key, etag }))
  const bytes = found.reduce((sum, { size }) => sum + size, 0)
  const done = { rejectedObjects, objects: objectsDone, left, bytes }
  if (staged === undefined) {
    return {
      ...done,
      rows: 0,
      rejectedRows: rejectedObjects.length,
      emptyObjects: [],
      unknownFields: new Map<string, undefined>(),
      staging: undefined
    }
  }
  yield* copyRejectedRows(mover, { ...range, to: first?.key ?? range.to }, staged, names)
  yield* moveParts(mover, owner, range, staged, recorded, checkEpoch, names)
  const empty = new Set(staged.empty)
  return {
    ...done,
    rows: staged.parts.reduce((sum, { rows }) => sum + rows, 0),
    rejectedRows: rejectedObjects.length + (staged.rejected ?? 0),
    emptyObjects: found.filter(({ key, size }) => size > 0 && empty.has(key)).map(({ key }) => key),
    unknownFields: staged.unknownFields ?? new Map<string, undefined>(),
    staging: staged.staging
  }
})
