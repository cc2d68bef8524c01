import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { CallError } from "../error/CallError.ts"
import type { PipeNotFound } from "../error/NotFound.ts"
import type { OrganizationId } from "../id/organization.ts"
import type { PipeAddress, PipeId } from "../id/pipe.ts"
import type { PipeRecord, PipeChange } from "./lifecycle.ts"
import type { Pipe, PipeState } from "./Pipe.ts"
import { keptMessage } from "./PipeSimulation.ts"

/** A pipe that moves rows and is not at rest. */
export interface PipeAssignment {
  readonly address: PipeAddress
  /** The name of the warehouse that the pipe is bound to. */
  readonly warehouse: string
  readonly state: PipeState
  /** The state in which the last command ends; absent if a pipe was put into its state from outside. */
  readonly goal?: PipeState | undefined
  /** Rises with each change of a caller, and not with reports. */
  readonly version: number
}

/**
 * What a store answers of the pipes that move rows: all of them, or what has changed since another answer.
 *
 * @example
 * ```ts
 * import { type PipeAssignment, type PipeAssignments, restingStates } from "@headgate/core/adapter"
 *
 * // What a process that asks again and again knows after an answer.
 * export const apply = (known: Map<string, PipeAssignment>, { deleted, isWhole, pipes }: PipeAssignments): void => {
 *   if (isWhole) known.clear()
 *   for (const id of deleted) known.delete(id)
 *   for (const pipe of pipes) {
 *     if (restingStates.includes(pipe.state)) known.delete(pipe.address.pipeId)
 *     else known.set(pipe.address.pipeId, pipe)
 *   }
 * }
 * ```
 */
export interface PipeAssignments {
  /** These are all pipes that move rows and are not at rest: what is not among them is not to be moved. */
  readonly isWhole: boolean
  /**
   * In no order. Of a whole answer: the pipes that are not at rest. Else: the pipes of warehouses that were changed, also those that
   * came to rest. One that did not change may be among them.
   */
  readonly pipes: ReadonlyArray<PipeAssignment>
  /** The pipes that were deleted, if the answer is not whole. One that was made again meanwhile is in `pipes`. */
  readonly deleted: ReadonlyArray<PipeId>
  /** With it, the next call answers what has changed since this one. Only the store knows what it means. */
  readonly cursor: string
}

/** What a mover says of a pipe. */
export interface MoverReport {
  readonly state: PipeState
  /** Why the pipe is in its state, if something failed; at most 4096 characters are kept. */
  readonly message?: string | undefined
  /** The name of the process that moves the pipe, which the event of the change tells. */
  readonly mover?: string | undefined
}

/** A deleted pipe that moved rows: what it has made in its source and in its warehouse is to be removed. */
export interface DeletedPipe {
  readonly address: PipeAddress
  readonly warehouse: string
  /** The pipe as it was, with the credentials of its source; those that do not open stay sealed. */
  readonly record: PipeRecord
  /** Milliseconds since 1970. */
  readonly deletedAt: number
  /** How often it was tried in vain. */
  readonly attempts: number
  /** Why the last attempt failed. */
  readonly lastError?: string | undefined
}

/**
 * The port to the pipes that move rows, for the mover of a server. Commands of callers put such a pipe into the first state of
 * their path; the mover does what is to be done and reports the states after it.
 *
 * @example
 * ```ts
 * import { MovedPipes } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // A server without a mover: no pipe stays in a state that says that rows move.
 * export const stopAll = Effect.gen(function* () {
 *   const moved = yield* MovedPipes
 *   const { pipes } = yield* moved.changes()
 *   for (const { address, version } of pipes) {
 *     yield* moved.report(address, version, { state: "Stopped", message: "this server moves no rows" })
 *   }
 * })
 * ```
 */
export class MovedPipes extends Context.Service<
  MovedPipes,
  {
    /**
     * The pipes of all organizations that move rows. Without a cursor: all of them that are not at rest. With the cursor of an
     * answer: what was committed since that answer, in whatever order. It is called often, so that is cheap. The answer is whole
     * as well if more than 1,000 pipes changed, or if the store does not know the cursor: it is no cursor, or of a later time than
     * the store, which a backup may have restored. The cursor of another store cannot always be told, and a deleted pipe is no
     * longer answered when it is forgotten: a caller asks for a whole answer from time to time, and after an error.
     */
    readonly changes: (after?: string) => Effect.Effect<PipeAssignments, CallError>
    /** A pipe with the credentials of its source, open, and its version. */
    readonly read: (address: PipeAddress) => Effect.Effect<PipeRecord, PipeNotFound | CallError>
    /**
     * The pipes of warehouses that were deleted, in whatever way, and not yet cleaned up: those of some warehouses, or all. A pipe is
     * kept in the step that deletes it. Until it is forgotten it counts against the limits of its organization, and a pipe of the
     * same id, which an import can bring back, is not adopted. It is called often, so it is cheap: it reads no documents.
     */
    readonly deleted: (
      warehouses?: ReadonlyArray<string>
    ) => Effect.Effect<
      ReadonlyArray<Pick<DeletedPipe, "warehouse" | "attempts"> & { readonly pipeId: PipeId }>,
      CallError
    >
    /** One of them; `undefined` if there is none. */
    readonly findDeleted: (pipeId: PipeId) => Effect.Effect<DeletedPipe | undefined, CallError>
    /**
     * Claims one of them for some time. A deleted pipe is cleaned up after and forgotten only by the process that has claimed it, so that
     * nothing of a pipe of the same id is removed that an import brings back. `undefined` if there is none, or if it is claimed. The claim ends with that
     * time, or when the attempt is marked as failed.
     */
    readonly claimDeleted: (
      pipeId: PipeId,
      duration: Duration.Duration
    ) => Effect.Effect<DeletedPipe | undefined, CallError>
    /** Counts an attempt to clean up after a deleted pipe that failed, and ends its claim. */
    readonly markCleanupFailed: (pipeId: PipeId, message: string) => Effect.Effect<void, CallError>
    /** Forgets a deleted pipe, which the caller has claimed. A repeat is harmless. */
    readonly forget: (pipeId: PipeId) => Effect.Effect<void, CallError>
    /** The organizations of pipes, also of those that were deleted and not yet cleaned up. A pipe that the store does not know is in none. */
    readonly organizationsOf: (
      pipeIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, OrganizationId>, CallError>
    /** The pipes of other organizations that are bound to a warehouse, and whose documents hold one of these texts. */
    readonly naming: (
      warehouse: string,
      organizationId: OrganizationId,
      texts: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Pipe>, CallError>
    /**
     * Puts a pipe into a state, unless a caller has changed or deleted it since `version`. Returns whether it did. It is no
     * change of a caller: version and `updatedAt` stay.
     */
    readonly report: (address: PipeAddress, version: number, report: MoverReport) => Effect.Effect<boolean, CallError>
    /**
     * Forgets the decision of a caller (`PipeProgress.decision`), which was carried out, unless a caller has changed or deleted
     * the pipe since `version`. Returns whether it did; a repeat is harmless.
     */
    readonly decided: (address: PipeAddress, version: number) => Effect.Effect<boolean, CallError>
  }
>()("@headgate/core/pipe/MovedPipes") {}

/**
 * The states in which a mover leaves a pipe alone until the next command.
 *
 * @example
 * ```ts
 * import type { PipeState } from "@headgate/core"
 * import { restingStates } from "@headgate/core/adapter"
 *
 * export const isAtRest = (state: PipeState): boolean => restingStates.includes(state)
 * console.log(isAtRest("Stopped"), isAtRest("Degraded")) // true false
 * ```
 */
export const restingStates: ReadonlyArray<PipeState> = ["Stopped", "Paused", "Completed", "Failed", "InternalError"]

/**
 * The change of a pipe by its mover's report. A pipe at rest has no goal; a repeated report changes nothing.
 *
 * @example
 * ```ts
 * import { pipeChanges, type PipeRecord, type TransitionTime } from "@headgate/core/adapter"
 * import * as Result from "effect/Result"
 *
 * export const degraded = (held: PipeRecord, start: TransitionTime) =>
 *   Result.getOrThrow(pipeChanges.report({ state: "Degraded", message: "no broker answers" })(held, start))
 * ```
 */
export const reportChange =
  ({ message, state }: MoverReport): PipeChange =>
  (record, { now }) => {
    const { pipe, progress } = record
    const kept = message === undefined ? undefined : keptMessage(message)
    if (state === pipe.state && kept === progress?.message) return Result.succeed(record)
    const { decision, goal } = restingStates.includes(state) ? {} : (progress ?? {})
    return Result.succeed({
      ...record,
      pipe: { ...pipe, state },
      progress: {
        since: state === pipe.state ? (progress?.since ?? now) : now,
        steps: [],
        ...(kept === undefined ? {} : { message: kept }),
        ...(goal === undefined ? {} : { goal }),
        ...(decision === undefined ? {} : { decision })
      }
    })
  }
