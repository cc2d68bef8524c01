// What the tests of `POST /api/v2/charts/series` of the real service send and expect (HyperDX, commit 52ee76db).
import type { CaseContext, UpstreamCase } from "./Case.ts"

const withSeries =
  (series: (context: CaseContext) => ReadonlyArray<object>, fields: object = {}) =>
  (context: CaseContext) => ({ startTime: context.start, endTime: context.end, ...fields, series: series(context) })

const count = { dataSource: "events", aggFn: "count", where: "", groupBy: [] }
const ofLogs = (...series: ReadonlyArray<object>) =>
  withSeries(({ logs }) => series.map((one) => ({ sourceId: logs, ...count, ...one })))
const ofLogsWith = (fields: object, ...series: ReadonlyArray<object>) =>
  withSeries(({ logs }) => series.map((one) => ({ sourceId: logs, ...count, ...one })), fields)

const metric = { dataSource: "metrics", where: "", groupBy: [] }
const gauge = { ...metric, aggFn: "avg", metricDataType: "gauge", metricName: "test.metric.gauge", field: "Value" }
const sum = { ...metric, aggFn: "sum", metricDataType: "sum", metricName: "test.metric.sum", field: "Value" }
const histogram = {
  ...metric,
  aggFn: "quantile",
  level: 0.95,
  metricDataType: "histogram",
  metricName: "test.metric.histogram",
  field: "Value"
}
const ofMetrics = (...series: ReadonlyArray<object>) =>
  withSeries(({ metrics }) => series.map((one) => ({ sourceId: metrics, ...one })))
/** The name of the metric stands in the field. */
const named = ({ metricName, ...series }: typeof gauge | typeof histogram) => ({ ...series, field: metricName })

const [value0, value1, value2] = ["series_0.data", "series_1.data", "series_2.data"]
const info = "SeverityText:info"
const noHistograms = "histograms of metrics are not queried"

const refused: ReadonlyArray<UpstreamCase> = [
  {
    name: "should return 401 when user is not authenticated",
    authorized: false,
    body: () => ({}),
    expected: { status: 401 }
  },
  {
    name: "should return 404 if sourceId is invalid or not found",
    body: withSeries(() => [{ ...count, sourceId: "0123456789abcdef01234567" }]),
    expected: { status: 404 }
  },
  {
    name: "should return 400 if series array is missing or empty",
    body: withSeries(() => []),
    expected: { status: 400 }
  },
  {
    name: "should return 400 if series array is missing or empty",
    body: ({ end, start }) => ({ startTime: start, endTime: end }),
    expected: { status: 400 }
  },
  {
    name: "should return 400 if invalid time range is provided",
    body: ({ logs }) => ({
      startTime: 142415152,
      endTime: 5215152,
      series: [{ sourceId: logs, aggFn: "count", where: info, groupBy: ["ServiceName"] }]
    }),
    expected: { status: 400 }
  },
  {
    name: "should return 400 if series array exceeds max length (5)",
    body: ofLogs({}, {}, {}, {}, {}, {}),
    expected: { status: 400 }
  },
  {
    name: "should return 400 if groupBy fields are inconsistent across series",
    body: ofLogs({ groupBy: ["field1"] }, { groupBy: ["field2"] }),
    expected: { status: 400 }
  },
  {
    name: "should return 400 for invalid aggFn",
    body: ofLogs({ aggFn: "invalid_function" }),
    expected: { status: 400 }
  }
]

const overLogs: ReadonlyArray<UpstreamCase> = [
  {
    name: "should return total count when where clause is empty",
    body: ofLogs({}),
    expected: { status: 200, length: 1, numbers: { [value0]: 4 } }
  },
  {
    name: "should handle lucene where clause (default)",
    body: ofLogs({ where: `${info} AND ServiceName:"test-service-2"` }),
    expected: { status: 200, length: 1, numbers: { [value0]: 1 } }
  },
  {
    name: "should handle sql where clause",
    body: ofLogs({ where: "SeverityText = 'info' AND Body LIKE '%message 2%'", whereLanguage: "sql" }),
    expected: { status: 200, length: 1, numbers: { [value0]: 1 } }
  },
  {
    name: "should handle lucene query errors gracefully",
    body: ofLogs({ where: "(invalid query" }),
    expected: { status: 500, has: ["error"] }
  },
  {
    name: "should handle sql query errors gracefully",
    body: ofLogs({ where: "invalid query", whereLanguage: "sql" }),
    expected: { status: 500, has: ["error"] }
  },
  {
    name: "should return data grouped by a single field",
    body: ofLogs({ where: info, groupBy: ["ServiceName"] }),
    expected: {
      status: 200,
      length: 2,
      includes: [
        { group: ["test-service"], [value0]: "1" },
        { group: ["test-service-2"], [value0]: "1" }
      ]
    }
  },
  {
    name: "should return data grouped by multiple fields",
    body: ofLogs({ where: info, groupBy: ["ServiceName", "SeverityText"] }),
    expected: {
      status: 200,
      length: 2,
      includes: [
        { group: ["test-service", "info"], [value0]: "1" },
        { group: ["test-service-2", "info"], [value0]: "1" }
      ]
    }
  },
  {
    name: "should return data from multiple series (joined)",
    body: ofLogs(
      { where: info, groupBy: ["ServiceName"] },
      { where: `ServiceName:"test-service" AND ${info}`, groupBy: ["ServiceName"] }
    ),
    expected: {
      status: 200,
      atLeast: 1,
      finite: ["ts_bucket"],
      includes: [
        { group: ["test-service"], [value0]: "1", [value1]: "1" },
        // The second series has no row here.
        { group: ["test-service-2"], [value0]: "1", [value1]: undefined }
      ]
    }
  },
  {
    name: "should apply granularity",
    body: ofLogsWith({ granularity: "1s" }, { where: info, groupBy: ["ServiceName"] }),
    expected: { status: 200, length: 2, fields: ["ts_bucket"], numbers: { [value0]: 1 } }
  },
  {
    name: "should return data in column format",
    body: ofLogsWith({ seriesReturnType: "column" }, { where: info }),
    expected: { status: 200, length: 1, texts: ["__hdx_time_bucket"], every: { series_0: "2" } }
  },
  {
    name: "should return data in ratio format",
    body: ofLogs({ where: info }, { where: `ServiceName:"test-service" AND ${info}` }),
    expected: { status: 200, atLeast: 1, sums: { [value0]: 2, [value1]: 1 } }
  },
  {
    name: "should return count for metric series stored as logs",
    body: ofLogs({ where: 'ServiceName:"metric-test-service" AND SeverityText:metric' }),
    expected: { status: 200, length: 1, numbers: { [value0]: 2 } }
  }
]

const overMetrics: ReadonlyArray<UpstreamCase> = [
  {
    name: "should return data for a single metric series using metric source",
    body: ofMetrics(gauge),
    expected: { status: 200, length: 1, fields: ["ts_bucket", value0], numbers: { [value0]: 25 } }
  },
  {
    name: "should return data for a single sum metric series using metric source",
    body: ofMetrics(sum),
    expected: { status: 200, length: 1, fields: ["ts_bucket", value0], finite: [value0] }
  },
  {
    name: "should return data for a single histogram metric series using metric source",
    body: ofMetrics(histogram),
    expected: { status: 200, length: 1, fields: ["ts_bucket", value0], finite: [value0] },
    differs: noHistograms
  },
  {
    name: "should return data for multiple series with different metric types",
    body: ofMetrics(gauge, sum, histogram),
    expected: { status: 200, length: 1, fields: ["ts_bucket", value0, value1, value2], finite: [value2] },
    differs: noHistograms
  },
  {
    name: "should use field as metricName when metricName is not provided",
    body: ofMetrics(named(gauge)),
    expected: { status: 200, length: 1, fields: ["ts_bucket", value0], numbers: { [value0]: 25 } }
  },
  {
    name: "should use field as metricName for sum metrics when metricName is not provided",
    body: ofMetrics(named(sum)),
    expected: { status: 200, length: 1, fields: [value0], finite: [value0] }
  },
  {
    name: "should use field as metricName for histogram metrics when metricName is not provided",
    body: ofMetrics(named(histogram)),
    expected: { status: 200, length: 1, fields: [value0], finite: [value0] },
    differs: noHistograms
  },
  {
    name: "should use metricName over field when both are provided",
    body: ofMetrics(gauge),
    expected: { status: 200, length: 1, fields: ["ts_bucket", value0], numbers: { [value0]: 25 } }
  },
  {
    name: "should process series from different sources",
    body: withSeries(({ logs, metrics }) => [
      { ...count, sourceId: logs, where: info },
      { ...gauge, sourceId: metrics }
    ]),
    expected: { status: 200, length: 1, fields: [value0, value1] }
  }
]

export const seriesCases = [...refused, ...overLogs, ...overMetrics]

/** The rows that they are about, by table. `at`: milliseconds since 1970. */
export const seriesRows = (at: number, timeOf: (ms: number) => string) => {
  const [first, second] = [timeOf(at), timeOf(at + 1000)]
  const log = (ServiceName: string, Timestamp: string, SeverityText: string, Body: string) => ({
    ServiceName,
    Timestamp,
    SeverityText,
    Body
  })
  const ServiceName = "metric-test-service"
  const resource = { ServiceName, ResourceAttributes: { "service.name": ServiceName } }
  const ofGauge = { ...resource, MetricName: "test.metric.gauge", Attributes: { attr1: "value1" } }
  const body = (Value: number) => JSON.stringify({ MetricName: "test.metric.gauge", Value, ...resource })
  const ofSum = { ...resource, MetricName: "test.metric.sum", AggregationTemporality: 1, IsMonotonic: true }
  const ofHistogram = {
    ...resource,
    MetricName: "test.metric.histogram",
    AggregationTemporality: 1,
    ExplicitBounds: [10, 50, 100]
  }
  return {
    otel_logs: [
      log("test-service-2", first, "info", "Test log message 1"),
      log("test-service", second, "info", "Test log message 2"),
      log(ServiceName, first, "metric", body(15)),
      log(ServiceName, second, "metric", body(25))
    ],
    otel_metrics_gauge: [
      { ...ofGauge, TimeUnix: first, Value: 15 },
      { ...ofGauge, TimeUnix: second, Value: 25 }
    ],
    otel_metrics_sum: [
      { ...ofSum, TimeUnix: first, Value: 100 },
      { ...ofSum, TimeUnix: second, Value: 150 }
    ],
    otel_metrics_histogram: [
      { ...ofHistogram, TimeUnix: first, BucketCounts: [5, 10, 3, 0] },
      { ...ofHistogram, TimeUnix: second, BucketCounts: [3, 12, 5, 2] }
    ]
  }
}
