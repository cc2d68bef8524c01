import { type PipeAction, type PipeKind, stateSequences, transition } from "./lifecycle.ts"
import * as Result from "effect/Result"
import { type PipeState, pipeStates } from "./Pipe.ts"

const allPaths = Object.values(stateSequences).flatMap((paths) => Object.values(paths))

/** A pipe of any kind leaves these states only by a command. */
const atRest: ReadonlyArray<PipeState> = ["Stopped", "Paused", "Completed", "Failed", "InternalError"]

/** A pipe that works may get into these at any time. */
const failures: ReadonlyArray<PipeState> = ["Failed", "InternalError", "Degraded"]

/**
 * Whether a pipe may get from a state to another one by itself, without a command. A state that the life cycle of its kind
 * does not have, such as one that a service has added, may lead anywhere.
 *
 * @example
 * ```ts
 * import { canReach } from "@headgate/core/adapter"
 *
 * console.log(canReach("cdc", "Setup", "Running"), canReach("cdc", "Paused", "Running")) // true false
 * ```
 */
export const canReach = (kind: PipeKind, state: PipeState, awaited: PipeState): boolean => {
  if (state === awaited) return true
  if (atRest.includes(state)) return false
  const paths = Object.values(stateSequences[kind]).filter((path) => path.includes(state))
  const later = paths.flatMap((path) => path.slice(path.indexOf(state) + 1))
  // A service that moves data lets a pipe with an end run before it.
  const reached = later.includes("Completed") ? [...later, "Running"] : later
  return paths.length === 0 || reached.includes(awaited) || failures.includes(awaited)
}

/**
 * The states in which an action ends: a pipe of this kind that is in one of them will not go on after the action.
 *
 * @example
 * ```ts
 * import { endStates } from "@headgate/core/adapter"
 *
 * console.log(endStates("streaming", "start")) // [ 'Running' ]
 * ```
 */
export const endStates = (kind: PipeKind, action: PipeAction): ReadonlyArray<PipeState> => {
  const isPassing = (state: PipeState) => allPaths.some((path) => path.slice(0, -1).includes(state))
  const isUnmoved = (state: PipeState) =>
    Result.match(transition(kind, state, action), { onSuccess: (path) => path.length === 0, onFailure: () => false })
  const unmoved = pipeStates.filter((state) => isUnmoved(state) && !isPassing(state))
  const end = stateSequences[kind][action]?.at(-1)
  return Array.from(new Set([...(end === undefined ? [] : [end]), ...unmoved]))
}
