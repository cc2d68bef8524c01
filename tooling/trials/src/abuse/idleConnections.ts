import { memoryOf, socketsOf } from "../server/figures.ts"
import type { Abuse } from "./Abuse.ts"
import { startHelper } from "./HelperProcess.ts"
import type { Holding, LetGo } from "./idleHolder.ts"

// Several processes, so that 4,096 open files for each are enough on this side.
const processes = 4
const wanted = 10_000

/** Starts a process that holds connections: how many, and later how they ended. */
const holdIn = async (url: string, count: number) => {
  const helper = startHelper("./idleHolder.ts", [url, String(count)])
  const holding = (await helper.next()) as Holding
  return { holding, letGo: helper.next() as Promise<LetGo> }
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

const idle: Abuse = {
  name: "10,000 idle connections",
  run: async ({ pid, url, verdict }) => {
    const held = await Promise.all(Array.from({ length: processes }, () => holdIn(url, wanted / processes)))
    const sockets = socketsOf(pid)
    const memory = memoryOf(pid)
    const open = sum(held.map(({ holding }) => holding.open))
    const refused = held.flatMap(({ holding }) => holding.refused)
    const ends = await Promise.all(held.map(({ letGo }) => letGo))
    const stillOpen = sum(ends.map((end) => end.stillOpen))
    const closed = sum(ends.map(({ closedByServer }) => closedByServer))
    const after = Math.max(...ends.map((end) => end.after))
    verdict.none(refused, `of ${wanted} connections ${refused.length} could not be opened (ulimit -n?)`)
    verdict.hold(stillOpen === 0, `10,000 idle connections: the server still held ${stillOpen} of them at the end`)
    return (
      `${open} open at once${sockets === undefined ? "" : ` (${sockets} sockets and ${memory} MiB in the server)`}; ` +
      `${closed} closed by the server, the last after ${after.toFixed(1)} s`
    )
  }
}

export const idleConnections: ReadonlyArray<Abuse> = [idle]
