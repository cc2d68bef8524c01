// Viewers of one dashboard, each with a browser page that refreshes as often as the console can: memory must stay, and no more queries than
// allowed may run. By hand: `npm run trial:charts -- --viewers 20 --minutes 10`.
import { cpuMicroseconds, residentMebibytes } from "@headgate/harness/processUsage"
import { median } from "@headgate/harness/rounds"
import { say, type Verdict } from "@headgate/harness/Verdict"
import { setTimeout as sleep } from "node:timers/promises"
import type { Browser, CDPSession } from "playwright-core"
import { consoleOf, type ConsoleServer } from "../browser/console/ConsoleServer.ts"
import { misdeedsOf, visit, type Visitor } from "../browser/console/Visitor.ts"
import { startChromium } from "../browser/startChromium.ts"
import { type ChartCaller, chartPaths, startChartServer, stopServer } from "./ChartServer.ts"
import { atWork } from "./limits.ts"
import type { PartOptions } from "./Part.ts"
import { overHttp } from "./Warehouses.ts"

const tiles = 32
const rows = 400_000
const minute = 60_000
/** How often it is measured, in milliseconds. */
const interval = 10_000
/** How many pages tell their heap: each has its garbage collected for it. */
const measuredPages = 3
/** With fewer samples the start is in what is compared. */
const leastSamples = 30
/** All tiles are in view. */
const viewport = { width: 1600, height: 2000 }

/** How many viewers there are and for how many minutes. */
export interface Viewing {
  readonly viewers: number
  readonly minutes: number
}

const createRows = async (query: (sql: string) => Promise<string>) => {
  await query(
    "CREATE TABLE default.seen (at DateTime64(3), service String, shard UInt8, ms UInt32) ENGINE = MergeTree ORDER BY at"
  )
  await query(
    `INSERT INTO default.seen SELECT now64(3) - INTERVAL 2 HOUR + INTERVAL intDiv(number * 10800, ${rows}) SECOND,
     concat('service-', toString(number % 5)), number % ${tiles}, sipHash64(number) % 1000 FROM numbers(${rows})`
  )
}

/** Tiles of four kinds, each of which asks for other rows. */
const createDashboard = async (caller: ChartCaller): Promise<string> => {
  const sourceId = await caller.createSource({
    from: { databaseName: "default", tableName: "seen" },
    timestampValueExpression: "at"
  })
  const tileOf = (_: unknown, index: number) => {
    const own = { where: `shard = ${index}`, whereLanguage: "sql" }
    const count = { aggFn: "count", alias: "requests", ...own }
    const kinds = [
      { displayType: "line", select: [count], groupBy: "service" },
      { displayType: "number", select: [{ aggFn: "max", valueExpression: "ms", ...own }] },
      { displayType: "table", select: [count], groupBy: "service" },
      { displayType: "stacked_bar", select: [count], groupBy: "service" }
    ]
    const config = { sourceId, ...kinds[index % kinds.length] }
    return { name: `Tile ${index + 1}`, x: (index % 4) * 6, y: Math.floor(index / 4) * 3, w: 6, h: 3, config }
  }
  return caller.create("/api/v2/dashboards", { name: "Watched", tiles: Array.from({ length: tiles }, tileOf) })
}

/** What the pages were answered since it was last taken. */
class Answers {
  private statuses = new Map<string, number>()
  private durations: Array<number> = []

  add(status: string, duration: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    this.durations.push(duration)
  }

  take() {
    const { durations, statuses } = this
    this.statuses = new Map()
    this.durations = []
    return { statuses, usual: median(durations), longest: Math.max(0, ...durations) }
  }
}

/** Opens the dashboard in a page of its own and counts its answers. */
const openPage = async (browser: Browser, server: ConsoleServer, path: string, answers: Answers) => {
  const visitor = await visit(browser, server.process.url, { viewport })
  const { page } = visitor
  const began = new Map<object, number>()
  const isChart = (url: string) => new URL(url).pathname === chartPaths.query
  page.on("request", (request) => isChart(request.url()) && began.set(request, performance.now()))
  const end = (request: object, status: string) => {
    const at = began.get(request)
    if (began.delete(request) && at !== undefined) answers.add(status, performance.now() - at)
  }
  page.on("response", (response) => end(response.request(), String(response.status())))
  page.on("requestfailed", (request) => end(request, request.failure()?.errorText ?? "failed"))
  const link = new URL(await server.link())
  await page.goto(`${path}${link.hash}`)
  await page.getByRole("heading", { level: 1, name: "Watched" }).waitFor({ timeout: minute })
  return visitor
}

const answered = (statuses: ReadonlyMap<string, number>): string =>
  Array.from(statuses, ([status, count]) => `${status} ${count} times`).join(", ")

const heapOf = async (session: CDPSession) => {
  await session.send("HeapProfiler.collectGarbage")
  const { metrics } = await session.send("Performance.getMetrics")
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return { heap: valueOf("JSHeapUsedSize") / 2 ** 20, nodes: valueOf("Nodes") }
}

const metricOf = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN)

/** What must not grow, and by how much more than a tenth it may: MiB, and nodes. Of the server, garbage is in it. */
const mayGrow = { server: 16, heap: 16, page: 0.25, nodes: 50 }
const figures = ["server", "heap", "page", "nodes"] as const
type Sample = Readonly<Record<(typeof figures)[number], number>> & { readonly inFlight: number }

const sampleOf = async (server: ConsoleServer, sessions: ReadonlyArray<CDPSession>): Promise<Sample> => {
  const metrics = await (await fetch(`${server.process.url}/metrics`)).text()
  const heaps = []
  for (const session of sessions) heaps.push(await heapOf(session))
  return {
    server: residentMebibytes(server.process.pid) ?? Number.NaN,
    heap: metricOf(metrics, "nodejs_heap_size_used_bytes") / 2 ** 20,
    page: Math.max(...heaps.map(({ heap }) => heap)),
    nodes: Math.max(...heaps.map(({ nodes }) => nodes)),
    inFlight: metricOf(metrics, "headgate_http_requests_in_flight")
  }
}

/** The median of a figure: garbage comes and goes, and so does what the system takes back. */
const usual = (samples: ReadonlyArray<Sample>, figure: keyof Sample): number =>
  median(samples.map((sample) => sample[figure]))

/** Compares the last third of the time with the one before: what the start takes is in neither. */
const judgeGrowth = (samples: ReadonlyArray<Sample>, verdict: Verdict): void => {
  if (samples.length < leastSamples) return
  const third = Math.floor(samples.length / 3)
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(-third)]
  for (const figure of figures) {
    const [before, after] = [usual(middle, figure), usual(last, figure)]
    const most = before * 1.1 + mayGrow[figure]
    verdict.hold(after <= most, `${figure} grew from ${before.toFixed(1)} to ${after.toFixed(1)}`)
    verdict.hold(!Number.isNaN(after - before), `${figure} was not measured`)
  }
}

const lineOf = (
  minutes: number,
  samples: ReadonlyArray<Sample>,
  { longest, statuses, usual: answeredAfter }: ReturnType<Answers["take"]>
) => {
  const [server, heap, page, nodes] = figures.map((figure) => usual(samples, figure))
  return (
    `minute ${minutes}: server ${server?.toFixed(0)} MiB, its heap ${heap?.toFixed(1)}, a page's heap ${page?.toFixed(1)}, ` +
    `its nodes ${nodes}, at most ${Math.max(...samples.map(({ inFlight }) => inFlight))} requests in flight, ` +
    `answers ${answered(statuses)}, after ${answeredAfter.toFixed(0)} ms (longest ${longest.toFixed(0)})`
  )
}

interface Watched {
  readonly server: ConsoleServer
  readonly visitors: ReadonlyArray<Visitor>
  readonly answers: Answers
  readonly minutes: number
  readonly verdict: Verdict
}

const watch = async ({ answers, minutes, server, verdict, visitors }: Watched): Promise<string> => {
  const sessions = []
  for (const { page } of visitors.slice(0, measuredPages)) {
    const session = await page.context().newCDPSession(page)
    await session.send("Performance.enable")
    sessions.push(session)
  }
  const [samples, totals] = [new Array<Sample>(), new Map<string, number>()]
  const start = performance.now()
  for (let passed = 1; passed <= minutes; passed += 1) {
    const first = samples.length
    const cpuBefore = cpuMicroseconds(server.process.pid)
    for (const until = start + passed * minute; performance.now() < until;) {
      await sleep(Math.min(interval, until - performance.now()))
      samples.push(await sampleOf(server, sessions))
    }
    const taken = answers.take()
    for (const [status, count] of taken.statuses) totals.set(status, (totals.get(status) ?? 0) + count)
    const cpu = (cpuMicroseconds(server.process.pid) - cpuBefore) / 1e6
    say(`${lineOf(passed, samples.slice(first), taken)}, CPU of the server ${cpu.toFixed(1)} s`)
  }
  judgeGrowth(samples, verdict)
  // A page cancels what it no longer wants.
  for (const status of totals.keys())
    verdict.hold(/^(?:200|429|503|net::ERR_ABORTED)$/.test(status), `a chart was answered ${status}`)
  verdict.hold((totals.get("200") ?? 0) > 0, "no chart was answered")
  const done = (totals.get("200") ?? 0) / (visitors.length * tiles * minutes)
  return `answers ${answered(totals)}: each tile of each page was drawn ${done.toFixed(1)} times a minute`
}

/** Runs the viewers. Returns what happened, as one line. */
export const watchDashboard = async (
  { directory, random, script, verdict }: PartOptions,
  { minutes, viewers }: Viewing
): Promise<string> => {
  const warehouse = await overHttp(directory)
  const flags = () => ["--query-database", "default"]
  const started = await startChartServer({ directory, flags, random, script, warehouse })
  const { organization } = started.caller
  const server = consoleOf(started.server, organization, organization)
  await createRows(warehouse.query)
  const dashboard = await createDashboard(started.caller)
  const path = `/console/organizations/${organization.id}/services/${organization.serviceId}/dashboards/${dashboard}?refresh=5`
  const browser = await startChromium()
  const answers = new Answers()
  const visitors: Array<Visitor> = []
  while (visitors.length < viewers) visitors.push(await openPage(browser, server, path, answers))
  const opening = answered(answers.take().statuses)
  say(
    `${viewers} viewers of ${tiles} tiles, refreshed each 5 s, for ${minutes} minutes; answers until then: ${opening}`
  )
  const figure = await watch({ answers, minutes, server, verdict, visitors })
  for (const visitor of visitors) verdict.none(misdeedsOf(visitor), "a viewer")
  const { most, sent } = warehouse.queries
  verdict.hold(most > 0 && most <= atWork, `${most} queries ran at once, ${atWork} may`)
  await browser.close()
  await stopServer(started.server, verdict)
  await warehouse.stop()
  return `${figure}; ${sent} queries were run, at most ${most} at once, ${atWork} may`
}
