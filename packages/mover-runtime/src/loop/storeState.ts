import type { PipeAssignment, MovedPipes, MoverReport } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { mover } from "../pipe/metrics.ts"

// As much as is stored: sources and warehouses choose the texts of their errors.
const maxLoggedMessage = 4096

/** Stores the state of a pipe, and logs the change. Returns whether no user has changed the pipe meanwhile. */
export const storeState = Effect.fnUntraced(function* (
  moved: MovedPipes["Service"],
  { address, state: before, version }: PipeAssignment,
  report: MoverReport
) {
  const isStored = yield* moved.report(address, version, { ...report, mover })
  const reason = report.message === undefined ? "" : `: ${report.message.slice(0, maxLoggedMessage)}`
  const line = `pipe ${address.pipeId}: ${before} -> ${report.state}${reason}`
  if (isStored) yield* report.state === "Failed" ? Effect.logError(line) : Effect.logInfo(line)
  return isStored
})
