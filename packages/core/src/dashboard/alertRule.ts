import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Predicate from "effect/Predicate"
import type { InvalidRequest } from "../error/CallError.ts"
import type { FieldIssue } from "../error/FieldIssue.ts"
import { readTimestamp } from "../schema/Timestamp.ts"
import { channelsOf } from "./alertsOf.ts"
import { type JsonObject, objectOf, objectsOf } from "./config/Issues.ts"
import { readBody } from "./config/readBody.ts"
import { TileConfig } from "./config/TileConfig.ts"
import { badReference, type DocumentRule, type FindNamed, noRule, timesOf } from "./DocumentRule.ts"
import { withoutNulls } from "./storedDocuments.ts"

const minutes: Readonly<Record<string, number>> = {
  "30s": 0.5,
  "1m": 1,
  "5m": 5,
  "15m": 15,
  "30m": 30,
  "1h": 60,
  "6h": 360,
  "12h": 720,
  "1d": 1440
}

/** The shapes of charts that show a value over time, or one value. */
const watchedCharts: ReadonlyArray<unknown> = ["line", "stacked_bar", "stacked_line", "number"]

const issue = (path: string, message: string): FieldIssue => ({ path, message })

const missing = (request: JsonObject, source: string, ...fields: ReadonlyArray<string>) =>
  fields
    .filter((field) => request[field] === undefined || request[field] === "")
    .map((field) => issue(field, `Missing: it is required for the source ${source}`))

const queryIssue = ({ displayType, sqlTemplate }: JsonObject): string | undefined => {
  if (!watchedCharts.includes(displayType)) {
    return "Alerts on Raw SQL charts are only supported for Line, Stacked Bar, or Number display types"
  }
  // What distinguishes rows of a chart over time is the interval that they are in.
  const hasInterval = /\{intervalSeconds\s*:|\$__(?:interval_s|timeInterval)/u.test(String(sqlTemplate))
  return displayType === "number" || hasInterval
    ? undefined
    : "Raw SQL alert query is invalid: it must include an interval parameter or macro, such as $__timeInterval"
}

/** The issues of the chart of an alert that stands for itself. */
const chartIssues = (chartConfig: unknown): ReadonlyArray<FieldIssue> => {
  const { issues } = readBody(TileConfig, chartConfig)
  const below = issues.map(({ message, path }) => issue(path === "" ? "chartConfig" : `chartConfig.${path}`, message))
  const chart = objectOf(chartConfig)
  if (below.length > 0 || chart === undefined) return below
  if (chart.configType === "sql") {
    const filter = ["where", "whereLanguage"].filter((field) => chart[field] !== undefined)
    const wrong = queryIssue(chart)
    return [
      ...filter.map((field) =>
        issue(`chartConfig.${field}`, "Not for a chart of an SQL query: its SQL has the condition")
      ),
      ...(wrong === undefined ? [] : [issue("chartConfig", wrong)])
    ]
  }
  if (watchedCharts.includes(chart.displayType)) return []
  return [issue("chartConfig.displayType", "Expected line, stacked_bar, stacked_line or number")]
}

const watchedIssues = (request: JsonObject): ReadonlyArray<FieldIssue> => {
  const { source = "saved_search" } = request
  if (source === "inline") return chartIssues(request.chartConfig)
  const own =
    source === "tile"
      ? missing(request, source, "dashboardId", "tileId")
      : missing(request, "saved_search", "savedSearchId")
  if (request.chartConfig === undefined) return own
  return [...own, issue("chartConfig", 'chartConfig is only supported when source is "inline"')]
}

const channelIssues = (request: JsonObject): ReadonlyArray<FieldIssue> => {
  const { channel } = request
  const channels = channelsOf(request)
  if (channels.length === 0) return [issue("channel", "Missing: at least one notification channel is required")]
  // An answer has both.
  if (channel !== undefined && !Equal.equals(channel, channels[0])) {
    return [issue("channel", "Expected the first of channels: send channel or channels alone")]
  }
  return channels.flatMap((one, index) => {
    const path = request.channels === undefined ? "channel" : `channels[${index}]`
    const field = one.type === "email" ? "emailRecipients" : "webhookId"
    const isThere = Array.isArray(one[field]) ? one[field].length > 0 : Predicate.isTruthy(one[field])
    const isTwice = channels.slice(0, index).some((other) => Equal.equals(other, one))
    return [
      ...(isThere ? [] : [issue(`${path}.${field}`, `Missing: it is required for the type ${String(one.type)}`)]),
      ...(isTwice ? [issue(path, "Expected a channel that differs from those before it")] : [])
    ]
  })
}

const thresholdIssues = ({ threshold, thresholdMax, thresholdType }: JsonObject): ReadonlyArray<FieldIssue> => {
  if (thresholdType !== "between" && thresholdType !== "not_between") return []
  if (thresholdMax === undefined) {
    return [issue("thresholdMax", "Missing: it is required for between and not_between")]
  }
  const isOrdered = Number(thresholdMax) >= Number(threshold)
  return isOrdered ? [] : [issue("thresholdMax", "Expected a number that is not less than threshold")]
}

const scheduleIssues = (
  { interval, scheduleOffsetMinutes = 0, scheduleStartAt }: JsonObject,
  now: DateTime.Utc
): ReadonlyArray<FieldIssue> => {
  const found: Array<FieldIssue> = []
  const offset = Number(scheduleOffsetMinutes)
  if (scheduleStartAt !== undefined && offset > 0) {
    found.push(issue("scheduleOffsetMinutes", "Expected 0, as scheduleStartAt is given"))
  }
  if (offset >= (minutes[String(interval)] ?? Infinity)) {
    found.push(issue("scheduleOffsetMinutes", "Expected fewer minutes than the interval has"))
  }
  if (scheduleStartAt === undefined) return found
  const start = readTimestamp(scheduleStartAt)
  const earliest = DateTime.subtract(now, { days: 3650 })
  const latest = DateTime.add(now, { days: 365 })
  if (start === undefined || !DateTime.between(start, { minimum: earliest, maximum: latest })) {
    const expected = "Expected an RFC 3339 timestamp from 10 years ago to a year from now, such as 2026-01-31T12:00:00Z"
    found.push(issue("scheduleStartAt", expected))
  }
  return found
}

/** The name and the tags of what an alert watches. */
interface Watched {
  readonly displayName: unknown
  readonly tags: unknown
}

const findSearch = Effect.fnUntraced(function* <E>({ savedSearchId }: JsonObject, find: FindNamed<E>) {
  const [search] = yield* find("savedSearches", [String(savedSearchId)])
  if (search === undefined) return yield* badReference("savedSearchId", "Saved search not found")
  const watched: Watched = { displayName: search.name, tags: search.tags }
  return watched
})

const findTile = Effect.fnUntraced(function* <E>({ dashboardId, tileId }: JsonObject, find: FindNamed<E>) {
  const [dashboard] = yield* find("dashboards", [String(dashboardId)])
  if (dashboard === undefined) return yield* badReference("dashboardId", "Dashboard not found")
  const tile = objectsOf(dashboard.tiles).find(({ id }) => id === tileId)
  if (tile === undefined) return yield* badReference("tileId", "Tile not found")
  const config = objectOf(tile.config)
  const wrong = config?.configType === "sql" ? queryIssue(config) : undefined
  if (wrong !== undefined) return yield* badReference("tileId", wrong)
  const watched: Watched = { displayName: tile.name, tags: dashboard.tags }
  return watched
})

const findChart = Effect.fnUntraced(function* <E>({ chartConfig }: JsonObject, find: FindNamed<E>) {
  const chart = objectOf(chartConfig) ?? {}
  const { connectionId, formulas, name, sourceId } = chart
  const [source] = sourceId === undefined ? [] : yield* find("sources", [String(sourceId)])
  if (chart.configType === "sql") {
    const [connection] = yield* find("connections", [String(connectionId)])
    if (connection === undefined) return yield* badReference("chartConfig.connectionId", "Connection not found")
    if (source !== undefined && source.connection !== connectionId) {
      return yield* badReference("chartConfig.sourceId", "Source does not belong to the specified connection")
    }
  }
  if (source === undefined && (sourceId !== undefined || chart.configType !== "sql")) {
    return yield* badReference("chartConfig.sourceId", "Source not found")
  }
  const hasFormulas = objectsOf(formulas).length > 0 && chart.configType !== "sql"
  if (hasFormulas && !["metric", "log", "trace"].includes(String(source?.kind))) {
    const message = "Alerts with formulas require a Metric, Log, or Trace source"
    return yield* badReference("chartConfig.sourceId", message)
  }
  const watched: Watched = { displayName: name ?? "", tags: [] }
  return watched
})

/** The fields that name what an alert watches. */
const watchedFields = (request: JsonObject): JsonObject => {
  const { chartConfig, dashboardId, groupBy, savedSearchId, source = "saved_search", tileId } = request
  if (source === "tile") return { source, dashboardId, tileId }
  return source === "inline" ? { source, chartConfig } : { source, savedSearchId, groupBy }
}

const isRange = ({ thresholdType }: JsonObject): boolean => String(thresholdType).endsWith("between")

/** The rules of alerts. None is evaluated. */
export const alertRule: DocumentRule = {
  ...noRule,
  issues: (request, now) => [
    ...watchedIssues(request),
    ...channelIssues(request),
    ...thresholdIssues(request),
    ...scheduleIssues(request, now)
  ],
  references: Effect.fnUntraced(function* <E>(request: JsonObject, _: string | undefined, find: FindNamed<E>) {
    const { source = "saved_search" } = request
    const finder: (request: JsonObject, find: FindNamed<E>) => Effect.Effect<Watched, InvalidRequest | E> =
      source === "tile" ? findTile : source === "inline" ? findChart : findSearch
    const watched = yield* finder(request, find)
    const ids = new Set(
      channelsOf(request).flatMap(({ type, webhookId }) => (type === "webhook" ? [String(webhookId)] : []))
    )
    const found = ids.size === 0 ? [] : yield* find("webhooks", [...ids])
    if (found.length < ids.size) return yield* badReference("channel.webhookId", "Webhook not found")
    return { ...watched }
  }),
  document: (request, context) => {
    const { named, organizationId, stored } = context
    const { interval, scheduleOffsetMinutes, scheduleStartAt, threshold, thresholdMax, thresholdType } = request
    const channels = channelsOf(request).map(withoutNulls)
    return {
      name: request.name ?? null,
      displayName: request.displayName ?? named.displayName ?? "",
      tags: request.tags ?? named.tags ?? [],
      message: request.message ?? null,
      note: request.note ?? null,
      ...watchedFields(request),
      threshold,
      thresholdType,
      thresholdMax: isRange(request) ? thresholdMax : undefined,
      interval,
      scheduleOffsetMinutes,
      scheduleStartAt,
      numConsecutiveWindows: request.numConsecutiveWindows ?? null,
      channel: channels[0],
      channels,
      state: stored?.state ?? "OK",
      silenced: stored?.silenced,
      executionErrors: stored?.executionErrors,
      teamId: organizationId,
      ...timesOf(context)
    }
  }
}
