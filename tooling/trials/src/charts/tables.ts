// Two organizations that share a warehouse: each may read only the tables that its own pipes have created, whatever else there is.
import { makeRandom } from "@headgate/harness/Random"
import { objectStorageRequest, sourcePassword } from "@headgate/harness/pipeRequests"
import { startStorageDouble } from "@headgate/harness/StorageDouble"
import { runServerCommand } from "@headgate/harness/ServerProcess"
import { pipePath, pipesPath } from "@headgate/harness/Snapshot"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type ChartCaller, chartPaths, startChartServer, stopServer, warehouseConnection } from "./ChartServer.ts"
import { timeOf } from "./otelTables.ts"
import type { Part, PartOptions } from "./Part.ts"
import { type ChartWarehouse, overHttp } from "./Warehouses.ts"

const key = { accessKeyId: "the-id-of-the-key", secretKey: sourcePassword }
const at = Date.UTC(2026, 0, 1)
const [from, to] = [at - 3_600_000, at + 3_600_000]

const columns = [
  { name: "n", type: "UInt32" },
  { name: "text", type: "String" },
  { name: "at", type: "DateTime64(3)" }
]
/** Without it a pipe refuses a table that it has not created. */
const deduplicated = "SETTINGS non_replicated_deduplication_window = 10000"
const definition = columns.map(({ name, type }) => `${name} ${type}`).join(", ")

/** How long a pipe may take for its first rows, in milliseconds. */
const longestWait = 120_000

interface Stage {
  readonly warehouse: ChartWarehouse
  /** The URL of objects with three rows. */
  readonly objects: string
}

const createPipe = (
  { objects }: Stage,
  { manage, organization }: BoundCaller,
  table: string,
  managedTable: boolean
) => {
  const destination = {
    database: "moved",
    table,
    managedTable,
    columns,
    ...(managedTable ? { tableDefinition: { engine: { type: "MergeTree" }, sortingKey: ["n"] } } : {})
  }
  const body = { ...objectStorageRequest(objects, "moved"), name: `pipe to ${table}`, destination }
  return manage("POST", pipesPath(organization), body)
}

type BoundCaller = Pick<ChartCaller, "organization"> & { readonly manage: ChartCaller["manage"] }
const bound = (caller: ChartCaller): BoundCaller => ({
  organization: caller.organization,
  manage: (...args) => caller.manage(...args)
})

/** Creates a pipe and waits until its rows are in the table. */
const movePipe = async (stage: Stage, caller: BoundCaller, table: string, managedTable: boolean): Promise<string> => {
  const { json, status, text: answer } = await createPipe(stage, caller, table, managedTable)
  if (status !== 200) throw new Error(`the pipe to ${table} cannot be created: ${answer}`)
  const id = String(json.result.id)
  const count = () => stage.warehouse.query(`SELECT count() FROM moved.${table} FORMAT TSV`).then(Number, () => 0)
  for (const until = performance.now() + longestWait; (await count()) < 3; await sleep(100)) {
    if (performance.now() < until) continue
    const { text } = await caller.manage("GET", `${pipePath(caller.organization, id)}/status`)
    throw new Error(`no rows arrive in ${table}: ${text}`)
  }
  return id
}

/** The answers of the three operations to one source. */
const ask = async (caller: ChartCaller, source: string, database: string, tableName: string) => {
  const document = {
    name: "asked",
    kind: "log",
    connection: warehouseConnection,
    timestampValueExpression: "at",
    from: { databaseName: database, tableName }
  }
  const { status, text } = await caller.call("PUT", `/api/v2/sources/${source}`, document)
  if (status !== 200) throw new Error(`the source cannot be changed: ${status} ${text}`)
  const series = { sourceId: source, aggFn: "count", where: "", groupBy: [] }
  const config = { displayType: "number", sourceId: source, select: [{ aggFn: "count", where: "" }] }
  const range = { startTime: new Date(from).toISOString(), endTime: new Date(to).toISOString() }
  return [
    await caller.call("POST", chartPaths.search, { sourceId: source, ...range, select: "text" }),
    await caller.call("POST", chartPaths.series, { startTime: from, endTime: to, granularity: "1d", series: [series] }),
    await caller.call("POST", chartPaths.query, { tile: { config }, from, to })
  ]
}

/** Every table that the warehouse has, and names that are none. */
const allTables = async ({ query }: ChartWarehouse, file: string) => {
  const found = await query(
    `SELECT database, name FROM system.tables WHERE database IN ('default', 'moved', 'system', 'information_schema')
     AND (database != 'system' OR name IN ('one', 'tables', 'columns', 'processes', 'query_log', 'numbers', 'disks'))
     ORDER BY database, name FORMAT TSV`
  )
  const pairs = found
    .trim()
    .split("\n")
    .map((line) => line.split("\t"))
  return [
    ...pairs,
    ["default", file],
    ["moved", file],
    ["moved", "own`; SELECT 1"],
    ["moved", "moved.own"],
    ["", "own"],
    ["moved", ""]
  ].map(([database = "", name = ""]) => ({ database, name }))
}

/** Makes the tables of the matrix. Two organizations have pipes. */
const makeTables = async (stage: Stage, one: ChartCaller, other: ChartCaller) => {
  const { query } = stage.warehouse
  await query("CREATE DATABASE moved")
  for (const table of ["opened", "nobodys"])
    await query(`CREATE TABLE moved.${table} (${definition}) ENGINE = MergeTree ORDER BY n ${deduplicated}`)
  await query(`INSERT INTO moved.nobodys VALUES (1, 'a row', '${timeOf(at)}')`)
  const pipes = new Map<string, string>()
  for (const table of ["own", "renamed", "remade"]) pipes.set(table, await movePipe(stage, bound(one), table, true))
  await movePipe(stage, bound(one), "opened", false)
  const theirs = await movePipe(stage, bound(other), "theirs", true)
  for (const table of ["renamed", "remade"]) {
    const path = pipePath(one.organization, pipes.get(table) ?? "")
    await one.manage("PATCH", `${path}/state`, { command: "stop" })
  }
  await query("RENAME TABLE moved.renamed TO moved.with_another_name")
  await query("DROP TABLE moved.remade SYNC")
  await query(`CREATE TABLE moved.remade (${definition}) ENGINE = MergeTree ORDER BY n`)
  await query(`INSERT INTO moved.remade VALUES (1, 'a row', '${timeOf(at)}')`)
  await query("CREATE VIEW moved.view_of_own AS SELECT * FROM moved.own")
  await query(`CREATE MATERIALIZED VIEW moved.kept ENGINE = MergeTree ORDER BY n AS SELECT * FROM moved.own`)
  await query("CREATE TABLE moved.merged AS moved.own ENGINE = Merge('moved', 'theirs')")
  return { own: pipes.get("own") ?? "", theirs }
}

const judgeMatrix = async ({ directory, random, script, verdict }: PartOptions, stage: Stage): Promise<string> => {
  const { warehouse } = stage
  const file = join(directory, "secret.csv")
  writeFileSync(file, "1,a secret line,2026-01-01 00:00:00\n")
  const { callers, server } = await startChartServer({
    dialect: "neutral",
    directory,
    script,
    random,
    warehouse,
    organizations: 2
  })
  const [one, other] = callers
  if (one === undefined || other === undefined) throw new Error("two organizations are needed")
  const pipes = await makeTables(stage, one, other)
  const named = await createPipe(stage, bound(other), "own", false)
  verdict.hold(named.status === 409, `a pipe to a table of another organization's pipe: ${named.status}`)
  const tables = await allTables(warehouse, file)
  let [readable, refused] = [0, 0]
  for (const [caller, mine] of [
    [one, "own"],
    [other, "theirs"]
  ] as const) {
    const source = await caller.createSource({ from: { databaseName: "moved", tableName: mine } })
    const unknown = await ask(caller, source, "moved", "unknown_table")
    for (const { database, name } of tables) {
      const answers = await ask(caller, source, database, name)
      const statuses = answers.map(({ status }) => status).join()
      if ((database === "moved" || database === "") && name === mine) {
        // Without a database it is that of the warehouse.
        if (database === "") continue
        readable += 1
        verdict.hold(statuses === "200,200,200", `${mine}: ${statuses} ${answers[0]?.text.slice(0, 300)}`)
        const [found] = answers
        verdict.hold(found?.json?.rows === 3, `${mine}: ${found?.json?.rows} rows in place of 3`)
        continue
      }
      refused += 1
      // The real service takes a source without a table, too.
      const isRefused = statuses === "404,404,404" || (name === "" && /^(40[04],?)+$/.test(statuses))
      verdict.hold(isRefused, `${database}.${name} for the organization of ${mine}: ${statuses}`)
      const hidden = answers.map(({ text }) => text.replaceAll(name || "\0", "T").replaceAll(database || "\0", "D"))
      const expected = unknown.map(({ text }) => text.replaceAll("unknown_table", "T").replaceAll("moved", "D"))
      const isTold = database !== "" && name !== "" && /^\w+$/.test(name) && hidden.join() !== expected.join()
      verdict.hold(!isTold, `${database}.${name} is told from a table that is not there: ${hidden[0]?.slice(0, 200)}`)
    }
    // Tables of a pipe by its id.
    const ofPipe = (pipeId: string, table?: string) =>
      caller.call("POST", chartPaths.query, { tile: { pipeId, ...(table === undefined ? {} : { table }) }, from, to })
    const [mineId, theirId] = mine === "own" ? [pipes.own, pipes.theirs] : [pipes.theirs, pipes.own]
    for (const [status, pipeId, table] of [
      [200, mineId, undefined],
      [200, mineId, mine],
      [404, theirId, undefined],
      [404, mineId, mine === "own" ? "theirs" : "own"],
      [404, mineId, "nobodys"],
      [404, mineId, `${mine}_pipe_errors`],
      [404, mineId, file],
      [404, mineId, "system.one"]
    ] as const) {
      const answer = await ofPipe(pipeId, table)
      verdict.hold(answer.status === status, `rows of a pipe, table ${table}: ${answer.status}, not ${status}`)
      if (status === 200)
        verdict.hold(answer.json?.data?.rows?.length === 3, `rows of a pipe: ${answer.text.slice(0, 200)}`)
    }
  }
  await judgeDeleted(one, pipes.own, verdict)
  await stopServer(server, verdict)
  return `${tables.length} tables, ${readable} readable and ${refused} refused for two organizations`
}

/** The table of a deleted pipe stays readable. */
const judgeDeleted = async (caller: ChartCaller, pipe: string, verdict: PartOptions["verdict"]) => {
  const source = await caller.createSource({ from: { databaseName: "moved", tableName: "own" } })
  const { status } = await caller.manage("DELETE", pipePath(caller.organization, pipe))
  verdict.hold(status === 200, `the deletion of a pipe answered ${status}`)
  const [found] = await ask(caller, source, "moved", "own")
  verdict.hold(found?.status === 200, `the table of a deleted pipe: ${found?.status}`)
}

/** With one organization, each table that a pipe opened is readable, and no other, until the operator forgets it. */
const judgeAlone = async ({ directory, script, verdict }: PartOptions, stage: Stage): Promise<void> => {
  const { warehouse } = stage
  const { query } = warehouse
  await query(`CREATE TABLE moved.alone (${definition}) ENGINE = MergeTree ORDER BY n ${deduplicated}`)
  const random = makeRandom(7)
  const { caller, data, server } = await startChartServer({ dialect: "neutral", directory, script, random, warehouse })
  await movePipe(stage, bound(caller), "alone", false)
  const source = await caller.createSource({ from: { databaseName: "moved", tableName: "alone" } })
  const statuses = async (name: string) => (await ask(caller, source, "moved", name)).map(({ status }) => status).join()
  verdict.hold((await statuses("alone")) === "200,200,200", "a table that a pipe opened is not readable alone")
  for (const name of ["nobodys", "theirs", "own"])
    verdict.hold((await statuses(name)) === "404,404,404", `${name} is readable for an organization that is alone`)
  await stopServer(server, verdict)
  const forgotten = await runServerCommand(script, "tables", "list", "--data", data)
  verdict.hold(forgotten.includes("alone"), "the operator does not see a table that a pipe opened")
}

export const tables: Part = (options) => {
  const run = Effect.gen(function* () {
    const storage = yield* startStorageDouble({ key })
    const rows = [1, 2, 3].map((n) => JSON.stringify({ n, text: `row ${n}`, at: timeOf(at + n) }))
    storage.put("bucket/rows/a.json", rows.join("\n"))
    return yield* Effect.promise(async () => {
      const warehouse = await overHttp(options.directory)
      const stage = { warehouse, objects: `${storage.url}/bucket/rows/*.json` }
      const figures = await judgeMatrix(options, stage)
      await judgeAlone(options, stage)
      await warehouse.stop()
      return figures
    })
  })
  return Effect.runPromise(Effect.scoped(run))
}
