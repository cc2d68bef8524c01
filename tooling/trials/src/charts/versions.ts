// A table whose rows have versions: while its changes are not merged, what charts say of it equals the source.
import { startServer } from "@headgate/harness/PostgresServer"
import { postgresRequest } from "@headgate/harness/pipeRequests"
import { pipesPath } from "@headgate/harness/Snapshot"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import { setTimeout as sleep } from "node:timers/promises"
import { type ChartCaller, chartPaths, startChartServer, stopServer } from "./ChartServer.ts"
import type { Part, PartOptions } from "./Part.ts"
import { type ChartWarehouse, overHttp } from "./Warehouses.ts"

const firstRows = 500

/** How long changes may take until they are in the warehouse, in milliseconds. */
const longestWait = 120_000

const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)]

type Run = (sql: string) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>

const createTable = async (run: Run) => {
  await run("CREATE TABLE measured (id int PRIMARY KEY, kind text, amount bigint, at timestamp)")
  await run(
    `INSERT INTO measured SELECT i, 'kind ' || i % 3, i, timestamp '2026-01-01' + i * interval '1 second'
     FROM generate_series(1, ${firstRows}) i`
  )
}

/** Updates, deletes, and inserts deleted rows again. */
const change = (run: Run, low: number) =>
  run(`BEGIN;
    UPDATE measured SET amount = amount + 1000, kind = 'kind 1' WHERE id BETWEEN ${low} AND ${low + 60};
    DELETE FROM measured WHERE id BETWEEN ${low + 40} AND ${low + 90};
    INSERT INTO measured SELECT i, 'again', -i, timestamp '2026-01-01' + i * interval '1 second'
      FROM generate_series(${low + 50}, ${low + 70}) i;
    UPDATE measured SET at = at + interval '1 hour' WHERE id BETWEEN ${low + 55} AND ${low + 60};
    COMMIT`)

/** What the table says: all of it, and what a condition over a column that changes says. */
const inPostgres = async (run: Run) => {
  const [totals] = await run(
    "SELECT count(*) AS rows, sum(amount) AS total, count(*) FILTER (WHERE kind = 'kind 1') AS ones FROM measured"
  )
  const rows = await run("SELECT id, kind, amount FROM measured ORDER BY id")
  return {
    totals: Object.values(totals ?? {}).map(String),
    rows: rows.map((row) => Object.values(row).map(String).join())
  }
}

const live = "moved.measured FINAL WHERE _peerdb_is_deleted = 0"

/** The same by a statement of the trial's own. */
const inWarehouse = async ({ query }: ChartWarehouse) =>
  (await query(`SELECT count(), sum(amount), countIf(kind = 'kind 1') FROM ${live} FORMAT TSV`)).trim().split("\t")

/** The same by charts. */
const inCharts = async (caller: ChartCaller, sourceId: string) => {
  const item = { aggFn: "count", where: "" }
  const config = {
    displayType: "table",
    sourceId,
    select: [
      { ...item, alias: "rows" },
      { aggFn: "sum", where: "", valueExpression: "amount", alias: "total" },
      { ...item, where: "kind = 'kind 1'", whereLanguage: "sql", alias: "ones" }
    ]
  }
  const drawn = await caller.call("POST", chartPaths.query, { tile: { config }, from, to })
  const found = await caller.call("POST", chartPaths.search, {
    sourceId,
    startTime: new Date(from).toISOString(),
    endTime: new Date(to).toISOString(),
    select: "id, kind, amount",
    maxResults: 2000
  })
  if (drawn.status !== 200 || found.status !== 200)
    throw new Error(`${drawn.text.slice(0, 500)} ${found.text.slice(0, 500)}`)
  const rows: ReadonlyArray<Readonly<Record<string, unknown>>> = found.json.data
  return {
    totals: (drawn.json.data.rows[0] ?? []).map(String),
    rows: rows
      .toSorted((one, other) => Number(one["id"]) - Number(other["id"]))
      .map((row) => [row["id"], row["kind"], row["amount"]].map(String).join())
  }
}

const untilEqual = async (warehouse: ChartWarehouse, run: Run): Promise<void> => {
  for (const until = performance.now() + longestWait; ; await sleep(100)) {
    const { totals } = await inPostgres(run)
    const found = await inWarehouse(warehouse).catch(() => [])
    if (found.join() === totals.join()) return
    if (performance.now() > until) throw new Error(`the pipe has ${found.join()}, the source ${totals.join()}`)
  }
}

const judge = async (options: PartOptions, run: Run, postgres: { readonly name: string; readonly port: number }) => {
  const { directory, random, rounds, script, verdict } = options
  const warehouse = await overHttp(directory)
  const { query } = warehouse
  const { caller, server } = await startChartServer({ dialect: "neutral", directory, random, script, warehouse })
  await query("CREATE DATABASE moved")
  await createTable(run)
  const request = postgresRequest(postgres, "moved", {
    tableMappings: [{ sourceSchemaName: "public", sourceTable: "measured", targetTable: "measured" }]
  })
  const made = await caller.manage("POST", pipesPath(caller.organization), request)
  if (made.status !== 200) throw new Error(`the pipe cannot be created: ${made.text}`)
  await untilEqual(warehouse, run)
  await query("SYSTEM STOP MERGES moved.measured")
  const source = await caller.createSource({
    from: { databaseName: "moved", tableName: "measured" },
    timestampValueExpression: "at"
  })
  let versions = 0
  for (let round = 1; round <= rounds; round += 1) {
    await change(run, random.between(1, firstRows - 100))
    await untilEqual(warehouse, run)
    const expected = await inPostgres(run)
    const found = await inCharts(caller, source)
    verdict.hold(
      found.totals.join() === expected.totals.join(),
      `round ${round}: charts say ${found.totals.join()}, the source ${expected.totals.join()}`
    )
    const other = expected.rows.find((row, index) => row !== found.rows[index])
    verdict.hold(
      found.rows.length === expected.rows.length && other === undefined,
      `round ${round}: a search finds ${found.rows.length} rows in place of ${expected.rows.length}, other: ${other}`
    )
    versions = Number(await query("SELECT count() FROM moved.measured FORMAT TSV")) - expected.rows.length
    verdict.hold(versions > 0, `round ${round}: the table has one version of each row`)
  }
  await stopServer(server, verdict)
  await warehouse.stop()
  return `${rounds} rounds of changes, ${versions} versions of rows beside the last ones`
}

export const versions: Part = (options) => {
  const run = Effect.gen(function* () {
    const settings = ["wal_level=logical", "max_wal_senders=20", "max_replication_slots=20"]
    const { createEmptyDatabase, port } = yield* startServer(settings)
    const name = new URL(Redacted.value(yield* createEmptyDatabase)).pathname.slice(1)
    const client = new Client({ host: "127.0.0.1", port, database: name, user: "headgate" })
    yield* Effect.acquireRelease(
      Effect.promise(() => client.connect()),
      () => Effect.promise(() => client.end())
    )
    const rowsOf: Run = async (sql) => (await client.query(sql)).rows ?? []
    return yield* Effect.promise(() => judge(options, rowsOf, { name, port }))
  })
  return Effect.runPromise(Effect.scoped(run))
}
