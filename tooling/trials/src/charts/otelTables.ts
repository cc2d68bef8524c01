// The tables of OpenTelemetry's exporter for ClickHouse, with the columns that the trials use.
import type { Query } from "../move/MovedSource.ts"

const map = "Map(LowCardinality(String), String)"

const logs = `
  Timestamp DateTime64(9), TraceId String, SpanId String, TraceFlags UInt8, SeverityText LowCardinality(String),
  SeverityNumber UInt8, ServiceName LowCardinality(String), Body String, ResourceAttributes ${map}, ScopeName String,
  ScopeAttributes ${map}, LogAttributes ${map}`

const metric = `
  ResourceAttributes ${map}, ScopeName String, ScopeAttributes ${map}, ServiceName LowCardinality(String),
  MetricName String, MetricUnit String, Attributes ${map}, StartTimeUnix DateTime64(9), TimeUnix DateTime64(9),
  Flags UInt32`

const tables: Readonly<Record<string, readonly [columns: string, key: string]>> = {
  otel_logs: [logs, "ServiceName, Timestamp"],
  otel_metrics_gauge: [`${metric}, Value Float64`, "MetricName, TimeUnix"],
  otel_metrics_sum: [
    `${metric}, Value Float64, AggregationTemporality Int32, IsMonotonic Bool`,
    "MetricName, TimeUnix"
  ],
  otel_metrics_histogram: [
    `${metric}, Count UInt64, Sum Float64, BucketCounts Array(UInt64), ExplicitBounds Array(Float64),
     AggregationTemporality Int32`,
    "MetricName, TimeUnix"
  ]
}

/** Creates them in the database `default`. */
export const createOtelTables = async (query: Query): Promise<void> => {
  for (const [name, [columns, key]] of Object.entries(tables)) {
    await query(`CREATE TABLE default.${name} (${columns}) ENGINE = MergeTree ORDER BY (${key})`)
  }
}

/** Inserts rows. Their times are texts with nine digits after the point. */
export const insertRows = async (query: Query, table: string, rows: ReadonlyArray<object>): Promise<void> => {
  await query(`INSERT INTO ${table} FORMAT JSONEachRow ${rows.map((row) => JSON.stringify(row)).join("\n")}`)
}

/** A time as the engine reads it. `ms`: since 1970. */
export const timeOf = (ms: number): string => new Date(ms).toISOString().replace("T", " ").replace("Z", "")
