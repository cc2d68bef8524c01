// Callers that hang up: what they asked for must end in the engine, too.
import { setTimeout as sleep } from "node:timers/promises"
import { chartPaths, startChartServer, stopServer } from "./ChartServer.ts"
import { createHeavyRows, firstRow, slowChart } from "./heavyRows.ts"
import type { Part, PartOptions } from "./Part.ts"
import { type ChartWarehouse, embedded, overHttp } from "./Warehouses.ts"

const rows = 20_000_000

/** When a caller hangs up, in milliseconds. */
const hangsUpAfter = 300

/** How long a query may take until it runs. */
const longestStart = 20_000

/** How long a cancelled query may go on. One that is not cancelled goes on for a multiple of it. */
const longestEnd = 10_000

const until = async (isTrue: () => Promise<boolean>, longest: number): Promise<boolean> => {
  for (const end = performance.now() + longest; performance.now() < end; await sleep(50))
    if (await isTrue()) return true
  return false
}

const cancelIn = async (
  name: string,
  warehouse: ChartWarehouse,
  { directory, random, rounds, script, verdict }: PartOptions
): Promise<string> => {
  const limits = ["--query-timeout", "120s"]
  const flags = () => ["--query-database", "default", ...limits]
  const { caller, server } = await startChartServer({ directory, script, random, warehouse, flags })
  await createHeavyRows(warehouse.query, rows)
  const source = await caller.createSource({
    from: { databaseName: "default", tableName: "heavy" },
    timestampValueExpression: "at"
  })
  const body = { tile: { config: slowChart(source) }, from: firstRow, to: firstRow + rows }
  let [longest, seen] = [0, 0]
  for (let round = 1; round <= rounds; round += 1) {
    const leaving = new AbortController()
    const answer = caller.call("POST", chartPaths.query, body, { signal: leaving.signal }).then(
      ({ status, text }) => `it was answered ${status} ${text.slice(0, 200)}`,
      () => undefined
    )
    await sleep(hangsUpAfter)
    // On a busy machine it may not have begun yet.
    if (await until(async () => (await warehouse.running("sipHash64")) > 0, longestStart)) seen += 1
    const at = performance.now()
    leaving.abort()
    const fault = await answer
    if (fault !== undefined) {
      verdict.hold(false, `${name}, round ${round}: ${fault}`)
      break
    }
    const hasEnded = await until(async () => (await warehouse.running("sipHash64")) === 0, longestEnd)
    longest = Math.max(longest, performance.now() - at)
    verdict.hold(hasEnded, `${name}, round ${round}: the query goes on after its caller has hung up`)
    if (hasEnded) continue
    // What goes on holds the places of others.
    await server.kill()
    await warehouse.stop()
    return `${name}: ${round} cancelled, the last one not ended`
  }
  verdict.hold(seen > 0, `${name}: no query ran when its caller hung up`)
  // Places in the queue are given back.
  const quick = { displayType: "number", sourceId: source, select: [{ aggFn: "count", where: "" }] }
  const after = await caller.call("POST", chartPaths.query, {
    tile: { config: quick },
    from: firstRow,
    to: firstRow + 60_000
  })
  verdict.hold(
    after.status === 200,
    `${name}: a query after those that were cancelled is answered ${after.status} ${after.text.slice(0, 200)}`
  )
  await stopServer(server, verdict)
  await warehouse.stop()
  return `${name}: ${rounds} cancelled, ${seen} of them seen running, the longest ended after ${longest.toFixed(0)} ms`
}

export const cancel: Part = async (options) => {
  const figures: Array<string> = []
  for (const [name, start] of [
    ["HTTP", overHttp],
    ["embedded", embedded]
  ] as const) {
    const directory = `${options.directory}/${name}`
    figures.push(await cancelIn(name, await start(directory), { ...options, directory }))
  }
  return figures.join("; ")
}
