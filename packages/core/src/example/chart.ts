import { documentIds } from "./document.ts"

const query = {
  payload: {
    tile: { dashboardId: "65f5e4a3b9e77c001a567896", tileId: "65f5e4a3b9e77c001a567897" },
    from: 1_795_428_000_000,
    to: 1_795_428_600_000,
    granularity: "5m",
    timezone: "Europe/Berlin",
    filters: [{ filterId: "65f5e4a3b9e77c001a567899", in: ["eu"] }],
    where: "level:error",
    whereLanguage: "lucene",
    previousPeriod: false
  },
  success: {
    displayType: "line",
    from: 1_795_428_000_000,
    to: 1_795_428_600_000,
    granularitySeconds: 300,
    columns: [
      { name: "time", type: "DateTime", role: "time" },
      { name: "ServiceName", type: "LowCardinality(String)", role: "group" },
      { name: "count", type: "UInt64", role: "value", numberFormat: { output: "number" } }
    ],
    rows: [
      [1_795_428_000_000, "api", 42],
      [1_795_428_300_000, "api", 0]
    ],
    hiddenSeries: 0,
    truncated: false,
    rowsRead: 1200,
    elapsedMs: 7,
    warnings: []
  }
}

const series = {
  payload: {
    series: [
      {
        sourceId: documentIds.sourceId,
        aggFn: "count",
        where: "SeverityText = 'error'",
        whereLanguage: "sql",
        groupBy: ["ServiceName"]
      }
    ],
    startTime: 1_795_428_000_000,
    endTime: 1_795_428_600_000,
    granularity: "5m"
  },
  success: [{ ts_bucket: 1_795_428_000_000, group: ["api"], "series_0.data": "42" }]
}

const search = {
  payload: {
    sourceId: documentIds.sourceId,
    startTime: "2026-11-23T10:00:00Z",
    endTime: "2026-11-23T10:10:00Z",
    where: "level:error",
    select: "Timestamp, Body",
    maxResults: 1
  },
  success: { data: [{ Timestamp: "2026-11-23T10:09:59.123Z", Body: "no route to host" }], rows: 1 }
}

/** Examples of the operations on charts: the same in both APIs. */
export const chartExamples = { query, series, search }
