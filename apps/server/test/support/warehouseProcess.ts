import * as Effect from "effect/Effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { execPath } from "node:process"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(
  new URL("../../../../packages/mover-clickhouse/test/processes/warehouse.ts", import.meta.url)
)

/**
 * A warehouse that is a process of its own, over a folder. It keeps its address when it is started again, and its tables unless it is
 * started over another folder; there a file may be the engine's configuration. `around` is the command that it is started by.
 */
export const makeWarehouse = Effect.fnUntraced(function* (path: string, ...around: ReadonlyArray<string>) {
  let child: ChildProcess | undefined
  let url = ""
  const stop = Effect.promise(async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  })
  const startOver = (folder: string, ...configuration: ReadonlyArray<string>) =>
    Effect.promise(async () => {
      const port = url === "" ? "0" : new URL(url).port
      const [command = "", ...args] = [...around, execPath, script, folder, port, ...configuration]
      const running = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] })
      child = running
      const [line] = await once(running.stdout, "data")
      url = String(line).trim()
    })
  const start = startOver(path)
  yield* Effect.acquireRelease(start, () => stop)
  return { front: { url }, pid: () => child?.pid ?? 0, start, startOver, stop }
})
