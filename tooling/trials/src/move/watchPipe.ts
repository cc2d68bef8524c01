import { callJson } from "@headgate/harness/JsonClient"
import { setTimeout as sleep } from "node:timers/promises"
import type { PipeStatus, Resolution } from "./MovedSource.ts"

/** Where a pipe is asked for and commanded. */
export interface PipeAddress {
  /** That of a server that runs now. */
  readonly url: () => string
  readonly path: string
  readonly authorization: string
}

/** The status of a pipe; `undefined` if the server does not tell it. */
export const readStatus = async ({ authorization, path, url }: PipeAddress): Promise<PipeStatus | undefined> => {
  const { json, status } = await callJson(url(), { path: `${path}/status`, authorization })
  if (status !== 200) return undefined
  const { message, skippedKeys, state } = json.result
  return {
    state: String(state),
    message: message == null ? "" : String(message),
    skippedKeys: Number(skippedKeys ?? 0)
  }
}

/** Sends a command, or a decision. */
export const resolve = async ({ authorization, path, url }: PipeAddress, resolution: Resolution) => {
  const call =
    "command" in resolution
      ? { method: "PATCH", path: `${path}/state`, body: resolution }
      : { method: "POST", path: `${path}/resume`, body: resolution }
  const { json, status } = await callJson(url(), { ...call, authorization })
  if (status !== 200) throw new Error(`${JSON.stringify(resolution)}: ${status} ${JSON.stringify(json)}`)
}

/** Asks for the status of a pipe, until it is stopped, and sends the commands that `remedy` returns for it. */
export const watchPipe = (address: PipeAddress, remedy: (status: PipeStatus) => Promise<string | undefined>) => {
  const watching = { isOver: false }
  const step = async () => {
    const status = await readStatus(address)
    const command = status === undefined ? undefined : await remedy(status)
    if (command !== undefined) await resolve(address, { command })
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
