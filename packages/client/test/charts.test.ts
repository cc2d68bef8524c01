import { afterAll, assert, beforeAll, describe, it } from "vitest"
import {
  ChartNotFoundError,
  createClient,
  FailedDependencyError,
  type HeadgateClient,
  InvalidRequestError
} from "../src/index.ts"
import { errorReply, json, requestId, service } from "./support/Service.ts"
import { address, management, observability, rejectionOf } from "./support/samples.ts"

const api = service()

const range = { from: 1_795_428_000_000, to: 1_795_428_600_000 }
const config = { displayType: "line", sourceId: "65f5e4a3b9e77c001a567891", select: [{ aggFn: "count" }] } as const
const request = { ...range, tile: { config } }
const data = {
  displayType: "line",
  ...range,
  granularitySeconds: 300,
  columns: [
    { name: "time", type: "DateTime", role: "time" },
    { name: "count", type: "UInt64", role: "value", numberFormat: { output: "number" }, later: true }
  ],
  rows: [
    [range.from, "18446744073709551615"],
    [range.from + 300_000, null]
  ],
  hiddenSeries: 0,
  truncated: false,
  rowsRead: 2,
  elapsedMs: 1,
  warnings: ["a sentence"]
}

describe("charts", () => {
  let headgate: HeadgateClient
  beforeAll(() => {
    headgate = createClient({ management: management(api.url), observability: observability(api.url), maxRetries: 1 })
  })
  afterAll(() => headgate.close())

  it("asks for a chart, and has its data as they were answered", async () => {
    api.respondWith(json(200, { data }))
    const chart = await headgate.charts.query(request)
    assert.deepStrictEqual<object>(chart, data)
    // The compiler knows that it is a time.
    assert.strictEqual(new Date(chart.rows[0]?.[0] ?? 0).getTime(), range.from)
    const [sent] = api.received
    assert.deepStrictEqual([sent?.method, sent?.path], ["POST", "/api/v2/charts/query"])
    assert.deepStrictEqual(JSON.parse(sent?.body ?? ""), request)
    assert.notProperty(sent?.headers, "idempotency-key")
  })

  it("reads series and found rows as the service answers them, and the same below a service", async () => {
    const rows = [{ ts_bucket: range.from, group: ["api"], "series_0.data": "42" }]
    api.respondWith(json(200, { data: rows }))
    const series = {
      series: [{ sourceId: config.sourceId, aggFn: "count", where: "", groupBy: ["ServiceName"] }],
      startTime: range.from,
      endTime: range.to
    } as const
    assert.deepStrictEqual<unknown>(await headgate.charts.series(series), rows)
    const found = { data: [{ Body: "x" }], rows: 1 }
    api.respondWith(json(200, found))
    assert.deepStrictEqual<object>(await headgate.charts.search({ sourceId: config.sourceId, maxResults: 1 }), found)
    api.respondWith(json(200, { status: 200, requestId, result: found }))
    const below = headgate.serviceCharts.of(address)
    assert.deepStrictEqual<object>(await below.search({ sourceId: config.sourceId }), found)
  })

  it("repeats a query whose answer was lost: it changes nothing", async () => {
    api.respondWith((response, nth, received) =>
      nth === 1 ? void response.destroy() : json(200, { data })(response, nth, received)
    )
    assert.strictEqual((await headgate.charts.query(request)).rows.length, 2)
    assert.lengthOf(api.received, 2)
  })

  it("rejects with what is not there, and with why nothing is queried", async () => {
    api.respondWith(json(404, { message: "the dashboard d has no tile t" }))
    const missing = await rejectionOf(headgate.charts.query({ ...range, tile: { dashboardId: "d", tileId: "t" } }))
    assert.instanceOf(missing, ChartNotFoundError)
    assert.include(String(missing), "the dashboard d has no tile t")
    api.respondWith(json(404, { error: "Source not found for series 0" }))
    const series = await rejectionOf(
      headgate.charts.series({ series: [], startTime: range.from, endTime: range.to }).withResponse()
    )
    assert.instanceOf(series, ChartNotFoundError)
    assert.include(String(series), "Source not found for series 0")
    api.respondWith(errorReply(424, "FAILED_DEPENDENCY: this server queries nothing: start it with --charts"))
    const off = await rejectionOf(headgate.serviceCharts.of(address).query(request))
    assert.instanceOf(off, FailedDependencyError)
    assert.include(String(off), "start it with --charts")
  })

  it("sends no request of another form", async () => {
    api.respondWith(json(200, { data }))
    const wrong = { ...request, from: "yesterday", filters: [{ filterId: "f", between: [1, 2, 3] }] }
    const error = await rejectionOf(headgate.charts.query(wrong as never))
    assert.instanceOf(error, InvalidRequestError)
    const paths = error instanceof InvalidRequestError ? error.issues.map(({ path }) => path) : []
    assert.sameMembers(paths, ["from", "filters[0].between[2]"])
    assert.lengthOf(api.received, 0)
  })
})
