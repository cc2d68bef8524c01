import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/** A process beside this one, so that neither waits for the other's work. */
export interface HelperProcess {
  /** The next message that it sent; rejects if it ends without one. */
  readonly next: () => Promise<unknown>
  /** Sends a message and resolves to the next one that comes back. */
  readonly ask: (message: unknown) => Promise<unknown>
  readonly stop: () => void
}

interface Waiting {
  readonly resolve: (message: unknown) => void
  readonly reject: (error: Error) => void
}

// No helper outlives this process.
const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

/** Starts a script that talks to this process by messages. */
export const startHelper = (script: URL, args: ReadonlyArray<string> = []): HelperProcess => {
  const child = fork(fileURLToPath(script), args, { serialization: "advanced" })
  const messages: Array<unknown> = []
  let waiting: Waiting | undefined
  let ended: Error | undefined
  running.add(child)
  child.on("message", (message) => {
    if (waiting === undefined) messages.push(message)
    else waiting.resolve(message)
    waiting = undefined
  })
  child.once("exit", () => running.delete(child))
  const rejectAtEnd = async () => {
    // What it sent before its end may arrive after it, but not after the disconnection.
    const [[code]] = await Promise.all([once(child, "exit"), once(child, "disconnect")])
    ended = new Error(`the process ended with ${code} and no answer`)
    waiting?.reject(ended)
  }
  void rejectAtEnd()
  const next = () =>
    new Promise<unknown>((resolve, reject) => {
      if (messages.length > 0) resolve(messages.shift())
      else if (ended !== undefined) reject(ended)
      else waiting = { resolve, reject }
    })
  return {
    next,
    ask: (message) => {
      child.send(message as object)
      return next()
    },
    stop: () => child.kill("SIGKILL")
  }
}
