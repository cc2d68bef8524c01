import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { PipeRecord } from "./lifecycle.ts"
import type { PipeState } from "./Pipe.ts"
import { restingStates } from "./MovedPipes.ts"
import { PipeMover, waitsForWarehouse } from "./PipeMover.ts"
import type { PipeStatus } from "./PipeStatus.ts"

const timeOf = (millis: number | undefined): DateTime.Utc | null =>
  millis === undefined ? null : DateTime.makeUnsafe(Math.floor(millis))

/** The state in which the mover of a pipe puts it next, if all goes well. */
const nextOf = ({ pipe, progress }: PipeRecord): PipeState | null => {
  const goal = progress?.goal
  return goal === undefined || goal === pipe.state ? null : goal
}

/**
 * The status of a pipe, whose due steps are applied already, with what its mover knows of it. `kept`: with what was kept of it,
 * without a question to its source.
 */
export const pipeStatusOf = Effect.fnUntraced(function* (moving: PipeRecord, kept: "kept" | undefined = undefined) {
  const { pipe, progress, warehouse } = moving
  const stored: PipeStatus = {
    state: pipe.state,
    message: progress?.message ?? null,
    since: timeOf(progress?.since),
    next: progress?.steps[0]?.next ?? nextOf(moving),
    due: timeOf(progress?.steps[0]?.due),
    simulated: warehouse === undefined
  }
  if (warehouse === undefined) return stored
  const { metrics, savedMetrics, warehouses } = yield* PipeMover
  const waits = !warehouses.has(warehouse) && !restingStates.includes(pipe.state)
  const message = waits ? waitsForWarehouse(warehouse) : (stored.message ?? null)
  const known = yield* kept === undefined ? metrics(moving) : savedMetrics(pipe.id)
  const status: PipeStatus = { ...stored, message, warehouse, ...known }
  return status
})
