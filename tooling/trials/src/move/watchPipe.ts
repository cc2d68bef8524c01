import { type Answer, callJson } from "@headgate/harness/JsonClient"
import { setTimeout as sleep } from "node:timers/promises"
import type { PipeStatus } from "./MovedSource.ts"

/** Where a pipe is asked for and commanded. */
export interface PipeAddress {
  /** That of a server that runs now. */
  readonly url: () => string
  readonly path: string
  readonly authorization: string
}

const statusOf = ({ json, status }: Answer): PipeStatus | undefined => {
  if (status !== 200) return undefined
  const { message, state } = json.result
  return { state: String(state), message: message == null ? "" : String(message) }
}

/** Asks for the status of a pipe, until it is stopped, and sends the commands that `remedy` returns for it. */
export const watchPipe = (
  { authorization, path, url }: PipeAddress,
  remedy: (status: PipeStatus) => Promise<string | undefined>
) => {
  const watching = { isOver: false }
  const step = async () => {
    const status = statusOf(await callJson(url(), { path: `${path}/status`, authorization }))
    const command = status === undefined ? undefined : await remedy(status)
    if (command === undefined) return
    await callJson(url(), { method: "PATCH", path: `${path}/state`, authorization, body: { command } })
  }
  const watch = async () => {
    // A server that was killed does not answer, and the pipe is asked again.
    for (; !watching.isOver; await sleep(100)) await step().catch(() => undefined)
  }
  const watched = watch()
  return {
    stop: async () => {
      watching.isOver = true
      await watched
    }
  }
}
