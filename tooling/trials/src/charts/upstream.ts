// The tests of the real service for series and search, against this one.
import type { Verdict } from "@headgate/harness/Verdict"
import { type ChartCaller, chartPaths, startChartServer, stopServer } from "./ChartServer.ts"
import type { Part } from "./Part.ts"
import { createOtelTables, insertRows, timeOf } from "./otelTables.ts"
import { type CaseContext, faultsOf, type UpstreamCase } from "./upstream/Case.ts"
import { searchCases, searchRows } from "./upstream/searchCases.ts"
import { seriesCases, seriesRows } from "./upstream/seriesCases.ts"
import { embedded } from "./Warehouses.ts"

const hour = 3_600_000

/** Counts the tests that end as there. One that is said to differ must. */
const runCases = async (
  caller: ChartCaller,
  path: string,
  cases: ReadonlyArray<UpstreamCase>,
  context: CaseContext,
  verdict: Verdict
) => {
  const failed = new Set<string>()
  const differing = new Set<string>()
  for (const { authorized, body, differs, expected, name } of cases) {
    const send = (request: object) =>
      caller.call("POST", path, request, authorized === false ? { authorization: "" } : {})
    const { json, status } = await send(body(context))
    const faults = [...faultsOf(status, json ?? {}, expected)]
    if (expected.thenSecond !== undefined) {
      const other = await send(expected.thenSecond(context))
      if (JSON.stringify(other.json?.data?.[0]) !== JSON.stringify(json?.data?.[1])) faults.push("the pages overlap")
    }
    if (differs === undefined) {
      if (faults.length > 0) failed.add(name)
      verdict.none(faults, `${path}, "${name}"`)
    } else {
      differing.add(name)
      verdict.hold(faults.length > 0, `${path}, "${name}" ends as there, although ${differs}`)
      const says = String(json?.error)
      verdict.hold(status === 500 && says.includes("istogram"), `${path}, "${name}" is refused with ${status}: ${says}`)
    }
  }
  const names = new Set(cases.map((one) => one.name))
  return { as: names.size - failed.size - differing.size, differing: differing.size, of: names.size }
}

/** A source whose connection was deleted. */
const createOrphan = async (caller: ChartCaller, from: object): Promise<string> => {
  const connection = await caller.create("/api/v2/connections", { name: "Dead", host: "https://db.example.com:8443" })
  const source = await caller.createSource({ connection, from })
  const { status } = await caller.call("DELETE", `/api/v2/connections/${connection}`)
  if (status >= 300) throw new Error(`the deletion of a connection answered ${status}`)
  return source
}

export const upstream: Part = async ({ directory, random, script, verdict }) => {
  const warehouse = await embedded(directory)
  const { callers, server } = await startChartServer({
    directory,
    script,
    random,
    warehouse,
    organizations: 2,
    flags: ([own]) => ["--query-database", `${own?.id}=default`]
  })
  const [caller, other] = callers
  if (caller === undefined || other === undefined) throw new Error("two organizations are needed")
  await createOtelTables(warehouse.query)
  const from = (tableName: string) => ({ databaseName: "default", tableName })
  const end = Math.floor(Date.now() / 60_000) * 60_000
  const context: CaseContext = {
    logs: await caller.createSource({
      from: from("otel_logs"),
      defaultTableSelectExpression: "Timestamp, SeverityText, Body"
    }),
    metrics: await caller.createSource({
      kind: "metric",
      from: from(""),
      metricTables: { gauge: "otel_metrics_gauge", sum: "otel_metrics_sum", histogram: "otel_metrics_histogram" },
      timestampValueExpression: "TimeUnix"
    }),
    foreign: await other.createSource({ from: from("otel_logs") }),
    orphan: await createOrphan(caller, from("otel_logs")),
    start: end - hour,
    end
  }
  for (const [table, rows] of Object.entries(seriesRows(end - 10_000, timeOf))) {
    await insertRows(warehouse.query, table, rows)
  }
  const series = await runCases(caller, chartPaths.series, seriesCases, context, verdict)
  await warehouse.query("TRUNCATE TABLE default.otel_logs")
  await insertRows(warehouse.query, "otel_logs", searchRows(end, timeOf))
  const search = await runCases(caller, chartPaths.search, searchCases, context, verdict)
  await stopServer(server, verdict)
  return (
    `${series.as + search.as} of ${series.of + search.of} tests of the real service end as there ` +
    `(${series.of} of series, ${search.of} of search), ${series.differing + search.differing} are refused as documented`
  )
}
