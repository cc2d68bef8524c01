import type { PipeState } from "@headgate/core"
import type { PipeAssignment, MoverReport, PipeRecord } from "@headgate/core/adapter"
import * as Equal from "effect/Equal"

/** What this process has of a pipe that it moves. */
export interface Observed {
  /** The version in which it is moved. */
  readonly version: number
  /** Another process took it: this one has ended. */
  readonly isSuperseded: boolean
  /** What its mover has reached; `undefined` for nothing yet. */
  readonly report: MoverReport | undefined
  /** The last report that was stored. */
  readonly reported: MoverReport | undefined
}

/**
 * What is to be done for a pipe. `Rest`: it is stopped, and then stored as such. `Read`: its record is read, and it is started, or
 * started again if what is moved has changed. `Report`: what it has reached is stored.
 */
export type Step =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Rest"; readonly state: PipeState }
  | { readonly _tag: "Read" }
  | { readonly _tag: "Report"; readonly report: MoverReport }

const nothing: Step = { _tag: "Nothing" }

/** The state in which a pipe ends that is not to move; `undefined` for one that is. */
const restOf = ({ goal, state }: PipeAssignment): PipeState | undefined => {
  if (goal === "Stopped" || goal === "Paused") return goal
  if (state === "Stopping") return "Stopped"
  return state === "Pausing" ? "Paused" : undefined
}

/** The next step for a pipe. `isServed`: this process has its warehouse. It is `Nothing` for most pipes most of the time. */
export const reconcilePipe = (pipe: PipeAssignment, isServed: boolean, observed: Observed | undefined): Step => {
  const rest = restOf(pipe)
  if (rest !== undefined) return { _tag: "Rest", state: rest }
  // It waits for a process that has its warehouse.
  if (!isServed) return nothing
  // What another process took, and this one is to move again, wants a new mover.
  if (observed === undefined || observed.isSuperseded || observed.version !== pipe.version) return { _tag: "Read" }
  const { report, reported } = observed
  if (report === undefined || (report.state === pipe.state && report.message === reported?.message)) return nothing
  return { _tag: "Report", report }
}

/** Whether two versions of a pipe are moved alike: a name, a size or a state changes nothing. */
const hasSameConfiguration = (one: PipeRecord, other: PipeRecord): boolean =>
  Equal.equals(one.credentials ?? {}, other.credentials ?? {}) &&
  Equal.equals(
    [one.pipe.source, one.pipe.destination, one.pipe.fieldMappings, one.pipe.settings],
    [other.pipe.source, other.pipe.destination, other.pipe.fieldMappings, other.pipe.settings]
  )

/** Whether a mover goes on with a later version of its pipe. A command after its end, a resync and a decision want another mover. */
export const keepsMoving = (moved: PipeRecord, isOver: boolean, next: PipeRecord): boolean =>
  !isOver && next.pipe.state !== "Resync" && next.progress?.decision === undefined && hasSameConfiguration(moved, next)

/** Whether a pipe is to be read from its beginning, so that nothing that was counted before belongs to it. */
export const beginsAnew = ({ pipe, progress }: PipeRecord): boolean => {
  const { decision } = progress ?? {}
  return pipe.state === "Resync" || (decision !== undefined && "from" in decision && decision.from === "start")
}
