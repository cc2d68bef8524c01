import { type PipeId, ServerError } from "@headgate/core"
import type { PipeAssignment } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isOver, type LivePipe, sample } from "../pipe/LivePipe.ts"
import type { MoverContext } from "../pipe/MoverContext.ts"
import { reportOf } from "../pipe/reportOf.ts"
import { makeAssignedPipes } from "./AssignedPipes.ts"
import { keepHistory } from "./HistoryKeeper.ts"
import { makeMetricsKeeper } from "./MetricsKeeper.ts"
import { monotonicMillis } from "./monotonicMillis.ts"
import { makePipeRegistry } from "./PipeRegistry.ts"
import { makePipeShare } from "./PipeShare.ts"
import { keepsMoving, type Observed, reconcilePipe } from "./reconcilePipe.ts"
import { makeStartFailures } from "./StartFailures.ts"
import { storeState } from "./storeState.ts"

/** How often the store is asked which pipes are to be moved, and for the share of this process. */
const interval = Duration.millis(500)

/** How long the store is left alone after it did not answer. */
const afterOutage = Duration.seconds(5)

/** The same for leases, which are lost if they are not renewed. */
const afterLeaseOutage = Duration.seconds(1)

/** After so many milliseconds a mover that this process could not run is started again. */
const unableFor = 10_000

/** How many pipes are started, stopped and reported at the same time. */
const atOnce = 8

const isOutage = Schema.is(ServerError)

/** How much pipes weigh, as far as it is known. */
const weightsOf = (running: ReadonlyMap<PipeId, LivePipe>): ReadonlyMap<PipeId, number> =>
  new Map(Array.from(running).flatMap(([id, { load }]) => (load?.weight === undefined ? [] : [[id, load.weight]])))

/**
 * Moves the pipes of a store: a fiber for each. Every half second it asks which pipes are to be moved, starts and interrupts
 * their fibers, and stores the states that these have reached. Only this loop writes states, so nothing overtakes anything.
 * With leases, several processes divide the pipes. They are renewed apart from that loop, so that no list and no pipe delays them.
 * Returns the pipes of this process.
 */
export const runPipes = Effect.fnUntraced(function* (context: MoverContext) {
  const { engines, moved, store } = context
  const assigned = makeAssignedPipes(moved)
  const share = yield* makePipeShare(store.leases, Array.from(engines.keys()).toSorted().join(" "))
  const metrics = yield* makeMetricsKeeper(store, share.session)
  const startFailures = makeStartFailures()
  // It runs after the pipes have stopped.
  yield* Effect.addFinalizer(() =>
    Effect.andThen(
      Effect.ignore(Effect.suspend(() => metrics.save(Array.from(running.values())))),
      Effect.ignore(share.release)
    )
  )
  yield* keepHistory(context, () => running)
  const { isEnding, running, start, stop } = yield* makePipeRegistry(context, metrics)

  /** When the list was read last, in milliseconds of the monotonic clock. */
  let seenAt = 0

  const observe = ({ address, warehouse }: PipeAssignment): Observed | undefined => {
    const live = running.get(address.pipeId)
    const engine = engines.get(warehouse)
    if (live === undefined || engine === undefined) return undefined
    const { end, reported, unableAt = Infinity, version } = live
    const isSuperseded = end?._tag === "Superseded" || seenAt - unableAt >= unableFor
    return { version, isSuperseded, report: reportOf(live, engine.errorTableOf), reported }
  }
  const stepOf = (pipe: PipeAssignment) => reconcilePipe(pipe, engines.has(pipe.warehouse), observe(pipe))

  /** Starts a pipe that does not move, and starts it again if a user has changed what is moved. */
  const keepMoving = Effect.fnUntraced(function* (pipe: PipeAssignment) {
    const { pipeId } = pipe.address
    const live = running.get(pipeId)
    const record = yield* moved.read(pipe.address)
    if (live !== undefined && keepsMoving(live.record, isOver(live), record)) {
      live.version = pipe.version
      // A user's change has removed the message of the state: it is reported again.
      if (live.reported !== undefined) live.reported = { state: live.reported.state }
      return
    }
    yield* stop(pipeId)
    // It is started when its last fiber has ended.
    if (!isEnding(pipeId)) yield* start(pipe, record)
  })

  const follow = Effect.fnUntraced(function* (pipe: PipeAssignment) {
    const { pipeId } = pipe.address
    const step = stepOf(pipe)
    if (step._tag === "Rest") {
      yield* stop(pipeId)
      if (!isEnding(pipeId)) yield* storeState(moved, pipe, { state: step.state })
    }
    if (step._tag === "Read") yield* keepMoving(pipe)
    const live = running.get(pipeId)
    if (step._tag === "Report" && live !== undefined) {
      if (isOver(live)) yield* metrics.save([live])
      if (yield* storeState(moved, pipe, step.report)) live.reported = step.report
    }
  })

  /**
   * Reconciles a pipe. One whose stored source cannot be read is Failed, and keeps no other from being reconciled. Returns how long
   * the store is then left alone.
   */
  const reconcile = (pipe: PipeAssignment) => {
    const { pipeId } = pipe.address
    return follow(pipe).pipe(
      Effect.catchTag("PipeNotFound", () => stop(pipeId)),
      Effect.as(interval),
      Effect.catchDefect(
        Effect.fnUntraced(function* (defect) {
          // The store was sealed with another key, as it has logged: the pipe waits for a server with that key.
          if (isOutage(defect)) return afterOutage
          yield* Effect.logError(`pipe ${pipeId} could not be reconciled`, defect)
          yield* stop(pipeId)
          yield* storeState(moved, pipe, {
            state: "Failed",
            message: "the mover failed: the log of the server says why"
          })
          return interval
        })
      )
    )
  }

  /** The pipes that this process reconciles: all of its store, or its share of those that it can move. */
  const listMine = Effect.gen(function* () {
    const listed = yield* assigned.poll
    context.listed?.(listed)
    if (store.leases === undefined) return listed
    const served = listed.filter(({ warehouse }) => engines.has(warehouse))
    share.want(new Set(served.map(({ address }) => address.pipeId)))
    return served.filter(({ address }) => share.isMine(address.pipeId))
  })

  const tick = Effect.gen(function* () {
    const listed = yield* listMine
    const ids = new Set(listed.map(({ address }) => address.pipeId))
    // Deleted, at rest, or another process's.
    for (const id of Array.from(running.keys())) if (!ids.has(id)) yield* stop(id)
    seenAt = yield* monotonicMillis
    for (const live of running.values()) sample(live, seenAt)
    const unsettled = listed.filter((pipe) => stepOf(pipe)._tag !== "Nothing")
    const pauses = yield* Effect.forEach(unsettled, reconcile, { concurrency: atOnce })
    return pauses.reduce(Duration.max, interval)
  }).pipe(
    // The store has logged why it does not answer.
    Effect.catch(() => Effect.succeed(afterOutage)),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("the pipes could not be reconciled", defect), afterOutage))
  )

  const divide = Effect.gen(function* () {
    const now = yield* monotonicMillis
    yield* share.ask(weightsOf(running), startFailures.isResting(now))
    for (const id of Array.from(running.keys())) if (!share.isMine(id)) yield* stop(id)
    return interval
  }).pipe(
    Effect.catch(() => Effect.succeed(afterLeaseOutage)),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("the pipes could not be divided", defect), afterLeaseOutage)
    )
  )

  // Apart from the loop: sources that do not answer must not delay the leases.
  const saveDue = Effect.ignore(metrics.saveDue(running)).pipe(
    Effect.catchDefect((defect) => Effect.logError("the metrics of the pipes could not be kept", defect))
  )
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(saveDue, Effect.sleep(interval))))
  if (store.leases !== undefined) {
    yield* Effect.forkScoped(Effect.forever(Effect.flatMap(divide, Effect.sleep)))
    // A disk that does not answer must not delay them either.
    const observeStarts = Effect.flatMap(monotonicMillis, (now) => startFailures.observe(running, now))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(observeStarts, Effect.sleep(interval))))
  }
  yield* Effect.forkScoped(Effect.forever(Effect.flatMap(tick, Effect.sleep)))
  const result: ReadonlyMap<PipeId, LivePipe> = running
  return result
})
