import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { InvalidRequest } from "../../error/CallError.ts"
import { formatFieldIssues } from "../../error/FieldIssue.ts"
import { readBody } from "../../dashboard/config/readBody.ts"
import { chartSchemas } from "../chartSchemas.ts"
import type { ChartSearch, FoundRows } from "../ChartSearch.ts"
import { type ChartPorts, findSource, findTable, type MissingTexts } from "./ChartPorts.ts"
import { querySettings, scopeOf, sourceText, tableNameOf } from "./sourceFields.ts"
import { rangeIssue } from "./Periods.ts"
import { planSearch } from "./planSearch.ts"
import { planned, queryRunner } from "./runChart.ts"
import { readRowTime } from "./RowTime.ts"
import { utc } from "./Zone.ts"

const Request = chartSchemas.ChartSearch

const isRequest = Schema.is(Request)

const invalid = (message: string, issues: InvalidRequest["issues"] = [{ path: "", message }]): InvalidRequest =>
  new InvalidRequest({ message, issues })

const readSearch = Effect.fnUntraced(function* (body: ChartSearch) {
  const { issues, request } = readBody(Request, body)
  if (issues.length > 0 || !isRequest(request)) {
    return yield* invalid(`Body validation failed: ${formatFieldIssues(issues)}`, issues)
  }
  return request
})

const defaultMinutes = 15

const readRange = Effect.fnUntraced(function* ({ endTime, startTime }: typeof Request.Type) {
  const to = endTime === undefined ? yield* Clock.currentTimeMillis : Date.parse(endTime)
  const from = startTime === undefined ? to - defaultMinutes * 60_000 : Date.parse(startTime)
  if (Number.isNaN(from) || Number.isNaN(to)) {
    return yield* invalid("Invalid startTime or endTime: must be valid ISO 8601 strings")
  }
  if (from >= to) return yield* invalid("startTime must be before endTime")
  const issue = rangeIssue({ from, to })
  return issue === undefined ? { from, to } : yield* invalid(issue.message)
})

const missing: MissingTexts = {
  source: (sourceId) => `Source not found: ${sourceId}`,
  connection: (sourceId) => `Connection not found for source: ${sourceId}`
}

/** The rows of a source, as today's service answers them: with the values of the database. */
export const querySearch = Effect.fnUntraced(function* (ports: ChartPorts, body: ChartSearch) {
  const request = yield* readSearch(body)
  const range = yield* readRange(request)
  const { maxResults = 100, offset = 0, orderBy, select = "", where, whereLanguage } = request
  const { engine, source } = yield* findSource(ports, request.sourceId, missing)
  const name = yield* planned(tableNameOf(source, undefined, "sourceId"))
  const table = yield* findTable(engine, source, name)
  const time = yield* planned(readRowTime(source.timestampValueExpression ?? "", "timestampValueExpression", table))
  const plan = yield* planned(
    planSearch(
      {
        select: select.trim() === "" ? sourceText(source, "defaultTableSelectExpression") : select,
        where,
        whereLanguage,
        orderBy,
        limit: maxResults,
        offset
      },
      {
        table,
        time,
        scope: scopeOf(source, table),
        conditions: [],
        range,
        granularity: "auto",
        zone: utc,
        path: ""
      },
      { asksForMore: false, isEndIncluded: true }
    )
  )
  const { rows } = yield* queryRunner(engine, querySettings(source)).run(plan.query)
  const data = rows.map((row) => Object.fromEntries(plan.columns.map(({ name }, index) => [name, row[index]])))
  return { data, rows: data.length } satisfies FoundRows
})
