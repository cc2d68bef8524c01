import { IfMatch, type OrganizationId, type PipeAddress, versionOf } from "@headgate/core"
import {
  CallingKey,
  checkVersion,
  forwardSteps,
  limitRules,
  MovedPipes,
  notFound,
  OrganizationLimits,
  type PipeAssignment,
  type PipeAssignments,
  type PipeChange,
  pipeChanges,
  type PipeEventCause,
  pipeEvents,
  pipeLifecycle,
  type PipeRecord,
  PipeSimulation,
  restingStates,
  StepLength,
  type TransitionTime,
  withVersion
} from "@headgate/core/adapter"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { PreventSchedulerYield } from "effect/Scheduler"
import { MemoryStore, type PositionedEvent, type StoredPipe, usageOf } from "../MemoryStore.ts"
import { requireRunning } from "../service/storedServices.ts"

type PipeMap = MemoryStore["Service"]["pipes"]

/** The time by which steps are due and paths begin. */
export const transitionTime: Effect.Effect<TransitionTime> = Effect.all({
  now: Clock.currentTimeMillis,
  stepLength: StepLength
})

/** The events of a pipe after a change, whose `before`, `after` and `now` are as for `pipeEvents.of`. */
export const eventsAfter = (
  before: StoredPipe | undefined,
  after: PipeRecord,
  now: number,
  cause: PipeEventCause
): ReadonlyArray<PositionedEvent> => {
  const held = before?.events ?? []
  const last = held.at(-1)?.position ?? 0
  const added = pipeEvents.of(before, after, now, cause).map((event, i) => ({ position: last + 1 + i, event }))
  if (added.length === 0) return held
  const oldest = now - pipeEvents.keptMillis
  const firstKept = held.findIndex(({ event }) => event.at >= oldest)
  return [...(firstKept === -1 ? [] : held.slice(firstKept)), ...added].slice(-pipeEvents.mostKept)
}

const bySimulation: PipeEventCause = { by: "simulation" }

/** The cause of the events of a call: its key has the name of this moment. */
export const callerOf = ({ keys }: MemoryStore["Service"]): Effect.Effect<PipeEventCause> =>
  Effect.map(CallingKey, (id) => {
    if (id === undefined) return { by: "caller" }
    const name = keys.byId(id)?.key.name
    return { by: "caller", key: { id, ...(name === undefined ? {} : { name }) } }
  })

/** Applies the due steps of a pipe, and stores them. */
export const currentPipe = (pipes: PipeMap, stored: StoredPipe, now: number): StoredPipe => {
  const moved = pipeLifecycle.advance(stored, now)
  if (moved === stored) return stored
  const events = eventsAfter(stored, moved, now, bySimulation)
  const current = { ...stored, ...moved, pipe: withVersion(moved.pipe, versionOf(stored.pipe) ?? 1), events }
  pipes.set(current.pipe.id, current)
  return current
}

/** Finds a pipe as it is stored. */
const makeFindStored = (pipes: PipeMap) => (address: PipeAddress) =>
  Effect.suspend(() => {
    const stored = pipes.get(address.pipeId)
    return stored?.organizationId === address.organizationId && stored.pipe.serviceId === address.serviceId
      ? Effect.succeed(stored)
      : Effect.fail(notFound("PipeNotFound", address))
  })

/** Finds a pipe, with its due steps applied. */
export const makeFindPipe = (pipes: PipeMap) => {
  const findStored = makeFindStored(pipes)
  return (address: PipeAddress) =>
    Effect.flatMap(findStored(address), (stored) =>
      pipeLifecycle.dueOf(stored) === undefined
        ? Effect.succeed(stored)
        : Effect.map(Clock.currentTimeMillis, (now) => currentPipe(pipes, stored, now))
    )
}

/**
 * Changes a pipe. `counted`: as a caller's change, with a new version. `by`: the cause of its events. `limited`: a document that grows
 * counts against the limit of the organization. Returns the pipe, with its version.
 */
const makeChange = (store: MemoryStore["Service"], counted: 0 | 1) => {
  const { pipes } = store
  const findStored = makeFindStored(pipes)
  const changePipe = Effect.fnUntraced(function* <E>(
    address: PipeAddress,
    change: PipeChange<E>,
    by: Effect.Effect<PipeEventCause>,
    limited: boolean
  ) {
    const cause = yield* by
    const start = yield* transitionTime
    const limits = yield* OrganizationLimits
    const found = yield* findStored(address)
    // Due steps and the change are stored at once, for each value that is stored is counted as JSON. A limited change is compared
    // with the pipe as it is now.
    const stored = limited ? currentPipe(pipes, found, start.now) : found
    const { organizationId } = stored
    const version = versionOf(stored.pipe) ?? 1
    yield* checkVersion(version)
    const record = pipeLifecycle.advance(stored, start.now)
    const changed = yield* Effect.fromResult(change(record, start))
    if (changed === record) return currentPipe(pipes, stored, start.now).pipe
    const pipe = withVersion(changed.pipe, version + counted)
    const { bytes } = pipes.usageOf(organizationId)
    pipes.set(pipe.id, { ...stored, ...changed, pipe, events: eventsAfter(stored, changed, start.now, cause) })
    const grew = limited && pipes.usageOf(organizationId).bytes > bytes
    const exceeded = grew ? limitRules.bytes(usageOf(store, organizationId), limits) : undefined
    if (exceeded === undefined) return pipe
    pipes.set(pipe.id, stored)
    return yield* exceeded
  })
  // No other fiber runs between the read and the change.
  return <E>(address: PipeAddress, change: PipeChange<E>, by: Effect.Effect<PipeEventCause>, limited = false) =>
    Effect.provideService(changePipe(address, change, by, limited), PreventSchedulerYield, true)
}

/** Changes a pipe of a running service for a caller. `limited`: as for `makeChange`. Returns the pipe, with its version. */
export const makeChangePipe = (store: MemoryStore["Service"]) => {
  const changePipe = makeChange(store, 1)
  const caller = callerOf(store)
  return <E>(address: PipeAddress, change: PipeChange<E>, limited = true) =>
    Effect.andThen(
      requireRunning(store.services, address, () => notFound("PipeNotFound", address)),
      changePipe(address, pipeLifecycle.userChange(change), caller, limited)
    )
}

/** The `PipeSimulation` port over a {@link MemoryStore}. */
export const layerSimulation: Layer.Layer<PipeSimulation, never, MemoryStore> = Layer.effect(
  PipeSimulation,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const { endpoints, pipes, services } = store
    const changePipe = makeChange(store, 0)
    return PipeSimulation.of({
      hold: (address, state, message) =>
        Effect.asVoid(changePipe(address, pipeChanges.hold(state, message), Effect.succeed(bySimulation))),
      forward: (duration) =>
        Effect.sync(() => {
          const millis = Duration.toMillis(duration)
          for (const [id, stored] of pipes) pipes.set(id, { ...stored, ...forwardSteps(stored, millis) })
          for (const [id, stored] of services) {
            if (stored.due !== undefined) services.set(id, { ...stored, due: stored.due - millis })
          }
          for (const [id, stored] of endpoints) {
            if (stored.due !== undefined) endpoints.set(id, { ...stored, due: stored.due - millis })
          }
        })
    })
  })
)

const assignmentOf = ({ organizationId, pipe, progress, warehouse }: StoredPipe): ReadonlyArray<PipeAssignment> => {
  if (warehouse === undefined) return []
  const { id: pipeId, serviceId, state } = pipe
  const address = { organizationId, serviceId, pipeId }
  return [{ address, warehouse, state, goal: progress?.goal, version: versionOf(pipe) ?? 1 }]
}

/** What `MovedPipes.changes` answers. */
const changesOf = (pipes: PipeMap, after: string | undefined): PipeAssignments => {
  const cursor = String(pipes.changes)
  // A text that is no number is no time of a change.
  const changed = after === undefined || String(Number(after)) !== after ? undefined : pipes.changedSince(Number(after))
  if (changed === undefined) {
    const moving = Array.from(pipes.values()).filter(({ pipe }) => !restingStates.includes(pipe.state))
    return { isWhole: true, pipes: moving.flatMap(assignmentOf), deleted: [], cursor }
  }
  return {
    isWhole: false,
    pipes: changed.flatMap((id) => Arr.fromNullishOr(pipes.get(id))).flatMap(assignmentOf),
    deleted: changed.filter((id) => pipes.get(id)?.warehouse === undefined),
    cursor
  }
}

/** The `MovedPipes` port over a {@link MemoryStore}. */
export const layerMoved: Layer.Layer<MovedPipes, never, MemoryStore> = Layer.effect(
  MovedPipes,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const { deletedPipes, pipes } = store
    const find = makeFindPipe(pipes)
    const changePipe = makeChange(store, 0)
    /** A change of a mover, which a caller's change prevents. Returns whether it was made. */
    const changeSeen = (address: PipeAddress, version: number, change: PipeChange, cause: PipeEventCause) =>
      changePipe(address, change, Effect.succeed(cause)).pipe(
        Effect.provideService(IfMatch, version),
        Effect.as(true),
        Effect.catchTags({
          PipeNotFound: () => Effect.succeed(false),
          PreconditionFailed: () => Effect.succeed(false)
        })
      )
    return MovedPipes.of({
      deleted: (warehouses) =>
        Effect.sync(() =>
          Array.from(deletedPipes, ([pipeId, { attempts, warehouse }]) => ({ pipeId, warehouse, attempts })).filter(
            ({ warehouse }) => warehouses?.includes(warehouse) ?? true
          )
        ),
      findDeleted: (pipeId) => Effect.sync(() => deletedPipes.get(pipeId)),
      claimDeleted: (pipeId, duration) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const deleted = deletedPipes.get(pipeId)
          if (deleted === undefined || deleted.claimedUntil > now) return undefined
          const claimed = { ...deleted, claimedUntil: now + Duration.toMillis(duration) }
          deletedPipes.set(pipeId, claimed)
          return claimed
        }),
      markCleanupFailed: (pipeId, lastError) =>
        Effect.sync(() => {
          const deleted = deletedPipes.get(pipeId)
          if (deleted === undefined) return
          deletedPipes.set(pipeId, { ...deleted, attempts: deleted.attempts + 1, lastError, claimedUntil: 0 })
        }),
      forget: (pipeId) => Effect.sync(() => void deletedPipes.delete(pipeId)),
      changes: (after) => Effect.sync(() => changesOf(pipes, after)),
      read: find,
      organizationsOf: (pipeIds) =>
        Effect.sync(() => {
          const known = Array.from(pipes.values(), ({ organizationId, pipe }) => [pipe.id, organizationId] as const)
          const deleted = Array.from(deletedPipes, ([id, { address }]) => [id, address.organizationId] as const)
          const asked: ReadonlySet<string> = new Set(pipeIds)
          return new Map<string, OrganizationId>([...deleted, ...known].filter(([id]) => asked.has(id)))
        }),
      naming: (warehouse, organizationId, texts) =>
        Effect.sync(() =>
          Array.from(pipes.values()).flatMap((stored) => {
            if (stored.warehouse !== warehouse || stored.organizationId === organizationId) return []
            const document = JSON.stringify(stored.pipe)
            return texts.some((text) => document.includes(JSON.stringify(text))) ? [stored.pipe] : []
          })
        ),
      report: (address, version, report) => {
        const { mover } = report
        const cause: PipeEventCause = { by: "mover", ...(mover === undefined ? {} : { mover }) }
        return changeSeen(address, version, pipeChanges.report(report), cause)
      },
      decided: (address, version) =>
        changeSeen(address, version, (record) => Result.succeed(pipeLifecycle.withoutDecision(record)), { by: "mover" })
    })
  })
)
