import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Conflict, type InvalidRequest, invalidRequest } from "../error/CallError.ts"
import { type PipeCredentials, splitCredentials } from "./credentialFields.ts"
import { type Pipe, PipeState } from "./Pipe.ts"

/**
 * How pipes move: `streaming` pipes read until they are stopped, `oneShot` pipes read the files of an object storage once,
 * `cdc` pipes copy the tables of a database and then follow its changes, `snapshot` pipes copy the tables once.
 */
export const pipeKinds = ["streaming", "oneShot", "cdc", "snapshot"] as const
/** How a pipe moves: it streams, reads files once, follows changes, or copies tables once. */
export type PipeKind = (typeof pipeKinds)[number]

/**
 * What happens to a pipe: it is created, to run or paused; a command; a change of its tables; it is deleted. `accept` is `resume`
 * with `acceptTable`.
 */
export const pipeActions = [
  "create",
  "createPaused",
  "start",
  "stop",
  "resync",
  "resume",
  "accept",
  "edit",
  "delete"
] as const
/** What happens to a pipe, by a user or by its service. */
export type PipeAction = (typeof pipeActions)[number]

/** The states that a pipe passes: it is in the first at once, in each but the last for one step, and stays in the last. */
type StateSequence = ReadonlyArray<PipeState>

/**
 * The states that a pipe passes after each action. Contract: docs/wire-contract.md#change-a-pipes-state-size-and-settings.
 *
 * @example
 * ```ts
 * import { type PipeKind, pipeKindOf, stateSequences } from "@headgate/core/adapter"
 *
 * // The state in which a new pipe of this kind ends.
 * export const endOf = (kind: PipeKind) => stateSequences[kind].create?.at(-1)
 * console.log(endOf(pipeKindOf({ postgres: {} })), endOf(pipeKindOf({ bigquery: {} }))) // Running Completed
 * ```
 */
export const stateSequences: { readonly [Kind in PipeKind]: { readonly [Action in PipeAction]?: StateSequence } } = {
  streaming: {
    create: ["Provisioning", "Running"],
    createPaused: ["Provisioning", "Stopped"],
    start: ["Provisioning", "Running"],
    stop: ["Stopping", "Stopped"],
    resume: ["Provisioning", "Running"],
    accept: ["Provisioning", "Running"]
  },
  oneShot: {
    create: ["Provisioning", "Completed"],
    createPaused: ["Provisioning", "Stopped"],
    start: ["Provisioning", "Completed"],
    stop: ["Stopping", "Stopped"],
    resume: ["Provisioning", "Completed"],
    accept: ["Provisioning", "Completed"]
  },
  cdc: {
    create: ["Provisioning", "Setup", "Snapshot", "Running"],
    createPaused: ["Provisioning", "Paused"],
    start: ["Setup", "Running"],
    stop: ["Pausing", "Paused"],
    resync: ["Resync", "Running"],
    accept: ["Setup", "Running"],
    edit: ["Modifying", "Running"]
  },
  snapshot: {
    create: ["Provisioning", "Setup", "Snapshot", "Completed"],
    createPaused: ["Provisioning", "Paused"],
    start: ["Setup", "Snapshot", "Completed"],
    stop: ["Pausing", "Paused"],
    resync: ["Resync", "Completed"],
    accept: ["Setup", "Snapshot", "Completed"],
    edit: ["Modifying", "Completed"]
  }
}

/**
 * The texts of refusals; clients look for the first three. The dialect of the real service says `ClickPipe` in place of `pipe`:
 * `renameRefusal` of `@headgate/http-contract` renames them.
 */
export const pipeRefusals = {
  running: "pipe is already running",
  completed: "pipe is completed",
  notPaused: "pipe must be paused to edit",
  stopping: "pipe is stopping: wait until it is Stopped",
  pausing: "pipe is pausing: wait until it is Paused",
  starting: "pipe is being set up: wait until it runs",
  notResynced: "pipe cannot be resynced: its source is not a database",
  notResumed: "pipe is resynced, not resumed: its source is a database",
  notStopped: "pipe must be stopped or failed to be resumed: stop it first",
  simulated: "pipe is simulated: it moves no rows",
  adopted: "pipe moves rows already",
  notCleanedUp: "pipe was deleted before it was imported: wait until what it has left is removed",
  noTables: "pipe has no tables: its source is not a database"
} as const

/** Why an action is refused, as HTTP status and text. */
interface Refusal {
  readonly status: 400 | 409
  readonly message: string
}

/** What an action does in a state: the pipe passes the states of the action, stays as it is, or the action is refused. */
type Outcome = "moves" | "stays" | Refusal

const stopping: Refusal = { status: 409, message: pipeRefusals.stopping }
const pausing: Refusal = { status: 409, message: pipeRefusals.pausing }
const starting: Refusal = { status: 409, message: pipeRefusals.starting }

/** The outcome of an action in some states, and in all others. */
interface Rule {
  readonly states: { readonly [State in string]?: Outcome }
  readonly otherwise: Outcome
}

/** The outcome of a start, in the states in which a pipe does not run or is about to stop. */
const atRest: Rule["states"] = {
  Stopped: "moves",
  Paused: "moves",
  Failed: "moves",
  InternalError: "moves",
  Stopping: stopping,
  Pausing: pausing,
  Completed: { status: 400, message: pipeRefusals.completed }
}

const rules: { readonly [Action in PipeAction]: Rule } = {
  create: { states: {}, otherwise: "moves" },
  createPaused: { states: {}, otherwise: "moves" },
  start: {
    states: atRest,
    otherwise: { status: 400, message: pipeRefusals.running }
  },
  stop: {
    states: {
      Stopped: "stays",
      Paused: "stays",
      Completed: "stays",
      Failed: "stays",
      // A repeated stop does not begin again.
      Stopping: "stays",
      Pausing: "stays"
    },
    otherwise: "moves"
  },
  resync: {
    states: { Resync: "stays", Provisioning: starting, Setup: starting, Stopping: stopping, Pausing: pausing },
    otherwise: "moves"
  },
  resume: {
    states: atRest,
    otherwise: { status: 409, message: pipeRefusals.notStopped }
  },
  accept: {
    states: {
      Provisioning: starting,
      Setup: starting,
      Snapshot: starting,
      Modifying: starting,
      Resync: starting,
      Stopping: stopping,
      Pausing: pausing
    },
    otherwise: "moves"
  },
  edit: {
    states: { Stopped: "moves", Paused: "moves" },
    otherwise: { status: 400, message: pipeRefusals.notPaused }
  },
  delete: { states: {}, otherwise: "stays" }
}

/** The actions that not every kind of pipe knows. */
const unknownActions: { readonly [Action in PipeAction]?: Refusal } = {
  resync: { status: 400, message: pipeRefusals.notResynced },
  resume: { status: 400, message: pipeRefusals.notResumed },
  edit: { status: 400, message: pipeRefusals.noTables }
}

/** The actions that are commands, whose refusal names the field `command`. */
const stateCommands: ReadonlySet<PipeAction> = new Set(["start", "stop", "resync"])

const errorOf = (action: PipeAction, { message, status }: Refusal): InvalidRequest | Conflict =>
  status === 409
    ? new Conflict({ message })
    : invalidRequest([{ path: stateCommands.has(action) ? "command" : "", message }])

/**
 * The states that a pipe passes after an action: it is in the first at once and in each but the last for one step. Empty: the
 * pipe stays as it is. The failure is the refusal: `InvalidRequest` (400) or `Conflict` (409).
 *
 * @example
 * ```ts
 * import { transition } from "@headgate/core/adapter"
 * import * as Result from "effect/Result"
 *
 * console.log(Result.getOrThrow(transition("cdc", "Running", "stop"))) // [ 'Pausing', 'Paused' ]
 * console.log(Result.isFailure(transition("cdc", "Stopping", "start"))) // true
 * ```
 */
export const transition = (
  kind: PipeKind,
  state: PipeState,
  action: PipeAction
): Result.Result<StateSequence, InvalidRequest | Conflict> => {
  const sequence = stateSequences[kind][action]
  const { otherwise, states } = rules[action]
  const outcome = (sequence === undefined ? unknownActions[action] : undefined) ?? states[state] ?? otherwise
  if (outcome === "stays") return Result.succeed([])
  return outcome === "moves" ? Result.succeed(sequence ?? []) : Result.fail(errorOf(action, outcome))
}

/** One step of a pipe: at `due` (milliseconds since 1970) it goes from `state` to `next`. */
const PipeStep = Schema.Struct({ state: PipeState, next: PipeState, due: Schema.Finite })

/** What a caller decided about a pipe that could not go on by itself. */
export const PipeDecision = Schema.Union([
  Schema.Struct({ from: Schema.Literals(["start", "ledger", "warehouse"]) }),
  Schema.Struct({ pending: Schema.Literals(["replay", "skip"]) }),
  Schema.Struct({ acceptTable: Schema.Literal(true) })
])
export type PipeDecision = typeof PipeDecision.Type

/** What is stored of a pipe beside its document: how it goes on. */
export const PipeProgress = Schema.Struct({
  /** Since when the pipe is in its state: milliseconds since 1970. */
  since: Schema.Finite,
  /** Why the pipe is in its state; only where something failed. */
  message: Schema.optionalKey(Schema.String),
  /** The steps before the pipe, by `due`. */
  steps: Schema.Array(PipeStep),
  /** The last state of the sequence of a pipe that moves rows: its mover takes it there. */
  goal: Schema.optionalKey(PipeState),
  /** Stays until a mover has carried it out, until the next command, or until an update of the source. */
  decision: Schema.optionalKey(PipeDecision)
})
export type PipeProgress = typeof PipeProgress.Type

/** A pipe and how it goes on. Without `progress`, as after an import, it stays in its state. */
export interface PipeRecord {
  readonly pipe: Pipe
  readonly progress?: PipeProgress | undefined
  /** The credentials of its source, which no answer holds. */
  readonly credentials?: PipeCredentials | undefined
  /**
   * The name of the warehouse to which it moves rows. Absent: the pipe is simulated. It is set when the pipe is created or adopted,
   * and never changes; an imported pipe is simulated.
   */
  readonly warehouse?: string | undefined
}

/** How long a step lasts. Adapters read it for each action; `headgate-server --step` sets it. */
export const StepLength = Context.Reference<Duration.Duration>("@headgate/core/pipe/StepLength", {
  defaultValue: () => Duration.millis(500)
})

/** When a change of a pipe takes place. */
export interface TransitionTime {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly stepLength: Duration.Duration
}

/**
 * Begins a sequence of states; a pipe stays as it is in an empty one. A pipe that moves rows passes no state by time: its mover reports
 * the states after the first.
 */
const beginSequence = (record: PipeRecord, states: StateSequence, { now, stepLength }: TransitionTime): PipeRecord => {
  const [state, ...later] = states
  if (state === undefined) return record
  if (record.warehouse !== undefined) {
    const goal = states.at(-1) ?? state
    return { ...record, pipe: { ...record.pipe, state }, progress: { since: now, steps: [], goal } }
  }
  const steps = later.map((next, index) => ({
    state: states[index] ?? state,
    next,
    due: now + (index + 1) * Duration.toMillis(stepLength)
  }))
  return { ...record, pipe: { ...record.pipe, state }, progress: { since: now, steps } }
}

/**
 * A pipe whose decision was carried out, or is void. Returns the same value if it has none.
 *
 * @example
 * ```ts
 * import { type PipeChange, pipeLifecycle } from "@headgate/core/adapter"
 * import * as Result from "effect/Result"
 *
 * // The change that `MovedPipes.decided` makes.
 * export const decided: PipeChange = (record) => Result.succeed(pipeLifecycle.withoutDecision(record))
 * ```
 */
export const withoutDecision = (record: PipeRecord): PipeRecord => {
  if (record.progress?.decision === undefined) return record
  const { decision: _, ...progress } = record.progress
  return { ...record, progress }
}

/** In milliseconds: the clock of a store is corrected by less than this. What lies further ahead was written before it was set back. */
export const largestClockCorrection = 60_000

/**
 * Applies every step that is due. Returns the same value if none is. A pipe whose state began after `now` began its sequence before
 * the clock was set back: its steps are due, so that it does not wait for the time that came before.
 *
 * @example
 * ```ts
 * import { pipeLifecycle, type PipeRecord, transition } from "@headgate/core/adapter"
 *
 * // What a store answers with for a pipe that it holds.
 * export const answer = (held: PipeRecord, now: number) => pipeLifecycle.advance(held, now).pipe
 * ```
 */
export const advance = <Record extends Pick<PipeRecord, "progress"> & { readonly pipe: { readonly state: PipeState } }>(
  record: Record,
  now: number
): Record => {
  const { pipe, progress } = record
  if (progress === undefined) return record
  const wasSetBack = progress.since > now + largestClockCorrection
  const isAhead = wasSetBack ? [] : progress.steps.filter(({ due }) => due > now)
  const last = progress.steps.at(-1 - isAhead.length)
  if (last === undefined) return record
  const since = wasSetBack ? now : last.due
  return { ...record, pipe: { ...pipe, state: last.next }, progress: { since, steps: isAhead } }
}

/** When the next step of a pipe is due; `undefined` if it has none. */
export const dueOf = ({ progress }: PipeRecord): number | undefined => progress?.steps[0]?.due

type DatabaseSource = { readonly settings?: { readonly replicationMode?: string | null } | null } | null

/** The fields of a source that decide how its pipe moves. */
interface KindSource {
  readonly bigquery?: unknown
  readonly postgres?: DatabaseSource
  readonly mysql?: DatabaseSource
  readonly mongodb?: DatabaseSource
  readonly objectStorage?: { readonly isContinuous?: boolean | null } | null
}

/** How a pipe with this source moves. A pipe without a source, or with an unknown one, moves as a streaming pipe. */
export const pipeKindOf = (source: KindSource | null | undefined): PipeKind => {
  if (Predicate.isNotNullish(source?.bigquery)) return "snapshot"
  const database = source?.postgres ?? source?.mysql ?? source?.mongodb
  if (Predicate.isNotNullish(database)) return database.settings?.replicationMode === "snapshot" ? "snapshot" : "cdc"
  const files = source?.objectStorage
  return Predicate.isNotNullish(files) && files.isContinuous !== true ? "oneShot" : "streaming"
}

/**
 * Applies an action to a pipe, whose due steps are applied already. An action that changes nothing returns the same value.
 *
 * @example
 * ```ts
 * import { pipeLifecycle, type PipeRecord, StepLength } from "@headgate/core/adapter"
 * import type { Pipe } from "@headgate/core"
 * import * as Clock from "effect/Clock"
 * import * as Effect from "effect/Effect"
 *
 * // Imports a pipe, or stops one that the store holds.
 * export const start = Effect.all({ now: Clock.currentTimeMillis, stepLength: StepLength })
 * export const imported = (pipe: Pipe) => Effect.map(start, (start) => pipeLifecycle.resume(pipe, start))
 * export const stop = Effect.fn("stop")(function* (held: PipeRecord) {
 *   const from = yield* start
 *   const stopped = yield* Effect.fromResult(pipeLifecycle.act(pipeLifecycle.advance(held, from.now), "stop", from))
 *   yield* Effect.logDebug("due", pipeLifecycle.dueOf(stopped))
 *   return stopped
 * })
 * ```
 */
export const act = (
  record: PipeRecord,
  action: PipeAction,
  start: TransitionTime
): Result.Result<PipeRecord, InvalidRequest | Conflict> =>
  Result.map(transition(pipeKindOf(record.pipe.source), record.pipe.state, action), (states) =>
    beginSequence(record, states, start)
  )

/** A change of a pipe, whose due steps are applied already. Returning the same value means that nothing changes. */
export type PipeChange<E = never> = (record: PipeRecord, start: TransitionTime) => Result.Result<PipeRecord, E>

/**
 * A caller's change: what it changes has a new `updatedAt`. Steps do not change `updatedAt`.
 *
 * @example
 * ```ts
 * import { type PipeChange, pipeLifecycle } from "@headgate/core/adapter"
 * import * as Result from "effect/Result"
 *
 * export const rename = (name: string): PipeChange =>
 *   pipeLifecycle.userChange((record) => Result.succeed({ ...record, pipe: { ...record.pipe, name } }))
 * ```
 */
const userChange =
  <E>(change: PipeChange<E>): PipeChange<E> =>
  (record, start) =>
    Result.map(change(record, start), (changed) =>
      changed === record
        ? record
        : { ...changed, pipe: { ...changed.pipe, updatedAt: DateTime.makeUnsafe(Math.floor(start.now)) } }
    )

/** A pipe whose document holds credentials, as an import may, with its credentials apart. */
const withoutCredentials = (pipe: Pipe): PipeRecord => {
  if (Predicate.isNullish(pipe.source)) return { pipe }
  const { credentials, source } = splitCredentials(pipe.source)
  return source === pipe.source ? { pipe } : { pipe: { ...pipe, source }, credentials }
}

/** Lets a pipe go on from a passing state, as after an import. A pipe in any other state stays in it. */
export const resume = (imported: Pipe, start: TransitionTime): PipeRecord => {
  const held = withoutCredentials(imported)
  const { pipe } = held
  const rest = Object.values(stateSequences[pipeKindOf(pipe.source)])
    .map((states) => states.slice(states.indexOf(pipe.state)))
    .find((states) => states.length > 1 && states[0] === pipe.state)
  return rest === undefined ? held : beginSequence(held, rest, start)
}

/** The rules of the states of pipes, for a store: what a command, a time that has passed and an import do to a stored pipe. */
export const pipeLifecycle = {
  /** A pipe after a command. */
  act,
  /** A pipe as it is at a time: its steps that are due are done. */
  advance,
  /** When the next step of a pipe is due. */
  dueOf,
  /** An imported pipe: what was under way goes on. */
  resume,
  /** A change that a caller asks for, which a store applies with its version. */
  userChange,
  /** A pipe whose decision was carried out. */
  withoutDecision
}
