import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { isMainThread } from "node:worker_threads"

const shell = "/bin/sh"

/**
 * Lets this process end without the exit handlers of native code, with its exit code. For a process with the embedded engine: its threads run on
 * while those handlers remove what they use, so that the end is now and then a crash, or a wait of five minutes for a report of it (chdb
 * 3.4.0). Everything is closed by then. A shell that takes the place of the process ends all of its threads first.
 */
export const exitAtOnce = Effect.sync(() => {
  const { execve } = process
  if (execve === undefined || !isMainThread || !existsSync(shell)) return
  process.once("exit", (code) => {
    execve.call(process, shell, ["sh", "-c", `exit ${code}`], {})
  })
})
