import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { headgateScript, start } from "./Contestant.ts"
import { median } from "./ratios.ts"

/** How long it takes until something is there, in milliseconds: medians. */
export interface Startup {
  /** A Node that does nothing: what no program of ours can go below. */
  readonly node: number
  readonly memory: number
  /** A fresh database, made and migrated. */
  readonly sqliteFresh: number
  /** A database that is there. */
  readonly sqliteAgain: number
}

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await run()
  return performance.now() - began
}

const nothing = () =>
  new Promise<void>((resolve, reject) =>
    spawn(process.execPath, ["-e", "0"], { stdio: "ignore" })
      .once("error", reject)
      .once("close", () => resolve())
  )

/** Starts a server until it says that it listens; that it ends again is not counted. */
const listening = async (...args: ReadonlyArray<string>): Promise<number> => {
  const began = performance.now()
  const { stop } = await start(headgateScript, ["--port=0", ...args])
  const took = performance.now() - began
  await stop()
  return took
}

/** Starts each in turn, `times` over, after one start that does not count: it fills the compile cache. */
export const measureStartup = async (directory: string, times: number): Promise<Startup> => {
  const again = join(directory, "again")
  await listening("--memory")
  await listening("--data", again)
  const taken = { node: [], memory: [], sqliteFresh: [], sqliteAgain: [] } as Record<keyof Startup, Array<number>>
  for (let index = 0; index < times; index++) {
    taken.node.push(await timed(nothing))
    taken.memory.push(await listening("--memory"))
    const fresh = mkdtempSync(join(directory, "fresh-"))
    taken.sqliteFresh.push(await listening("--data", fresh))
    rmSync(fresh, { recursive: true, force: true })
    taken.sqliteAgain.push(await listening("--data", again))
  }
  return {
    node: median(taken.node),
    memory: median(taken.memory),
    sqliteFresh: median(taken.sqliteFresh),
    sqliteAgain: median(taken.sqliteAgain)
  }
}
