// Backups of what a pipe depends on, which are put back after it has moved more.
import type { Verdict } from "@headgate/harness/Verdict"
import { cpSync, rmSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import type { Servers } from "../scenario/Servers.ts"
import type { PipeStatus, Resolution } from "./MovedSource.ts"
import type { WarehouseProcess } from "./WarehouseProcess.ts"

/** What is restored: the database of the server, or the warehouse. */
export type Restored = "ledger" | "warehouse"

/** What a round restores, and how it goes on. */
export interface Restoring {
  readonly movers: Servers
  readonly warehouse: WarehouseProcess
  readonly verdict: Verdict
  /** The folder of the database of the server; absent if it has none. */
  readonly data: string | undefined
  /** Produces more, and does not wait until it arrives. */
  readonly produce: () => Promise<void>
  /** Waits until all that was produced has arrived; `false` if it does not. */
  readonly untilComplete: () => Promise<boolean>
  readonly status: () => Promise<PipeStatus | undefined>
  readonly send: (resolution: Resolution) => Promise<void>
  /** What decides about a pipe whose ledger and warehouse differ. */
  readonly resolution: Resolution
  /** In milliseconds. */
  readonly longestWait: number
}

// What arrived last is logged and marked as done by then.
const settle = 1_000

const backupOf = ({ data, movers, verdict, warehouse }: Restoring, restored: Restored) => {
  if (restored === "warehouse") return { save: () => warehouse.save(), restore: () => warehouse.restore() }
  if (data === undefined) throw new Error("there is no database of a server in a folder")
  const saved = `${data}.saved`
  const copy = (from: string, to: string) => () => {
    rmSync(to, { recursive: true, force: true })
    cpSync(from, to, { recursive: true })
  }
  return {
    save: () => movers.without(verdict, copy(data, saved)),
    restore: () => movers.without(verdict, copy(saved, data))
  }
}

/** Restores a backup of before some rows. The pipe must say so and stop, and lose and double nothing after the decision. */
export const restoreBackup = async (restoring: Restoring, restored: Restored, what: string): Promise<void> => {
  const { longestWait, produce, resolution, send, status, untilComplete, verdict } = restoring
  const backup = backupOf(restoring, restored)
  if (!(await untilComplete())) return verdict.hold(false, `${what}: what was produced does not arrive`)
  await sleep(settle)
  await backup.save()
  await produce()
  if (!(await untilComplete())) return verdict.hold(false, `${what}: nothing arrives after the ${restored} was saved`)
  await sleep(settle)
  await backup.restore()
  // A pipe that waits looks at neither of the two before there is something to move.
  await produce()
  for (const until = performance.now() + longestWait; performance.now() < until; await sleep(100)) {
    const now = await status().catch(() => undefined)
    if (now?.state !== "Failed") continue
    const says = /the ledger and the warehouse differ|restored from a backup/.test(now.message)
    verdict.hold(says, `${what}: the pipe is Failed after the ${restored} was restored, and says: ${now.message}`)
    await send(resolution)
    // What comes after all that may be doubled: when it has arrived, that has, too.
    if (await untilComplete()) await produce()
    return undefined
  }
  verdict.hold(false, `${what}: the pipe does not say that the ${restored} was restored`)
}
