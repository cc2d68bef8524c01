// What bounds queries: their time, memory and rows, how many run and wait, and how large an answer is.
import { availableParallelism } from "node:os"
import { type ChartAnswer, type ChartCaller, chartPaths, startChartServer, stopServer } from "./ChartServer.ts"
import { createHeavyRows, firstRow, slowChart, slowExpression } from "./heavyRows.ts"
import type { Part, PartOptions } from "./Part.ts"
import { embedded } from "./Warehouses.ts"

const rows = 10_000_000
const [from, to] = [firstRow, firstRow + rows]

/** Charts that take more than they may: each must end with a clear answer. */
const heavyConfigs = (sourceId: string): ReadonlyArray<readonly [name: string, config: object]> => {
  const table = { displayType: "table", sourceId }
  const value = (aggFn: string, valueExpression: string) => ({ aggFn, valueExpression, where: "" })
  const number = (aggFn: string, expression: string) => ({
    displayType: "number",
    sourceId,
    select: [value(aggFn, expression)]
  })
  return [
    ["a slow expression", slowChart(sourceId)],
    [
      "a slow condition",
      { ...table, select: [{ aggFn: "count", where: `${slowExpression()} = 7`, whereLanguage: "sql" }] }
    ],
    ["a slow group", { ...table, groupBy: slowExpression(), select: [{ aggFn: "count", where: "" }] }],
    ["many groups", { ...table, groupBy: "n", select: [{ aggFn: "count", where: "" }] }],
    [
      "many texts of groups",
      { ...table, groupBy: "concat('a text of a group ', hex(n))", select: [value("max", "n")] }
    ],
    ["many distinct values", number("count_distinct", "concat('a long value ', hex(n), hex(n + 1))")],
    ["all values in an array", number("none", "length(groupArray(concat('a long value ', hex(n), hex(n + 1))))")],
    [
      "many replacements",
      number(
        "max",
        `length(${Array.from("0123456789").reduce((text, digit) => `replaceAll(${text}, '${digit}', hex(sipHash64(n)))`, "hex(n)")})`
      )
    ],
    ["a slow pattern", number("max", "length(replaceRegexpAll(hex(sipHash64(n)), '(.*)(.*)(.*)[^x]', hex(n)))")],
    ["a quantile of many", number("none", "quantileExact(0.5)(sipHash64(n))")]
  ]
}

const draw = (caller: ChartCaller, config: object, range = { from, to }): Promise<ChartAnswer> =>
  caller.call("POST", chartPaths.query, { tile: { config }, ...range })

const judgeHeavy = async (caller: ChartCaller, source: string, { verdict }: PartOptions): Promise<string> => {
  let [refused, longest] = [0, 0]
  for (const [name, config] of heavyConfigs(source)) {
    const at = performance.now()
    const { status, text } = await draw(caller, config)
    longest = Math.max(longest, performance.now() - at)
    verdict.hold(status >= 400 && status < 500, `${name}: ${status} ${text.slice(0, 300)}`)
    verdict.hold(!/DB::|Code: \d|\/tmp/.test(text), `${name}: a text of the engine: ${text.slice(0, 300)}`)
    verdict.hold(/longer than|memory|rows/i.test(text), `${name}: the answer does not say why: ${text.slice(0, 300)}`)
    if (status >= 400) refused += 1
  }
  const range = { from, to: from + 60_000 }
  const after = await draw(
    caller,
    { displayType: "number", sourceId: source, select: [{ aggFn: "count", where: "" }] },
    range
  )
  verdict.hold(after.status === 200, `after the heavy queries: ${after.status} ${after.text.slice(0, 300)}`)
  return `${refused} heavy queries refused, the longest after ${longest.toFixed(0)} ms`
}

/** Places at work in all, and those that wait. */
export const atWork = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)))
const waiting = 32

const judgeQueue = async (
  callers: ReadonlyArray<ChartCaller>,
  sources: ReadonlyArray<string>,
  { verdict }: PartOptions
) => {
  const leaving = new AbortController()
  const answers: Array<ChartAnswer> = []
  const sent = 60
  const all = Array.from({ length: sent }, async (_, index) => {
    const caller = callers[index % callers.length]
    const body = { tile: { config: slowChart(sources[index % callers.length] ?? "", index) }, from, to }
    const answer = await caller?.call("POST", chartPaths.query, body, { signal: leaving.signal }).catch(() => undefined)
    if (answer !== undefined) answers.push(answer)
    if (answers.length >= sent - atWork - waiting) leaving.abort()
  })
  await Promise.all(all)
  const busy = answers.filter(({ status }) => status === 503)
  // A place may be given back meanwhile.
  verdict.hold(
    busy.length >= sent - 2 * (atWork + waiting) && busy.length > 0,
    `${busy.length} of ${sent} queries at once were answered 503`
  )
  verdict.hold(
    busy.length <= sent - atWork - waiting + 4,
    `${busy.length} of ${sent} queries were answered 503: none waited`
  )
  const hasTime = busy.every(({ headers }) => Number(headers.get("retry-after")) > 0)
  verdict.hold(hasTime, "a 503 has no Retry-After")
  const other = answers.find(({ status }) => status >= 500 && status !== 503)
  verdict.hold(other === undefined, `a query beside others: ${other?.status} ${other?.text.slice(0, 300)}`)
  return `${busy.length} of ${sent} queries at once answered 503 with Retry-After`
}

/** 49 half hours, 8 groups. */
const judgeSize = async (caller: ChartCaller, query: (sql: string) => Promise<string>, { verdict }: PartOptions) => {
  const halfHour = 30 * 60_000
  await query("CREATE TABLE default.served (at DateTime64(3), service String) ENGINE = MergeTree ORDER BY at")
  await query(
    `INSERT INTO default.served SELECT fromUnixTimestamp64Milli(${firstRow} + toInt64(number % 49) * ${halfHour}),
     concat('service-', toString(intDiv(number, 49) % 8)) FROM numbers(${49 * 8 * 1000})`
  )
  const source = await caller.createSource({
    from: { databaseName: "default", tableName: "served" },
    timestampValueExpression: "at"
  })
  const config = {
    displayType: "line",
    sourceId: source,
    groupBy: "service",
    select: [{ aggFn: "count", where: "", alias: "requests" }]
  }
  const request = { tile: { config }, from: firstRow, to: firstRow + 49 * halfHour, granularity: "30m" }
  const { json, status, text } = await caller.call("POST", chartPaths.query, request)
  const bytes = Buffer.byteLength(text)
  verdict.hold(
    status === 200 && json.data.rows.length === 49 * 8,
    `49 x 8: ${status}, ${json?.data?.rows?.length} rows`
  )
  verdict.hold(bytes <= 16 * 1024, `49 x 8: ${bytes} bytes`)
  verdict.hold(
    (json?.data?.rows ?? []).every((row: ReadonlyArray<unknown>) => Number(row.at(-1)) === 1000),
    `49 x 8: other counts: ${text.slice(0, 300)}`
  )
  return `49 buckets x 8 groups in ${bytes} bytes`
}

export const limits: Part = async (options) => {
  const { directory, random, script, verdict } = options
  const warehouse = await embedded(directory)
  const bounds = ["--query-timeout", "2s", "--query-memory", "64MiB"]
  const { callers, caller, server } = await startChartServer({
    directory,
    script,
    random,
    warehouse,
    organizations: 3,
    flags: (organizations) => [...organizations.flatMap(({ id }) => ["--query-database", `${id}=default`]), ...bounds]
  })
  await createHeavyRows(warehouse.query, rows)
  const from = { databaseName: "default", tableName: "heavy" }
  const sources: Array<string> = []
  for (const each of callers) sources.push(await each.createSource({ from, timestampValueExpression: "at" }))
  const figures = [
    await judgeHeavy(caller, sources[0] ?? "", options),
    await judgeQueue(callers, sources, options),
    await judgeSize(caller, warehouse.query, options)
  ]
  await stopServer(server, verdict)
  return figures.join("; ")
}
