import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { PipeRecord } from "./lifecycle.ts"
import type { Pipe, PipeState } from "./Pipe.ts"
import { restingStates } from "./MovedPipes.ts"
import { type PipeMetrics, PipeMover, waitsForWarehouse } from "./PipeMover.ts"
import type { ListedPipeStatus, PipeStatus } from "./PipeStatus.ts"

/** What the status of a pipe tells of its record. Its due steps are applied already. */
type StatusRecord = Pick<PipeRecord, "progress" | "warehouse"> & { readonly pipe: Pick<Pipe, "id" | "state"> }

const timeOf = (millis: number | undefined): DateTime.Utc | null =>
  millis === undefined ? null : DateTime.makeUnsafe(Math.floor(millis))

/** The state in which the mover of a pipe puts it next, if all goes well. */
const nextOf = ({ pipe, progress }: StatusRecord): PipeState | null => {
  const goal = progress?.goal
  return goal === undefined || goal === pipe.state ? null : goal
}

/** The status of a pipe with what is known of its rows. `warehouses`: those that are served. */
const statusOf = (record: StatusRecord, warehouses: ReadonlySet<string>, metrics: PipeMetrics = {}): PipeStatus => {
  const { pipe, progress, warehouse } = record
  const stored: PipeStatus = {
    state: pipe.state,
    message: progress?.message ?? null,
    since: timeOf(progress?.since),
    next: progress?.steps[0]?.next ?? nextOf(record),
    due: timeOf(progress?.steps[0]?.due),
    simulated: warehouse === undefined
  }
  if (warehouse === undefined) return stored
  const waits = !warehouses.has(warehouse) && !restingStates.includes(pipe.state)
  return { ...stored, ...(waits ? { message: waitsForWarehouse(warehouse) } : {}), warehouse, ...metrics }
}

/** The status of a pipe, with what its mover knows of it: its source may be asked. */
export const pipeStatusOf = Effect.fnUntraced(function* (record: PipeRecord) {
  const { metrics, warehouses } = yield* PipeMover
  return statusOf(record, warehouses, record.warehouse === undefined ? undefined : yield* metrics(record))
})

/**
 * The statuses of pipes, with what was kept of them: one question to the mover, however many there are, and none to a source.
 *
 * @example
 * ```ts
 * import { type PipeRecord, pipeStatusesOf } from "@headgate/core/adapter"
 *
 * // `Pipes.statuses`, once the pipes of the service are read.
 * export const statuses = (held: ReadonlyArray<PipeRecord>) => pipeStatusesOf(held)
 * ```
 */
export const pipeStatusesOf = Effect.fnUntraced(function* (all: ReadonlyArray<StatusRecord>) {
  const { savedMetrics, warehouses } = yield* PipeMover
  const moved = all.flatMap(({ pipe, warehouse }) => (warehouse === undefined ? [] : [pipe.id]))
  const saved = moved.length === 0 ? undefined : yield* savedMetrics(moved)
  return all.map((record): ListedPipeStatus => {
    const { id } = record.pipe
    return { id, ...statusOf(record, warehouses, saved?.get(id)) }
  })
})
