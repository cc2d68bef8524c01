import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"

/** A process beside the trial's own, so that neither waits for the other's work. */
export interface HelperProcess {
  /** The next message that it sent; rejects when it ends without one. */
  readonly next: () => Promise<unknown>
  readonly tell: (message: string) => void
}

interface Waiting {
  readonly resolve: (message: unknown) => void
  readonly reject: (error: Error) => void
}

/** Starts a script of this folder. It does not outlive the trial. */
export const startHelper = (script: string, args: ReadonlyArray<string>): HelperProcess => {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args)
  const messages: Array<unknown> = []
  let waiting: Waiting | undefined
  let ended: Error | undefined
  const kill = () => child.kill("SIGKILL")
  process.once("exit", kill)
  child.on("message", (message) => {
    if (waiting === undefined) messages.push(message)
    else waiting.resolve(message)
    waiting = undefined
  })
  child.once("exit", (code) => {
    process.off("exit", kill)
    ended = new Error(`${script} ended with ${code}`)
    waiting?.reject(ended)
  })
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (messages.length > 0) resolve(messages.shift())
        else if (ended !== undefined) reject(ended)
        else waiting = { resolve, reject }
      }),
    tell: (message) => void child.send(message)
  }
}
