import { type PipeId, type PipeState, ServerError, versionOf } from "@headgate/core"
import type { MovedPipe, MovedPipes, MovingPipe } from "@headgate/core/adapter"
import { LedgerError, type Leases, OwnershipLost } from "@headgate/mover"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { randomUUID } from "node:crypto"
import { performance } from "node:perf_hooks"
import type { OpenedLedger } from "../store/OpenLedger.ts"
import { isOver, type LivePipe, mover, noteOf, readLag, readNote, reportOf, sample, wantsKeeping } from "./LivePipe.ts"
import { movedPipe, type MovedWith } from "./movedPipe.ts"
import { storeState } from "./storeState.ts"

/** How often the store is asked which pipes are to be moved. */
const interval = Duration.millis(500)

/** How long the store is left alone after it did not answer. */
const afterOutage = Duration.seconds(5)

/** How many pipes are started, stopped and reported at the same time. */
const atOnce = 8

const isOutage = Schema.is(ServerError)

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

/** Whether a pipe is to be read from its beginning, so that nothing that was counted before belongs to it. */
const beginsAnew = ({ pipe, progress }: MovingPipe): boolean => {
  const { decision } = progress ?? {}
  return pipe.state === "Resync" || (decision !== undefined && "from" in decision && decision.from === "start")
}

/**
 * Moves the pipes of a store: a fiber for each. Every half second it asks which pipes are to be moved, starts and interrupts
 * their fibers, and stores the states that these have reached. Only this loop writes states, so nothing overtakes anything.
 * With `leases`, several servers divide the pipes. The figures of pipes are kept in `notes`.
 */
export const runPipes = Effect.fnUntraced(function* (
  moved: MovedPipes["Service"],
  options: MovedWith,
  notes: OpenedLedger["notes"],
  leases?: Leases["Service"]
) {
  const running = new Map<PipeId, LivePipe>()
  /** The pipes whose fibers were interrupted and have not ended: a connection that is being opened may take its time. */
  const ending = new Set<PipeId>()
  // No other process has it, nor has one that was in this one's place.
  const leaseName = `${mover} ${randomUUID()}`

  const keeping = yield* Semaphore.make(1)
  /** Keeps the figures that have changed, as they are now. It does so one after the other: none replaces a later one. */
  const keep = (lives: ReadonlyArray<LivePipe>) =>
    Effect.suspend(() => {
      const at = performance.now()
      const found = lives.map((live) => ({ live, id: live.moving.pipe.id, note: noteOf(live) }))
      const changed = found.filter(({ live, note }) => note !== live.kept?.note)
      const write = notes.keepNotes(leaseName, new Map(changed.map(({ id, note }) => [id, note])))
      return Effect.andThen(
        changed.length === 0 ? Effect.void : write,
        Effect.sync(() => {
          for (const { live, note } of found) live.kept = { note, at }
        })
      )
    }).pipe(keeping.withPermit)

  // It runs after the pipes have stopped.
  yield* Effect.addFinalizer(() =>
    Effect.andThen(
      Effect.ignore(Effect.suspend(() => keep(Array.from(running.values())))),
      leases === undefined ? Effect.void : Effect.ignore(leases.release(leaseName))
    )
  )

  /** Begins to stop a pipe. Nothing waits for the end, so that one pipe holds up no other. */
  const stop = Effect.fnUntraced(function* (id: PipeId) {
    const live = running.get(id)
    if (live === undefined) return
    running.delete(id)
    ending.add(id)
    yield* Effect.forkScoped(
      Fiber.interrupt(live.fiber).pipe(
        // A store that does not answer loses the last of them, and does not keep the pipe from its end.
        Effect.andThen(Effect.ignore(keep([live]))),
        Effect.ensuring(Effect.sync(() => ending.delete(id)))
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
    const isNew = beginsAnew(moving)
    // Before the state says that the pipe has begun anew.
    if (isNew) yield* notes.keepNotes(leaseName, new Map([[pipeId, JSON.stringify({ mover })]]))
    const before = isNew ? Option.none() : yield* notes.note(pipeId)
    const begun = yield* Deferred.make<LivePipe>()
    const move = Effect.gen(function* () {
      const live = yield* Deferred.await(begun)
      live.end = yield* movedPipe(
        pipe,
        moving,
        { ...options, moved },
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
      before: Option.match(before, { onNone: () => ({}), onSome: readNote }),
      status: undefined,
      source: undefined,
      end: undefined,
      reported: undefined,
      samples: [],
      lag: undefined,
      kept: undefined
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
    const isAsked = state === "Resync" || moving.progress?.decision !== undefined
    // A command after the end of a mover wants another one, and so do a resync and a decision.
    if (live !== undefined && !isOver(live) && !isAsked && isMovedAlike(live.moving, moving)) {
      live.version = pipe.version
      live.reported = undefined
      return
    }
    yield* stop(pipe.address.pipeId)
    // It is started when its last fiber has ended.
    if (ending.has(pipe.address.pipeId)) return
    yield* start({ ...pipe, state, version: versionOf(moving.pipe) ?? pipe.version }, moving)
  })

  /** Whether the store has the state that a mover has reached. */
  const isStored = ({ state }: MovedPipe, live: LivePipe): boolean => {
    const report = reportOf(live, options.errorTable)
    return report === undefined || (report.state === state && report.message === live.reported?.message)
  }

  const reconcile = Effect.fnUntraced(function* (pipe: MovedPipe) {
    const { pipeId } = pipe.address
    const rest = restOf(pipe)
    if (rest !== undefined) {
      yield* stop(pipeId)
      if (!ending.has(pipeId)) yield* storeState(moved, pipe, { state: rest })
      return
    }
    // It waits for a server that has its warehouse.
    if (!options.engines.has(pipe.warehouse)) return
    yield* keepMoving(pipe)
    const live = running.get(pipeId)
    const report = live === undefined ? undefined : reportOf(live, options.errorTable)
    if (live === undefined || report === undefined) return
    if (isOver(live)) yield* keep([live])
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

  /**
   * Looks after a pipe. One whose stored source cannot be read is Failed, and keeps no other from being looked after. Returns how long
   * the store is then left alone.
   */
  const lookAfter = (pipe: MovedPipe) => {
    const { pipeId } = pipe.address
    return reconcile(pipe).pipe(
      Effect.catchTag("PipeNotFound", () => stop(pipeId)),
      Effect.as(interval),
      Effect.catchDefect(
        Effect.fnUntraced(function* (defect) {
          // The store was sealed with another key, as it has logged: the pipe waits for a server with that key.
          if (isOutage(defect)) return afterOutage
          yield* Effect.logError(`pipe ${pipeId} could not be looked after`, defect)
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

  /** The pipes that this server looks after: all of its store, or its share of those that it can move. */
  const listMine = Effect.gen(function* () {
    const listed = yield* moved.list
    if (leases === undefined) return listed
    const served = listed.filter(({ warehouse }) => options.engines.has(warehouse))
    const mine = yield* leases.share(
      { name: leaseName, serves: Array.from(options.engines.keys()).toSorted().join(" ") },
      served.map(({ address }) => address.pipeId)
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
    const pauses = yield* Effect.forEach(unsettled, lookAfter, { concurrency: atOnce })
    return pauses.reduce(Duration.max, interval)
  }).pipe(
    // The store has logged why it does not answer.
    Effect.catch(() => Effect.succeed(afterOutage)),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("the pipes could not be looked after", defect), afterOutage)
    )
  )

  // Apart from the loop: sources that do not answer must not delay the leases.
  const keepDue = Effect.gen(function* () {
    const due = Array.from(running.values()).filter(wantsKeeping)
    // Only other servers read it from there.
    if (leases !== undefined) yield* Effect.forEach(due, readLag, { concurrency: atOnce, discard: true })
    yield* keep(due.filter((live) => running.get(live.moving.pipe.id) === live && live.end?._tag !== "Superseded"))
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.ignore(keepDue), Effect.sleep(interval))))
  yield* Effect.forkScoped(Effect.forever(Effect.flatMap(tick, Effect.sleep)))
  const live: ReadonlyMap<PipeId, LivePipe> = running
  return live
})
