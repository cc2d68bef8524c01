import { type MovedPipe, MovedPipes, type MoverReport } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { StartupError } from "../StartupError.ts"

// As much as is stored: sources and warehouses choose the texts of their errors.
const maxLoggedMessage = 4096

/** Stores the state of a pipe, and logs the change. Returns whether no caller has changed the pipe meanwhile. */
export const storeState = Effect.fnUntraced(function* (
  moved: MovedPipes["Service"],
  { address, state: before, version }: MovedPipe,
  report: MoverReport
) {
  const isStored = yield* moved.report(address, version, report)
  const reason = report.message === undefined ? "" : `: ${report.message.slice(0, maxLoggedMessage)}`
  const line = `pipe ${address.pipeId}: ${before} -> ${report.state}${reason}`
  if (isStored) yield* report.state === "Failed" ? Effect.logError(line) : Effect.logInfo(line)
  return isStored
})

/** Logs how many deleted pipes are left to be cleaned up: for a server that moves none. */
export const reportDeleted = Effect.gen(function* () {
  const { length: count } = yield* MovedPipes.use((moved) => moved.deleted())
  if (count === 0) return
  yield* Effect.logWarning(
    `${count} deleted pipes have left something in their sources: a server with their warehouse removes it (headgate-server cleanup list)`
  )
}).pipe(Effect.mapError(({ message }) => new StartupError({ message: `the pipes could not be read: ${message}` })))
