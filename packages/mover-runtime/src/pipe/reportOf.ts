import type { PipeState } from "@headgate/core"
import type { MoverReport } from "@headgate/core/adapter"
import { type MoverStatus, NotedObjects } from "@headgate/mover"
import { countsOf, sayNoted, withoutRow } from "./metrics.ts"
import type { LivePipe } from "./LivePipe.ts"

const states: { readonly [State in MoverStatus["state"]]: PipeState | undefined } = {
  // Until it has begun to move, a pipe stays in the state that the command put it into.
  Setup: undefined,
  Running: "Running",
  Degraded: "Degraded",
  Failed: "Failed",
  Completed: "Completed"
}

/** What a pipe that is Completed has not moved; `undefined` if it has moved everything. */
const notMoved = (live: LivePipe, errorTableOf: (table: string) => string): string | undefined => {
  const { emptyObjects, errors, rows } = countsOf(live)
  const table = errorTableOf(live.record.pipe.destination?.table ?? "<targetTable>")
  const found = [
    ...(errors > 0 ? [`${errors} rows or objects were rejected: see ${table}`] : []),
    ...sayNoted(emptyObjects ?? NotedObjects.none, withoutRow),
    ...(rows === 0 && live.status?.ranges === 0 && live.source?.objects !== undefined
      ? ["nothing was read: no object has a key that matches the pattern of the url"]
      : [])
  ]
  return found.length === 0 ? undefined : found.join("; ")
}

/** What is to be stored of a pipe; `undefined` for nothing. */
export const reportOf = (live: LivePipe, errorTableOf: (table: string) => string): MoverReport | undefined => {
  const { end, status } = live
  if ((end?._tag ?? status?.state) === "Completed") return { state: "Completed", message: notMoved(live, errorTableOf) }
  // Another server moves it, and reports.
  if (end?._tag === "Superseded") return undefined
  // Another server may move it, or this one later.
  if (end?._tag === "Unable") return { state: "Degraded", message: end.message }
  if (end !== undefined) return { state: end._tag === "Broken" ? "Failed" : end._tag, message: end.message }
  const state = status === undefined ? undefined : states[status.state]
  return state === undefined ? undefined : { state, message: status?.message }
}
