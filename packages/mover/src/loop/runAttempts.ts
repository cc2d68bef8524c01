import type { PipeId } from "@headgate/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import { Ledger, type Owner } from "../port/Ledger.ts"
import type { ObjectListing } from "../port/Source.ts"
import type { Destination } from "../port/Warehouse.ts"
import type { Decision } from "../range/Decision.ts"
import { type LedgerError, type LedgerWriteError, type MoveError, reactions } from "../range/MoveError.ts"
import { NotedObjects } from "../range/NotedObjects.ts"
import type { DeliveredRows } from "../range/Range.ts"
import type { UnknownFields } from "../range/UnknownFields.ts"
import { defaultRetryTimeout, longestPause, retryDelay } from "../rule/attempts.ts"

/** How a mover is doing. The counts but `delivered` are this mover's own, from its start. */
export interface MoverStatus {
  readonly state: "Setup" | "Running" | "Degraded" | "Failed" | "Completed"
  /** Why the pipe is Degraded or Failed, and what to do. */
  readonly message?: string
  /** What the destination promises; absent until it is open. */
  readonly guarantee?: Destination["guarantee"]
  readonly ranges: number
  readonly rows: number
  readonly bytes: number
  readonly rejectedRows: number
  /** What the pipe has delivered, by all its movers; absent until the ledger has said it. */
  readonly delivered?: DeliveredRows
  readonly unknownFields: UnknownFields
  /** Objects that went to the error table whole, by their keys: refused, damaged, or with rows that cannot be told apart. */
  readonly rejectedObjects: NotedObjects
  /** Objects that have bytes and no row. */
  readonly emptyObjects: NotedObjects
  /** What needs attention while the pipe moves. */
  readonly warnings: ReadonlyArray<string>
  /** The last list of objects; absent before one has ended, and for sources without objects. */
  readonly listing?: ObjectListing
  /** The time that the inserts of all ranges took together. */
  readonly insertSeconds: number
}

const initial: MoverStatus = {
  state: "Setup",
  ranges: 0,
  rows: 0,
  bytes: 0,
  rejectedRows: 0,
  unknownFields: new Map(),
  rejectedObjects: NotedObjects.none,
  emptyObjects: NotedObjects.none,
  warnings: [],
  insertSeconds: 0
}

/** The {@link MoverStatus} with which a mover begins. */
export const MoverStatus = {
  /**
   * The status of a mover that has not moved anything.
   *
   * @example
   * ```ts
   * import { MoverStatus } from "@headgate/mover"
   *
   * console.log(MoverStatus.initial.state, MoverStatus.initial.rows) // Setup 0
   * ```
   */
  initial
}

/** How a mover ended. `Superseded`: another mover owns the pipe. */
export interface MoverEnd {
  readonly _tag: "Completed" | "Failed" | "Superseded"
  readonly message?: string
}

/** The options of every mover of a pipe. */
export interface MoverOptions {
  readonly pipeId: PipeId
  /** For how long a pipe is Degraded before it is Failed. By default 15 minutes. */
  readonly retryTimeout?: Duration.Duration
  /** Called at each change. It cannot fail, and the mover waits for it. */
  readonly report: (status: MoverStatus) => Effect.Effect<void>
  /**
   * What a person has decided; of a pipe that copies tables, `acceptTable` alone. It is carried out before the first new range is
   * recorded. Without it such a pipe is Failed.
   */
  readonly decision?: Decision
  /**
   * Called when `decision` was carried out, and before rows are moved after it: it must not be carried out by a later mover. If
   * it fails, the decision is carried out again, which is harmless.
   */
  readonly decided?: Effect.Effect<void, LedgerWriteError>
}

/** What an attempt to move a pipe does beside moving it. */
export interface Attempts {
  /** Shows what the ledger counts: nothing that an attempt before counted, and did not record, is left. */
  readonly reportDelivered: (delivered: DeliveredRows) => Effect.Effect<void>
  /** The pipe's owner: the first attempt takes the pipe, and one that finds a changed ledger takes it again. */
  readonly take: Effect.Effect<Owner, LedgerError>
  /** Changes the status, and reports it. */
  readonly report: (change: (status: MoverStatus) => Partial<MoverStatus>) => Effect.Effect<void>
  /** Everything worked: what failed before does not count any more. */
  readonly recover: (owner: Owner, guarantee: Destination["guarantee"]) => Effect.Effect<void, LedgerWriteError>
}

const longestTick = Duration.toNanosUnsafe(longestPause)

/**
 * Counts the time in which this process runs, by the monotonic clock: each time that it is stopped (SIGSTOP, a suspended
 * machine) counts as {@link longestPause} at most.
 */
const countRunningTime = Effect.gen(function* () {
  let last = yield* Clock.monotonicTimeNanos
  let counted = 0n
  const read = Effect.map(Clock.monotonicTimeNanos, (now) => {
    counted += now - last < longestTick ? now - last : longestTick
    last = now
    return Duration.nanos(counted)
  })
  const ticks = yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep("1 second"), read)))
  return { read, end: Fiber.interrupt(ticks) }
})

/**
 * Attempts to move a pipe until it is Completed or Failed, or another mover takes it. After a failure that may pass it tries
 * again with a growing pause, and gives up when the pipe has been tried in vain for too long, by any mover.
 */
export const runAttempts = Effect.fnUntraced(function* <R>(
  { retryTimeout = defaultRetryTimeout, pipeId, report }: MoverOptions,
  attempt: (attempts: Attempts) => Effect.Effect<void, MoveError, R>
) {
  const ledger = yield* Ledger
  let status = MoverStatus.initial
  const reportState = ({ guarantee, ...change }: Pick<MoverStatus, "state" | "message" | "guarantee">) =>
    Effect.suspend(() => {
      const { message: _, ...rest } = status
      status = guarantee === undefined ? { ...rest, ...change } : { ...rest, ...change, guarantee }
      return report(status)
    })

  let taken: Owner | undefined
  /** For how long earlier movers tried in vain; absent until the ledger has said it. */
  let failedBefore: Duration.Duration | undefined
  /** The time since the first failure in a row. Nothing is counted, and no timer runs, while the pipe works. */
  let failingTime: Effect.Success<typeof countRunningTime> | undefined
  let failures = 0

  const reportChange: Attempts["report"] = (change) =>
    Effect.suspend(() => {
      status = { ...status, ...change(status) }
      return report(status)
    })

  const attempts: Attempts = {
    reportDelivered: (delivered) =>
      Effect.suspend(() =>
        Equal.equals(status.delivered, delivered) ? Effect.void : reportChange(() => ({ delivered }))
      ),
    take: Effect.gen(function* () {
      if (taken !== undefined) return taken
      const owner = yield* ledger.take(pipeId)
      failedBefore ??= (yield* ledger.state(pipeId)).failingFor
      taken = owner
      return owner
    }),
    report: reportChange,
    recover: Effect.fnUntraced(function* (owner, guarantee) {
      const failed = failingTime !== undefined || Duration.isGreaterThan(failedBefore ?? Duration.zero, Duration.zero)
      if (failed) yield* ledger.markFailing(owner, Duration.zero)
      if (failingTime !== undefined) yield* failingTime.end
      failingTime = undefined
      failedBefore = Duration.zero
      failures = 0
      if (status.state !== "Running") yield* reportState({ state: "Running", guarantee })
    })
  }

  const fail = Effect.fnUntraced(function* (message: string) {
    yield* reportState({ state: "Failed", message })
    return { _tag: "Failed", message } satisfies MoverEnd
  })

  /** What an error means for the pipe: its end, or nothing, after which the mover tries again. */
  const react = Effect.fnUntraced(function* (error: MoveError) {
    const reaction = reactions[error._tag]
    if (reaction === "leave") return { _tag: "Superseded", message: error.message } satisfies MoverEnd
    if (reaction === "fail") return yield* fail(error.message)
    failingTime ??= yield* countRunningTime
    failures += 1
    const failingFor = Duration.sum(failedBefore ?? Duration.zero, yield* failingTime.read)
    // If the ledger is what fails, the time of this mover is all that counts.
    if (taken !== undefined) yield* Effect.ignore(ledger.markFailing(taken, failingFor))
    if (error._tag === "LedgerChanged") taken = undefined
    if (Duration.isGreaterThanOrEqualTo(failingFor, retryTimeout)) {
      const tried = Duration.format(Duration.seconds(Math.round(Duration.toSeconds(failingFor))))
      return yield* fail(`tried for ${tried} and gave up: ${error.message}`)
    }
    yield* reportState({ state: "Degraded", message: error.message })
    yield* Effect.sleep(retryDelay(failures, yield* Random.next))
    return undefined
  })

  while (true) {
    const end: MoverEnd | undefined = yield* attempt(attempts).pipe(
      Effect.andThen(reportState({ state: "Completed" })),
      Effect.as({ _tag: "Completed" } satisfies MoverEnd),
      Effect.catch(react)
    )
    if (end !== undefined) return end
  }
}, Effect.scoped)
