import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import type { MovingPipe } from "./lifecycle.ts"
import { PipeState } from "./Pipe.ts"

/**
 * How a pipe goes on, which {@link Pipe} has no field for. A service that does not know this operation answers 404. Decided: the
 * contract has no such operation.
 */
export const PipeStatus = looseStruct({
  state: PipeState.annotate({ description: "The current state of the pipe." }),
  message: nullish(Schema.String, "Why the pipe is in its state, if something failed."),
  since: nullish(Timestamp, "Since when the pipe is in its state; `null` after an import."),
  next: nullish(PipeState, "The state that comes next by itself."),
  due: nullish(Timestamp, "When it comes."),
  simulated: Schema.Boolean.annotate({ description: "Whether the states are a simulation: nothing is moved." })
}).pipe(withIdentifier("PipeStatus", "How a pipe goes on."))
export type PipeStatus = typeof PipeStatus.Type

const timeOf = (millis: number | undefined): DateTime.Utc | null =>
  millis === undefined ? null : DateTime.makeUnsafe(Math.floor(millis))

/** The status of a simulated pipe, whose due steps are applied already. */
export const pipeStatusOf = ({ pipe, progress }: MovingPipe): PipeStatus => ({
  state: pipe.state,
  message: progress?.message ?? null,
  since: timeOf(progress?.since),
  next: progress?.steps[0]?.next ?? null,
  due: timeOf(progress?.steps[0]?.due),
  simulated: true
})
