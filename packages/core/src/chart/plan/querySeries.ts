import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { InvalidRequest } from "../../error/CallError.ts"
import { formatFieldIssues } from "../../error/FieldIssue.ts"
import { readBody } from "../../dashboard/config/readBody.ts"
import { chartSchemas } from "../chartSchemas.ts"
import type { ChartSeries, SeriesData } from "../ChartSeries.ts"
import type { QueryAnswer } from "../query/TableQuery.ts"
import { type ChartPorts, findSource, findTable, type MissingTexts } from "./ChartPorts.ts"
import { querySettings, scopeOf, tableNameOf } from "./sourceFields.ts"
import type { ChartInput } from "./ChartInput.ts"
import { bucketName, type GroupedConfig, mostRows, planGrouped } from "./planGrouped.ts"
import { planMetric } from "./planMetric.ts"
import { rangeIssue } from "./Periods.ts"
import { planned, queryRunner } from "./runChart.ts"
import { readRowTime } from "./RowTime.ts"
import { utc } from "./Zone.ts"

const Request = chartSchemas.ChartSeries
interface Item extends Readonly<(typeof Request.Type)["series"][number]> {}

const isRequest = Schema.is(Request)

const invalid = (issues: InvalidRequest["issues"]): InvalidRequest =>
  new InvalidRequest({ message: `Body validation failed: ${formatFieldIssues(issues)}`, issues })

const readSeries = Effect.fnUntraced(function* (body: ChartSeries) {
  const { granularity } = body
  // The service takes it only in its own tests.
  const isShortest = granularity === "1s"
  const { issues, request } = readBody(Request, isShortest ? { ...body, granularity: "auto" } : body)
  if (issues.length > 0 || !isRequest(request)) return yield* invalid(issues)
  // A range that ends before it begins has no rows.
  const { endTime, startTime } = request
  const issue = rangeIssue({ from: Math.min(startTime, endTime), to: Math.max(startTime, endTime) })
  if (issue !== undefined) return yield* invalid([{ ...issue, path: startTime > endTime ? "startTime" : "endTime" }])
  return { ...request, granularity: isShortest ? "1s" : request.granularity } as const
})
type Read = Effect.Success<ReturnType<typeof readSeries>>

const missingOf = (index: number): MissingTexts => ({
  source: () => `Source not found for series ${index}`,
  connection: () => `Connection not found for series ${index}`
})

/** The chart of a series. A metric may be named by `field` alone. */
const configOf = (item: Item, index: number, isMetric: boolean): GroupedConfig => {
  const { aggFn, field, groupBy, level, metricDataType, metricName, where, whereLanguage } = item
  const names = isMetric ? { metricName: metricName ?? field ?? "", metricType: metricDataType } : {}
  const isNamed = metricName !== undefined && field !== undefined
  return {
    displayType: "line",
    select: [
      {
        aggFn,
        level,
        valueExpression: isMetric ? (isNamed ? field : "Value") : (field ?? ""),
        where,
        whereLanguage: whereLanguage ?? "lucene",
        ...names
      }
    ],
    groupBy: groupBy.join(", "),
    seriesLimit: 0,
    fillNulls: false,
    alignDateRangeToGranularity: false
  }
}

/** A path or a message with the field of the request in the place of that of the chart. */
const ofRequest = (text: string): string =>
  text.replace(".select.0.valueExpression", ".field").replace(".select.0.", ".")

/** The rows of one series. */
const answerOf = Effect.fnUntraced(function* (
  ports: ChartPorts,
  { endTime, granularity, startTime }: Read,
  item: Item,
  index: number
) {
  const { engine, source } = yield* findSource(ports, item.sourceId, missingOf(index))
  const path = `series.${index}`
  const isMetric = source.kind === "metric"
  const tablePath = `${path}.${isMetric ? "metricDataType" : "sourceId"}`
  const name = yield* planned(tableNameOf(source, item.metricDataType, tablePath))
  const table = yield* findTable(engine, source, name)
  const config = configOf(item, index, isMetric)
  const run = Effect.gen(function* () {
    const time = yield* planned(readRowTime(source.timestampValueExpression ?? "", path, table))
    const input: ChartInput = {
      table,
      time,
      scope: scopeOf(source, table),
      conditions: [],
      range: { from: startTime, to: endTime },
      granularity,
      zone: utc,
      isEndIncluded: true,
      path
    }
    const plan = yield* planned(isMetric ? planMetric(config, input) : planGrouped(config, input))
    const answer = yield* queryRunner(engine, querySettings(source)).run(plan.queryOf(plan.range, plan.periods))
    return { answer, groups: plan.groups.map(({ result }) => result) }
  })
  return yield* run.pipe(
    Effect.catchTag("InvalidRequest", ({ issues, message }) =>
      Effect.fail(
        new InvalidRequest({
          message: ofRequest(message),
          issues: issues.map((issue) => ({ ...issue, path: ofRequest(issue.path) }))
        })
      )
    )
  )
})

interface SeriesRow {
  readonly bucket: unknown
  readonly groups: ReadonlyArray<unknown>
  readonly value: unknown
}

const rowsOf = ({ columns, rows }: QueryAnswer, groups: ReadonlyArray<string>): ReadonlyArray<SeriesRow> => {
  const at = (name: string) => columns.findIndex((one) => one.name === name)
  const [bucket, value] = [at(bucketName), at("v0")]
  const places = groups.map(at)
  return rows
    .slice(0, mostRows)
    .map((row) => ({ bucket: row[bucket], groups: places.map((place) => row[place]), value: row[value] }))
}

/** The rows of all series by their periods and groups. A series without a row there is absent. */
const merged = (series: ReadonlyArray<ReadonlyArray<SeriesRow>>): SeriesData => {
  const found = new Map<string, Record<string, unknown>>()
  for (const [index, rows] of series.entries()) {
    for (const { bucket, groups, value } of rows) {
      const key = JSON.stringify([bucket, ...groups])
      const row = found.get(key) ?? { ts_bucket: Date.parse(String(bucket)), group: groups }
      row[`series_${index}.data`] = value
      found.set(key, row)
    }
  }
  return [...found.values()]
}

/** The rows of all series one after another, as the database answers them. */
const listed = (series: ReadonlyArray<ReadonlyArray<SeriesRow>>, groupBy: ReadonlyArray<string>): SeriesData =>
  series.flatMap((rows, index) =>
    rows.map(({ bucket, groups, value }) => ({
      [`series_${index}`]: value,
      ...Object.fromEntries(groupBy.map((name, place) => [name, groups[place]])),
      __hdx_time_bucket: String(bucket).replace(".000Z", "Z")
    }))
  )

/** The series of today's service: a query for each, all at once. Fails with the failure of the first series that has one. */
export const querySeries = Effect.fnUntraced(function* (ports: ChartPorts, body: ChartSeries) {
  const request = yield* readSeries(body)
  const results = yield* Effect.forEach(
    request.series,
    (item, index) => Effect.result(answerOf(ports, request, item, index)),
    { concurrency: "unbounded" }
  )
  const answers = yield* Effect.forEach(results, (result) => Effect.fromResult(result))
  const rows = answers.map(({ answer, groups }) => rowsOf(answer, groups))
  return request.seriesReturnType === "column" ? listed(rows, request.series[0]?.groupBy ?? []) : merged(rows)
})
