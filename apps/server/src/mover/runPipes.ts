import { type PipeId, type PipeState, versionOf } from "@headgate/core"
import type { MovedPipe, MovedPipes, MovingPipe } from "@headgate/core/adapter"
import { LedgerError, type Leases, OwnershipLost } from "@headgate/mover"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Fiber from "effect/Fiber"
import { randomUUID } from "node:crypto"
import { type LivePipe, mover, reportOf, sample, takeNote, wantsNote } from "./LivePipe.ts"
import { movedPipe, type MovedWith } from "./movedPipe.ts"
import { stopUnserved, storeState } from "./storeState.ts"

/** How often the store is asked which pipes are to be moved. */
const interval = Duration.millis(500)

/** How long the store is left alone after it did not answer. */
const afterOutage = Duration.seconds(5)

/** How many pipes are started, stopped and reported at the same time. */
const atOnce = 8

/** The state in which a pipe ends that is not to move; `undefined` for one that is. */
const restOf = ({ goal, state }: MovedPipe): PipeState | undefined => {
  if (goal === "Stopped" || goal === "Paused") return goal
  if (state === "Stopping") return "Stopped"
  return state === "Pausing" ? "Paused" : undefined
}

/** Whether two versions of a pipe are moved alike: a name, a size or a state changes nothing. */
const isMovedAlike = (one: MovingPipe, other: MovingPipe): boolean =>
  Equal.equals(one.credentials ?? {}, other.credentials ?? {}) &&
  Equal.equals(
    [one.pipe.source, one.pipe.destination, one.pipe.fieldMappings, one.pipe.settings],
    [other.pipe.source, other.pipe.destination, other.pipe.fieldMappings, other.pipe.settings]
  )

/** Whether a pipe is moved in its last version. What another server took, and this one looks after again, wants a new mover. */
const isCurrent = ({ version }: MovedPipe, live: LivePipe): boolean =>
  live.version === version && live.end?._tag !== "Superseded"

/** Whether the store has the state that a mover has reached. */
const isStored = ({ state }: MovedPipe, live: LivePipe): boolean => {
  const report = reportOf(live)
  return report === undefined || (report.state === state && report.message === live.reported?.message)
}

/** Whether a mover has come to its end. Its fiber may still close what it has opened. */
const isOver = ({ end, status }: LivePipe): boolean =>
  end !== undefined || status?.state === "Failed" || status?.state === "Completed"

/**
 * Moves the pipes of a store: a fiber for each. Every half second it asks which pipes are to be moved, starts and interrupts
 * their fibers, and stores the states that these have reached. Only this loop writes states, so nothing overtakes anything.
 * With `leases`, several servers divide the pipes.
 */
export const runPipes = Effect.fnUntraced(function* (
  moved: MovedPipes["Service"],
  options: MovedWith,
  leases?: Leases["Service"]
) {
  const running = new Map<PipeId, LivePipe>()
  /** The pipes whose fibers were interrupted and have not ended: a connection that is being opened may take its time. */
  const ending = new Set<PipeId>()
  // No other process has it, nor has one that was in this one's place.
  const leaseName = `${mover} ${randomUUID()}`
  // It runs after the pipes have stopped.
  if (leases !== undefined) yield* Effect.addFinalizer(() => Effect.ignore(leases.release(leaseName)))

  /** Begins to stop a pipe. Nothing waits for the end, so that one pipe holds up no other. */
  const stop = Effect.fnUntraced(function* (id: PipeId) {
    const live = running.get(id)
    if (live === undefined) return
    running.delete(id)
    ending.add(id)
    yield* Effect.forkScoped(
      Effect.andThen(
        Fiber.interrupt(live.fiber),
        Effect.sync(() => ending.delete(id))
      )
    )
  })

  /** A mover whose pipe was changed by a caller in the meantime ends, and another one looks at the pipe anew. */
  const forgetDecision = ({ address, version }: MovedPipe) =>
    moved.decided(address, version).pipe(
      Effect.mapError(({ message }) => new LedgerError({ message })),
      Effect.filterOrFail(
        (isForgotten) => isForgotten,
        () => new OwnershipLost({ message: "a caller has changed the pipe" })
      ),
      Effect.asVoid
    )

  const start = Effect.fnUntraced(function* (pipe: MovedPipe, moving: MovingPipe) {
    const { pipeId } = pipe.address
    const begun = yield* Deferred.make<LivePipe>()
    const move = Effect.gen(function* () {
      const live = yield* Deferred.await(begun)
      live.end = yield* movedPipe(
        pipe,
        moving,
        options,
        (status) =>
          Effect.sync(() => {
            live.status = status
          }),
        forgetDecision(pipe),
        (source) => {
          live.source = source
        }
      )
    })
    const live: LivePipe = {
      moving,
      fiber: yield* Effect.forkScoped(move),
      version: pipe.version,
      status: undefined,
      source: undefined,
      end: undefined,
      reported: undefined,
      samples: [],
      note: undefined
    }
    running.set(pipeId, live)
    yield* Deferred.succeed(begun, live)
  })

  /** Starts a pipe that does not move, and starts it again if a caller has changed what is moved. */
  const keepMoving = Effect.fnUntraced(function* (pipe: MovedPipe) {
    const live = running.get(pipe.address.pipeId)
    if (live !== undefined && isCurrent(pipe, live)) return
    const moving = yield* moved.read(pipe.address)
    const { state } = moving.pipe
    // A command after the end of a mover wants another one, and so does a resync.
    if (live !== undefined && !isOver(live) && state !== "Resync" && isMovedAlike(live.moving, moving)) {
      live.version = pipe.version
      live.reported = undefined
      return
    }
    yield* stop(pipe.address.pipeId)
    // It is started when its last fiber has ended.
    if (ending.has(pipe.address.pipeId)) return
    yield* start({ ...pipe, state, version: versionOf(moving.pipe) ?? pipe.version }, moving)
  })

  const reconcile = Effect.fnUntraced(function* (pipe: MovedPipe) {
    const { pipeId } = pipe.address
    const rest = restOf(pipe)
    if (rest !== undefined) {
      yield* stop(pipeId)
      if (!ending.has(pipeId)) yield* storeState(moved, pipe, { state: rest })
      return
    }
    if (!options.engines.has(pipe.warehouse)) {
      yield* stopUnserved(moved, pipe)
      return
    }
    yield* keepMoving(pipe)
    const live = running.get(pipeId)
    const report = live === undefined ? undefined : reportOf(live)
    if (live === undefined || report === undefined) return
    if (isStored(pipe, live) || (yield* storeState(moved, pipe, report))) live.reported = report
  })

  /** Whether a pipe moves as the store has it, and its state is stored: there is nothing to do for most pipes most of the time. */
  const isSettled = (pipe: MovedPipe): boolean => {
    const live = running.get(pipe.address.pipeId)
    return (
      live !== undefined &&
      restOf(pipe) === undefined &&
      options.engines.has(pipe.warehouse) &&
      isCurrent(pipe, live) &&
      isStored(pipe, live)
    )
  }

  /** Looks after a pipe. One whose stored source cannot be read is Failed, and keeps no other from being looked after. */
  const lookAfter = (pipe: MovedPipe) => {
    const { pipeId } = pipe.address
    return reconcile(pipe).pipe(
      Effect.catchTag("PipeNotFound", () => stop(pipeId)),
      Effect.catchDefect(
        Effect.fnUntraced(function* (defect) {
          yield* Effect.logError(`pipe ${pipeId} could not be looked after`, defect)
          yield* stop(pipeId)
          yield* storeState(moved, pipe, {
            state: "Failed",
            message: "the mover failed: the log of the server says why"
          })
        })
      )
    )
  }

  /** The pipes that this server looks after: all of its store, or its share of those that it can move. */
  const listMine = Effect.gen(function* () {
    const listed = yield* moved.list
    if (leases === undefined) return listed
    const served = listed.filter(({ warehouse }) => options.engines.has(warehouse))
    const mine = yield* leases.share(
      { name: leaseName, serves: Array.from(options.engines.keys()).toSorted().join(" ") },
      served.map(({ address }) => address.pipeId),
      (id) => running.get(id)?.note?.text ?? JSON.stringify({ mover })
    )
    return served.filter(({ address }) => mine.has(address.pipeId))
  })

  const tick = Effect.gen(function* () {
    const listed = yield* listMine
    const ids = new Set(listed.map(({ address }) => address.pipeId))
    // Deleted, at rest, or another server's.
    for (const id of Array.from(running.keys())) if (!ids.has(id)) yield* stop(id)
    for (const live of running.values()) sample(live)
    const unsettled = listed.filter((pipe) => !isSettled(pipe))
    yield* Effect.forEach(unsettled, lookAfter, { concurrency: atOnce, discard: true })
    return interval
  }).pipe(
    // The store has logged why it does not answer.
    Effect.catch(() => Effect.succeed(afterOutage)),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("the pipes could not be looked after", defect), afterOutage)
    )
  )

  if (leases !== undefined) {
    // Apart from the loop: sources that do not answer must not delay the leases.
    const takeNotes = Effect.suspend(() =>
      Effect.forEach(Array.from(running.values()).filter(wantsNote), takeNote, { concurrency: atOnce, discard: true })
    )
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(takeNotes, Effect.sleep(interval))))
  }
  yield* Effect.forkScoped(Effect.forever(Effect.flatMap(tick, Effect.sleep)))
  const live: ReadonlyMap<PipeId, LivePipe> = running
  return live
})
