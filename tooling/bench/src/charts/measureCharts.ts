// CPU time of the process of a server, in which the engine is: of charts, and of the bare SQL on a connection beside those of the server.
import { makeRandom } from "@headgate/harness/Random"
import { serverScript } from "@headgate/harness/ServerProcess"
import { say } from "@headgate/harness/Verdict"
import { medianOf, medianRatio, runRounds } from "@headgate/harness/rounds"
import { table, type Target } from "@headgate/harness/table"
import { mkdirSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { chartPaths, startChartServer } from "../../../trials/src/charts/ChartServer.ts"
import { embedded } from "../../../trials/src/charts/Warehouses.ts"
import { processCpu } from "./processCpu.ts"

const from = Date.UTC(2026, 0, 1)
const to = from + 86_400_000

/** So often a contestant asks in a round: CPU time is counted in steps of 10 ms. */
const requests = 10

/** As many as a query of a chart takes. */
const threads = Math.max(1, Math.floor(availableParallelism() / 2))

const names = {
  chart: "charts/query, average by 8 services and half hours",
  bare: "its bare SQL",
  final: "its bare SQL with FINAL, over a tenth of changed rows",
  limited: "the 20 largest of 200 groups",
  unlimited: "all 200 groups"
}

const bareSql = (from: number, to: number, table: string, added: number) =>
  `SELECT service, toStartOfInterval(toDateTime(at, 'UTC'), INTERVAL 30 minute) AS bucket, avg(value + ${added}) FROM default.${table}
   WHERE at >= fromUnixTimestamp64Milli(${from}) AND at < fromUnixTimestamp64Milli(${to})
   GROUP BY service, bucket ORDER BY bucket SETTINGS max_threads = ${threads} FORMAT JSONCompact`

const makeTables = async (query: (sql: string) => Promise<string>, rows: number) => {
  const columns = "id UInt64, at DateTime64(3), service LowCardinality(String), key String, value Float64"
  const values = (seed: number) =>
    `number, fromUnixTimestamp64Milli(${from} + toInt64(cityHash64(number) % 86400000)),
     concat('service-', toString(cityHash64(number, 1) % 8)), concat('key-', toString(cityHash64(number, 2) % 200)),
     (cityHash64(number, ${seed}) % 100000) / 100`
  await query(`CREATE TABLE default.events (${columns}) ENGINE = MergeTree ORDER BY (service, at)`)
  await query(`INSERT INTO default.events SELECT ${values(3)} FROM numbers(${rows})`)
  await query(`CREATE TABLE default.versions (${columns}) ENGINE = ReplacingMergeTree ORDER BY id`)
  await query("SYSTEM STOP MERGES default.versions")
  await query(`INSERT INTO default.versions SELECT ${values(3)} FROM numbers(${rows})`)
  await query(`INSERT INTO default.versions SELECT ${values(4)} FROM numbers(${Math.round(rows / 10)})`)
}

/** Measures in turn, and returns the targets. */
export const measureCharts = async (
  directory: string,
  rounds: number,
  rows: number
): Promise<ReadonlyArray<Target>> => {
  const own = join(directory, "charts")
  mkdirSync(own)
  const warehouse = await embedded(own)
  const { caller, server } = await startChartServer({
    directory: own,
    script: serverScript,
    random: makeRandom(1),
    warehouse,
    flags: () => ["--query-database", "default"]
  })
  const { query } = warehouse
  await makeTables(query, rows)
  const sourceId = await caller.createSource({
    from: { databaseName: "default", tableName: "events" },
    timestampValueExpression: "at"
  })
  const draw = async (config: object) => {
    const tile = { config: { displayType: "line", sourceId, ...config } }
    const { json, status, text } = await caller.call("POST", chartPaths.query, { tile, from, to, granularity: "30m" })
    if (status !== 200) throw new Error(`charts/query: ${status} ${text.slice(0, 500)}`)
    return Number(json.data.rows.length)
  }
  // No two queries are equal: the answer to one is also that to an equal one that is asked soon after.
  let added = 0
  const average = () => [{ aggFn: "avg", where: "", valueExpression: `value + ${(added += 1)}` }]
  const bare = async (name: string) => Number(JSON.parse(await query(bareSql(from, to, name, (added += 1)))).rows)
  const contestants = [
    { name: names.chart, run: () => draw({ groupBy: "service", select: average(), fillNulls: false }) },
    { name: names.bare, run: () => bare("events") },
    { name: names.final, run: () => bare("versions FINAL") },
    { name: names.limited, run: () => draw({ groupBy: "key", select: average(), fillNulls: false, seriesLimit: 20 }) },
    { name: names.unlimited, run: () => draw({ groupBy: "key", select: average(), fillNulls: false, seriesLimit: 0 }) }
  ]
  const found = new Map<string, number>()
  for (const { name, run } of contestants) found.set(name, await run())
  const costs = await runRounds(contestants, rounds, async ({ run }) => {
    const before = processCpu(server.pid)
    for (let index = 0; index < requests; index += 1) await run()
    return ((processCpu(server.pid) - before) * 1000) / requests
  })
  await server.stop()
  const cpu = (ms: number) => ms
  say()
  for (const line of table([
    [`${rows} rows, ${costs.length} rounds`, "CPU ms", "rows of the answer"],
    ...contestants.map(({ name }) => [name, medianOf(costs, name, cpu).toFixed(1), `${found.get(name)}`])
  ]))
    say(line)
  say(`with FINAL: ${medianRatio(costs, names.final, names.bare, cpu).toFixed(2)} times the bare SQL without`)
  const ratio = (one: string, other: string, atMost: number): Target => ({
    what: `CPU of ${one} / ${other}`,
    atMost,
    measured: medianRatio(costs, one, other, cpu)
  })
  return [ratio(names.chart, names.bare, 1.15), ratio(names.limited, names.unlimited, 1.2)]
}
