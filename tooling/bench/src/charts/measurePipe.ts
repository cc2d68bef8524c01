// How fast a pipe moves a topic while callers draw heavy charts of the same engine, beside how fast it does alone.
import { startKafka } from "@headgate/harness/KafkaBroker"
import { makeRandom } from "@headgate/harness/Random"
import { serverScript } from "@headgate/harness/ServerProcess"
import { pipePath, pipesPath } from "@headgate/harness/Snapshot"
import { say } from "@headgate/harness/Verdict"
import { medianOf, medianRatio, runRounds } from "@headgate/harness/rounds"
import { table, type Target } from "@headgate/harness/table"
import * as Effect from "effect/Effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type ChartCaller, chartPaths, startChartServer } from "../../../trials/src/charts/ChartServer.ts"
import { createHeavyRows, firstRow, slowChart } from "../../../trials/src/charts/heavyRows.ts"
import { embedded } from "../../../trials/src/charts/Warehouses.ts"
import { type Events, eventsOf, produce } from "../move/environment.ts"

const heavyRows = 5_000_000
const callers = 8

const names = { alone: "a pipe alone", beside: "a pipe beside heavy queries" }

/** Draws heavy charts until it is stopped. Returns how many were answered. */
const drawHeavy = (caller: ChartCaller, sourceId: string) => {
  const leaving = new AbortController()
  let answered = 0
  let drawn = 0
  const draw = async () => {
    while (!leaving.signal.aborted) {
      // No two are equal: those would be run once.
      const config = slowChart(sourceId, (drawn += 1))
      const body = { tile: { config }, from: firstRow, to: firstRow + heavyRows }
      await caller.call("POST", chartPaths.query, body, { signal: leaving.signal }).then(
        () => (answered += 1),
        () => undefined
      )
    }
  }
  const all = Promise.all(Array.from({ length: callers }, draw))
  return async () => {
    leaving.abort()
    await all
    return answered
  }
}

const pipeRequest = (brokers: string, { columns, topic }: Events, to: string) => ({
  name: to,
  source: {
    kafka: { type: "kafka", format: "JSONEachRow", brokers, topics: topic, offset: { strategy: "from_beginning" } }
  },
  destination: {
    database: "default",
    table: to,
    managedTable: true,
    columns,
    tableDefinition: { engine: { type: "MergeTree" }, sortingKey: ["id"] }
  }
})

const measure = async (directory: string, rounds: number, brokers: string, events: Events) => {
  const warehouse = await embedded(directory)
  const { caller, server } = await startChartServer({
    dialect: "neutral",
    directory,
    script: serverScript,
    random: makeRandom(2),
    warehouse,
    flags: () => ["--query-database", "default"]
  })
  await createHeavyRows(warehouse.query, heavyRows)
  const sourceId = await caller.createSource({
    from: { databaseName: "default", tableName: "heavy" },
    timestampValueExpression: "at"
  })
  let [tables, drawn] = [0, 0]
  const contestants = [{ name: names.alone }, { name: names.beside }]
  const times = await runRounds(contestants, rounds, async ({ name }) => {
    const to = `moved_${(tables += 1)}`
    const stop = name === names.beside ? drawHeavy(caller, sourceId) : () => Promise.resolve(0)
    const at = performance.now()
    const made = await caller.manage("POST", pipesPath(caller.organization), pipeRequest(brokers, events, to))
    if (made.status !== 200) throw new Error(`the pipe cannot be created: ${made.text}`)
    const path = pipePath(caller.organization, String(made.json.result.id))
    for (;;) {
      const { json } = await caller.manage("GET", `${path}/status`)
      if (json.result.rows >= events.messages) break
      await sleep(50)
    }
    const seconds = (performance.now() - at) / 1000
    drawn += await stop()
    await caller.manage("DELETE", path)
    await warehouse.query(`DROP TABLE default.${to} SYNC`)
    return seconds
  })
  await server.stop()
  return { times, drawn }
}

/** Returns the target. */
export const measurePipe = (directory: string, rounds: number, messages: number): Promise<ReadonlyArray<Target>> => {
  const own = join(directory, "pipe")
  mkdirSync(own)
  const run = Effect.gen(function* () {
    const broker = yield* startKafka()
    const events = eventsOf("events", messages)
    yield* produce({ broker }, events)
    return yield* Effect.promise(() => measure(own, rounds, broker.plain, events))
  })
  return Effect.runPromise(Effect.scoped(run)).then(({ drawn, times }) => {
    const seconds = (one: number) => one
    say()
    for (const line of table([
      [`${messages} messages, ${times.length} rounds, ${drawn} heavy charts answered`, "rows/s"],
      ...Object.values(names).map((name) => [name, (messages / medianOf(times, name, seconds)).toFixed(0)])
    ]))
      say(line)
    const measured = medianRatio(times, names.alone, names.beside, seconds)
    return [{ what: `${names.beside} / alone, rows a second`, atLeast: 0.6, measured }]
  })
}
