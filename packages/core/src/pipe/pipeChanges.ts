import { adoptChange } from "./adoptPipe.ts"
import { reportChange } from "./MovedPipes.ts"
import { resumeChange } from "./PipeResume.ts"
import { holdChange } from "./PipeSimulation.ts"
import { stateChange } from "./PipeStateChange.ts"
import { scalingChange } from "./ScalingUpdate.ts"
import { settingsChange } from "./SettingsUpdate.ts"
import { updateChange } from "./updatePipe.ts"

/**
 * The changes of a stored pipe, by what asks for them. Those that a caller asks for fail with `InvalidRequest` if the request is
 * wrong, and a store applies them by `userChange`; `hold` and `report` are applied as they are.
 */
export const pipeChanges = {
  /** By `Pipes.setState`. */
  state: stateChange,
  /** By `Pipes.scale`. */
  scaling: scalingChange,
  /** By `Pipes.updateSettings`. */
  settings: settingsChange,
  /** By `Pipes.update`: `PipeUpdate` says what stays, what is merged and what is replaced. */
  update: updateChange,
  /** By `Pipes.resume`: the pipe starts, and its mover carries the decision out before it moves rows. */
  resume: resumeChange,
  /** By `Pipes.adopt`: a simulated pipe is bound to the warehouse that `PipeMover` names. */
  adopt: adoptChange,
  /** By `MovedPipes`: what a mover reports of its pipe. */
  report: reportChange,
  /** By `PipeSimulation`: a state in which the pipe stays until the next command. */
  hold: holdChange
}
