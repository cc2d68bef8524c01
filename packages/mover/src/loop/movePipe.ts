import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { Ledger, type LedgerState, type Owner } from "../port/Ledger.ts"
import { type ObjectListing, type ObjectRanges, type Plan, type RangeLimits, Source } from "../port/Source.ts"
import { type Destination, type LoggedObjects, type LoggedPositions, Warehouse } from "../port/Warehouse.ts"
import { CannotContinue, type MoveError, type PositionLost, WarehouseError } from "../range/MoveError.ts"
import {
  addDelivered,
  badTokenOf,
  type DeliveredRows,
  describeRange,
  nothingDelivered,
  type PendingRange,
  type Position,
  type Range,
  tokenOf
} from "../range/Range.ts"
import { idleWait, longestPause, partitionsEvery } from "../rule/attempts.ts"
import { resumeBy } from "../range/Decision.ts"
import { noteObjects } from "../range/NotedObjects.ts"
import { deduplicationWindow, isForgotten } from "../rule/deduplicationWindow.ts"
import { addUnknownFields, type UnknownFields } from "../range/unknownFields.ts"
import { continueGeneration } from "./continueGeneration.ts"
import { insertRange, type RangeWriter, rejectedOf } from "./insertRange.ts"
import { moveObjects, objectsAtOnce } from "./moveObject.ts"
import { type Attempts, type MoverOptions, type MoverStatus, runAttempts } from "./runAttempts.ts"
import { restartOwned, startsOf } from "./restartPipe.ts"
import { trackObjects } from "./trackObjects.ts"

/** What {@link movePipe} moves, and how much at once. */
export interface MoveOptions extends MoverOptions {
  /** The most that one range holds. Memory is bounded by `inFlight` times `limits.bytes`. */
  readonly limits: RangeLimits
  /** Ranges that are recorded and inserted at the same time, each of a partition of its own. Of objects, three of a partition. */
  readonly inFlight: number
  /** Parts that one insert makes: the partitions of the table that a range may touch. */
  readonly partsPerInsert: number
  readonly pipesOnTable: number
}

const remedies = {
  otherSource: `To read the new one from where a new pipe would begin: ${resumeBy({ from: "start" })}`,
  restored: `To go on from what is in the warehouse: ${resumeBy({ from: "warehouse" })}. To trust the server's store instead: ${resumeBy({ from: "ledger" })}`
}

/** Positions of objects are numbers. An earlier build had keys, below which nothing tells what was read. */
const checkNumbered = ({ current, recorded }: LedgerState) => {
  const positions = [...(current?.starts.values() ?? []), ...recorded.values()]
  const message = `the pipe was made by an earlier version, which did not record the objects that it has read. Empty the table, then: ${resumeBy({ from: "start" })}. Without emptying it, every row is there twice`
  return positions.every((position) => /^\d+$/u.test(position))
    ? Effect.void
    : Effect.fail(new CannotContinue({ message }))
}

const changedObjects = ({ changed, example = "" }: ObjectListing): ReadonlyArray<string> =>
  changed === 0
    ? []
    : [`${changed} objects have changed since they were read, and are not read again, such as ${example.slice(0, 200)}`]

/** What was found in a range while it was delivered. */
interface FoundInRange {
  readonly unknownFields: UnknownFields
  /** The keys of objects that went to the error table whole, and of those that have bytes and no row. */
  readonly rejectedObjects?: ReadonlyArray<string>
  readonly emptyObjects?: ReadonlyArray<string>
}

type Planned = Extract<Plan, { readonly _tag: "Planned" }>

/** Whether the log proves that all rows of a range are in the table. */
const isLogged = ({ generation, partition, to }: Range, logged: LoggedPositions): boolean =>
  logged.generation === generation && logged.positions.get(partition) === to

/**
 * Owns a pipe and moves it: plans a range, records it, inserts it, logs it, marks it as done. The rows of objects, which the
 * warehouse reads by itself, are staged and moved in the place of the insert. It ends when the source does,
 * when the pipe is Failed, or when another mover takes the pipe.
 *
 * Every step may be the last: to stop or pause a pipe is to interrupt this effect, and the next mover replays what is
 * pending. After a failure the mover itself begins like a new one, so there is one way back and no other.
 *
 * @example
 * ```ts
 * import { PipeId } from "@headgate/core"
 * import { Ledger, movePipe, Source, Warehouse } from "@headgate/mover"
 * import { MemoryLedger, MemorySource, MemoryWarehouse } from "@headgate/mover/memory"
 * import * as Console from "effect/Console"
 * import * as Duration from "effect/Duration"
 * import * as Effect from "effect/Effect"
 *
 * const source = MemorySource.make()
 * const warehouse = MemoryWarehouse.make()
 *
 * const moved = Effect.gen(function* () {
 *   yield* source.append("0", '{"n":1}', '{"n":2}')
 *   yield* source.end
 *   return yield* movePipe({
 *     pipeId: PipeId.make("b1be0000-0000-4000-8000-000000000001"),
 *     limits: { rows: 100_000, bytes: 32_000_000, wait: Duration.seconds(5) },
 *     inFlight: 4,
 *     partsPerInsert: 1,
 *     pipesOnTable: 1,
 *     report: ({ state }) => Console.log(state)
 *   })
 * }).pipe(
 *   Effect.provideService(Source, source.source),
 *   Effect.provideService(Warehouse, warehouse.warehouse),
 *   Effect.provideService(Ledger, MemoryLedger.make().ledger)
 * )
 *
 * export const program = Effect.map(moved, ({ _tag }) => _tag) // Completed
 * ```
 */
export const movePipe = Effect.fn("movePipe")(function* (options: MoveOptions) {
  const { inFlight, limits, pipeId } = options
  const [source, warehouse, ledger] = [yield* Source, yield* Warehouse, yield* Ledger]
  const window = deduplicationWindow(options)
  let { decision } = options
  let confirmedAt = 0n

  const checkEpoch = Effect.fnUntraced(function* (owner: Owner) {
    yield* ledger.check(owner)
    confirmedAt = yield* Clock.monotonicTimeNanos
  })

  /** The rows of a range. A mover that was frozen while it sent them checks its epoch before it sends more. */
  const rowsOf = (owner: Owner, range: Range) =>
    Stream.mapArrayEffect(
      source.read(range),
      Effect.fnUntraced(function* (rows) {
        const pause = Duration.nanos((yield* Clock.monotonicTimeNanos) - confirmedAt)
        if (Duration.isGreaterThan(pause, longestPause)) yield* checkEpoch(owner)
        return rows
      })
    )

  const finish = Effect.fnUntraced(function* (
    owner: Owner,
    range: Range,
    delivered: DeliveredRows,
    read?: LoggedObjects
  ) {
    // In this order: the log stands at the last done range or at a pending one, and anything else is a restored backup.
    yield* warehouse.log(range, read)
    yield* ledger.markDone(owner, range, { ...delivered, ...(read === undefined ? {} : { objects: read.objects }) })
    return { delivered }
  })

  const { objects } = source
  const readAhead = objects === undefined ? 0 : objectsAtOnce - 1
  /** A range to deliver, and since which generation objects are recorded. */
  type Delivery = Pick<PendingRange, "range" | "rejected" | "staged"> & { readonly objectsSince: number }

  const deliverRows = Effect.fnUntraced(function* (
    owner: Owner,
    { range, rejected }: Delivery,
    ready: Effect.Effect<void, MoveError>
  ) {
    yield* ready
    yield* checkEpoch(owner)
    const writer: RangeWriter<MoveError> = {
      insert: (rows) =>
        warehouse.insert(owner, range, tokenOf(range), rows, {
          ...(rejected === undefined ? {} : { recorded: rejected }),
          record: (found) => ledger.recordRejected(owner, range, found)
        }),
      insertBad: (rows) => warehouse.insertBad(range, badTokenOf(range), rows)
    }
    const { badRows, unknownFields } = yield* insertRange(writer, rowsOf(owner, range))
    const finished = yield* finish(owner, range, { rows: range.rows ?? 0, rejected: badRows })
    return { left: 0, unknownFields, ...finished }
  })

  /** Writes those rows of a range into the error table that were recorded as rejected. The reasons are not recorded. */
  const writeRejected = Effect.fnUntraced(function* (
    owner: Owner,
    { range, rejected }: Pick<PendingRange, "range" | "rejected">
  ) {
    if (rejected === undefined) return
    const found = rejected.rows.map((row) => ({ row, reason: "rejected before the pipe was interrupted" }))
    yield* warehouse
      .insertBad(range, badTokenOf(range), rejectedOf(rowsOf(owner, range), found))
      .pipe(Effect.catchTag("PositionLost", () => Effect.void))
  })

  const deliverObject = (objects: ObjectRanges) =>
    Effect.fnUntraced(function* (owner: Owner, pending: Delivery, ready: Effect.Effect<void, MoveError>) {
      const mover = { ledger, warehouse, objects, ready }
      const { objects: read, staging, ...moved } = yield* moveObjects(mover, owner, pending, checkEpoch)
      const { badRows, rows, ...found } = moved
      const log = { since: pending.objectsSince, objects: read }
      const finished = yield* finish(owner, pending.range, { rows, rejected: badRows }, log)
      if (staging !== undefined) yield* warehouse.discard(staging)
      return { ...found, ...finished }
    })

  /** Delivers a range. `ready` ends when its rows may reach the table: the range before it in its partition is done. */
  const deliver: (
    owner: Owner,
    pending: Delivery,
    ready: Effect.Effect<void, MoveError>
  ) => Effect.Effect<
    FoundInRange & {
      readonly delivered: DeliveredRows
      /** How many objects have left the range, and are to be planned again. */
      readonly left: number
    },
    MoveError
  > = objects === undefined ? deliverRows : deliverObject(objects)

  /** What the status says of a range that was delivered. */
  const withDelivered = (
    status: MoverStatus,
    {
      delivered,
      emptyObjects = [],
      rejectedObjects = [],
      unknownFields
    }: FoundInRange & {
      readonly delivered: DeliveredRows
    }
  ) => ({
    ranges: status.ranges + 1,
    rows: status.rows + delivered.rows,
    badRows: status.badRows + delivered.rejected,
    delivered: addDelivered(status.delivered ?? nothingDelivered, delivered),
    unknownFields: addUnknownFields(status.unknownFields, unknownFields),
    rejectedObjects: noteObjects(status.rejectedObjects, rejectedObjects),
    emptyObjects: noteObjects(status.emptyObjects, emptyObjects)
  })

  const forgetDecision = Effect.gen(function* () {
    yield* options.decided ?? Effect.void
    // It does not hold for what happens to this mover later.
    decision = undefined
  })

  const replay = Effect.fnUntraced(function* (
    owner: Owner,
    { current, pending }: LedgerState,
    { remembersFor }: Destination,
    logged: LoggedPositions,
    report: Attempts["report"]
  ) {
    const memory = { remembersFor, window, inserts: logged.inserts }
    // Staged rows are under no token.
    const underTokens = objects === undefined ? pending.filter(({ range }) => !isLogged(range, logged)) : []
    const forgotten = new Set(underTokens.filter((one) => isForgotten(one, memory)))
    const [first] = forgotten
    const decided = decision !== undefined && "pending" in decision ? decision.pending : undefined
    if (first !== undefined && decided === undefined) {
      return yield* new CannotContinue({
        message: `the warehouse may have forgotten the token of a pending range: ${describeRange(first.range)}. Look whether its rows are in the table. If they are not: ${resumeBy({ pending: "replay" })}. If they are: ${resumeBy({ pending: "skip" })}`
      })
    }
    const lost: Array<PositionLost> = []
    for (const one of pending) {
      const leaveOut = Effect.asVoid(finish(owner, one.range, nothingDelivered))
      // The rows of it that were rejected are in the table in no case.
      const rejectedRows = { rows: 0, rejected: one.rejected?.rows.length ?? 0 }
      const leaveOutGood = Effect.andThen(writeRejected(owner, one), finish(owner, one.range, rejectedRows))
      const count = (moved: Parameters<typeof withDelivered>[1]) => report((status) => withDelivered(status, moved))
      if (objects === undefined && isLogged(one.range, logged)) {
        const delivered = { rows: one.range.rows ?? 0, rejected: one.rejected?.rows.length ?? 0 }
        yield* count({ unknownFields: new Map(), ...(yield* finish(owner, one.range, delivered)) })
        continue
      }
      const objectsSince = current?.objectsSince ?? one.range.generation
      // Somebody has looked: none of its rows is in the table, so they are checked anew.
      const unchecked = one.staged === undefined ? { range: one.range } : { range: one.range, staged: one.staged }
      const delivered = deliver(owner, { ...(decided === "replay" ? unchecked : one), objectsSince }, Effect.void)
      yield* decided === "skip" && forgotten.has(one)
        ? leaveOutGood
        : Effect.flatMap(delivered, count).pipe(
            Effect.catchTag("PositionLost", (error) =>
              decided === "skip" ? leaveOut : Effect.sync(() => void lost.push(error))
            ),
            Effect.catchTag("RejectionChanged", (error): Effect.Effect<void, MoveError> =>
              decided === "skip" ? Effect.asVoid(leaveOutGood) : Effect.fail(error)
            )
          )
    }
    // What another decision is then about is nothing but these.
    const [firstLost] = lost
    if (firstLost !== undefined) return yield* firstLost
  })

  /** The positions at which partitions go on: the first ones that the source holds, where it has lost what comes next. */
  const heldPositions = Effect.fnUntraced(function* (positions: ReadonlyMap<string, Position>) {
    const limits = { rows: 1, bytes: 1, wait: Duration.zero }
    const held = yield* Effect.forEach(positions, ([partition, from]) =>
      source.plan(partition, from, limits).pipe(
        Effect.as([partition, from] as const),
        Effect.catchTag("PositionLost", ({ first }) => Effect.succeed([partition, first] as const))
      )
    )
    return new Map(held)
  })

  const attempt = Effect.fnUntraced(function* ({ recover, report, reportDelivered, take }: Attempts) {
    const owner = yield* take
    const identity = yield* source.identity
    const { delivered, done, pending, tables } = yield* ledger.state(pipeId)
    const hasMoved = delivered.rows > 0 || done.size > 0 || pending.length > 0
    const isAccepted =
      decision !== undefined && ("acceptTable" in decision || ("from" in decision && decision.from === "start"))
    const destination = yield* warehouse.open(pipeId, window, hasMoved && !isAccepted ? tables : undefined)
    const { warnings } = destination
    if (warnings !== undefined) yield* report(() => ({ warnings }))
    if (decision !== undefined && "from" in decision) {
      yield* restartOwned(owner, decision.from)
      yield* forgetDecision
    }
    const state = yield* ledger.state(pipeId)
    if (destination.tables !== undefined && !Equal.equals(destination.tables, state.tables)) {
      yield* ledger.recordTables(owner, destination.tables)
    }
    // Before anything else that may need a decision.
    if (decision !== undefined && "acceptTable" in decision) yield* forgetDecision
    yield* reportDelivered(state.delivered)
    if (objects !== undefined) yield* checkNumbered(state)
    const logged = yield* warehouse.logged(pipeId)
    let current = yield* continueGeneration(ledger, owner, identity, state, logged, startsOf(source), remedies)
    if (objects !== undefined) {
      const staged = state.pending.flatMap(({ staged }) => (staged === undefined ? [] : [staged.staging]))
      yield* warehouse.takeOver(owner, new Set(staged))
    }
    yield* replay(owner, state, destination, logged, report)
    let starts = new Map<string, Position>([...current.starts, ...state.recorded])
    if (decision !== undefined) {
      if ("pending" in decision && decision.pending === "skip" && objects === undefined) {
        const held = yield* heldPositions(starts)
        if (!Equal.equals(held, starts)) {
          current = { generation: current.generation + 1, source: identity, starts: held }
          yield* ledger.begin(owner, current)
          starts = held
        }
      }
      yield* forgetDecision
    }
    const permits = yield* Semaphore.make(inFlight)
    const moving = yield* FiberSet.make<void, MoveError>()
    const tracked = trackObjects(ledger, owner)
    const objectsSince = current.objectsSince ?? current.generation
    // An object that leaves its group after plain inserts would be inserted again with those that stay.
    const groups = destination.guarantee === "exactly once" ? {} : { objects: 1 }
    const known = new Set<string>()
    const working = new Set<string>()
    const ended = new Set<string>()
    /** The partitions of which objects are to be planned again. */
    const left = new Set<string>()

    /**
     * Where the log may be, of the partitions of which it knows a range of this generation: at the last range that is done, or at one
     * that is recorded.
     */
    const logs = new Map(
      state.current?.generation === current.generation
        ? Array.from(state.recorded, ([partition, to]): [string, ReadonlyArray<Position>] => [partition, [to]])
        : []
    )
    /**
     * What the warehouse holds before a range is inserted. Notices one that was restored from a backup while the mover runs, before more
     * rows are in it, also by the positions of partitions that have no new rows.
     */
    const checkLogged = Effect.fnUntraced(function* ({ from, generation, partition }: Range) {
      const before = new Map(logs)
      const logged = yield* warehouse.logged(pipeId)
      for (const [known, positions] of before) {
        const found = logged.generation === generation ? logged.positions.get(known) : undefined
        const expected = known === partition ? [from] : [...positions, ...(logs.get(known) ?? [])]
        if (found !== undefined && expected.includes(found)) continue
        return yield* new WarehouseError({
          message: `partition ${known}: the warehouse is not where the pipe left it, at ${expected.join(" or ")}`
        })
      }
      return logged
    })

    const moveRange = Effect.fnUntraced(function* (
      range: Range,
      { bytes, objects: planned = [] }: Planned,
      ready: Effect.Effect<void, MoveError>
    ) {
      const [time, moved] = yield* Effect.timed(deliver(owner, { range, objectsSince }, ready))
      tracked.remove(planned)
      if (moved.left > 0) left.add(range.partition)
      const later = logs.get(range.partition) ?? []
      logs.set(range.partition, [range.to, ...later.slice(later.indexOf(range.to) + 1)])
      yield* report((status) => ({
        ...withDelivered(status, moved),
        bytes: status.bytes + bytes,
        insertSeconds: status.insertSeconds + Duration.toSeconds(time)
      }))
    })

    /** One partition that works says nothing of another one that fails each time. */
    const recoverWhenAllWork = Effect.suspend(() =>
      working.size === known.size ? recover(owner, destination.guarantee) : Effect.void
    )

    /** Moves a partition at its own speed. It waits for rows without a permit, so that idle partitions hold up none. */
    const movePartition = Effect.fnUntraced(function* (partition: string, start: Position) {
      let from = start
      // What is there is moved at once, and shows that the pipe works.
      let within: RangeLimits = { ...limits, ...groups, wait: Duration.zero }
      // The ranges that are not done, in their order: each ends when it is.
      const undone: Array<Effect.Effect<void, MoveError>> = []
      while (!ended.has(partition)) {
        const plan = yield* source.plan(partition, from, within, tracked.record)
        within = { ...limits, ...groups, idleWait }
        const { listing } = plan
        if (listing !== undefined) {
          yield* report(() => ({ listing, warnings: [...(warnings ?? []), ...changedObjects(listing)] }))
        }
        if (plan._tag === "Planned") {
          const { detail, rows, to } = plan
          const planned = { pipeId, generation: current.generation, source: identity, partition, from, to }
          yield* permits.take(1)
          // Nothing of a partition of rows is undone here. An object waits for the one before it when it has been read.
          const { inserts } = objects === undefined ? yield* checkLogged(planned) : {}
          const range: Range = {
            ...planned,
            ...(detail === undefined ? {} : { detail }),
            ...(inserts === undefined ? {} : { insertsBefore: inserts }),
            ...(objects === undefined ? { rows } : {})
          }
          yield* ledger.record(owner, range)
          const known = logs.get(partition)
          if (known !== undefined) logs.set(partition, [...known, to])
          tracked.add(plan.objects ?? [])
          const previous = undone.at(-1) ?? Effect.void
          const ready = objects === undefined ? previous : Effect.andThen(previous, checkLogged(range))
          const moves = moveRange(range, plan, ready)
          undone.push(Fiber.join(yield* FiberSet.run(moving, Effect.ensuring(moves, permits.release(1)))))
          from = to
        }
        const kept = plan._tag === "Planned" ? readAhead : 0
        const awaited = undone.splice(0, Math.max(0, undone.length - kept))
        for (const range of awaited) yield* range
        if (plan._tag === "Planned" && awaited.length === 0) continue
        // What has left its range since the source was read is found by another look.
        if (plan._tag === "End" && !left.delete(partition)) ended.add(partition)
        working.add(partition)
        yield* recoverWhenAllWork
      }
    })

    while (true) {
      // A source may grow.
      for (const { first, partition } of yield* source.partitions) {
        if (known.has(partition)) continue
        known.add(partition)
        // The ledger has the starts of all partitions that were there when the generation began. Any other one was added since,
        // and all of its rows belong to the pipe.
        yield* FiberSet.run(moving, movePartition(partition, starts.get(partition) ?? first))
      }
      yield* recoverWhenAllWork
      if (known.size > 0 && ended.size === known.size) return
      const waits = Effect.raceFirst(FiberSet.awaitEmpty(moving), Effect.sleep(partitionsEvery))
      // The failure of one partition ends the attempt for all.
      yield* Effect.raceFirst(FiberSet.join(moving), waits)
    }
  }, Effect.scoped)

  return yield* runAttempts(options, attempt)
})
