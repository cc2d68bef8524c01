import type { ChartQuery } from "@headgate/client"
import { boundsOf, type ZonedRange } from "../../parts/timeRange/timeRange.ts"

/** How often a dashboard is asked for again, by the text of the URL, in milliseconds; `undefined` for never. */
export const refreshes: ReadonlyMap<string, number | undefined> = new Map([
  ["off", undefined],
  ["5", 5000],
  ["10", 10_000],
  ["30", 30_000],
  ["60", 60_000]
])

/** What is chosen for a dashboard, beside the range and its zone. */
export interface DashboardView {
  /** One more condition for the rows of every tile. */
  readonly where: string
  readonly whereLanguage: "lucene" | "sql"
  /** Whether the period before is drawn, too; else as each tile says. */
  readonly isCompared: boolean
  /** A key of {@link refreshes}. */
  readonly refresh: string
  /** The chosen values of filters, by their ids. */
  readonly chosen: Readonly<Record<string, ReadonlyArray<string>>>
}

const filterPrefix = "filter."

const textsIn = (text: string): ReadonlyArray<string> => {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read.filter((one) => typeof one === "string") : []
  } catch {
    return []
  }
}

/** How often a dashboard is asked for again where the link does not say it: of a range that moves with the time, each 30 seconds. */
export const usualRefresh = ({ range }: ZonedRange): string => (range.kind === "relative" ? "30" : "off")

/** What the query of a link says. What is wrong is left out. */
export const readView = (query: URLSearchParams, zoned: ZonedRange): DashboardView => {
  const chosen: Record<string, ReadonlyArray<string>> = {}
  for (const [name, text] of query) {
    const values = name.startsWith(filterPrefix) ? textsIn(text) : []
    if (values.length > 0) chosen[name.slice(filterPrefix.length)] = values
  }
  const refresh = query.get("refresh") ?? ""
  return {
    where: query.get("where") ?? "",
    whereLanguage: query.get("language") === "sql" ? "sql" : "lucene",
    isCompared: query.get("compare") === "on",
    refresh: refreshes.has(refresh) ? refresh : usualRefresh(zoned),
    chosen
  }
}

/** The field of the query that has the chosen values of a filter. */
export const filterField = (id: string, values: ReadonlyArray<string>): Readonly<Record<string, string>> => ({
  [`${filterPrefix}${id}`]: values.length === 0 ? "" : JSON.stringify(values)
})

/**
 * A range that moves ends with the five seconds that now is in. What several people look at is asked for with equal queries then, which
 * the server runs once.
 */
const step = 5000

/** The request for the data of a tile. Only filters that the dashboard has are asked for: a link may be older than it. */
export const requestOf = (
  tile: ChartQuery["tile"],
  view: DashboardView,
  zoned: ZonedRange,
  now: number,
  filters: ReadonlyArray<string>
): ChartQuery => {
  const { from, to } = boundsOf(zoned.range, Math.ceil(now / step) * step)
  const chosen = filters.flatMap((filterId) => {
    const values = view.chosen[filterId] ?? []
    return values.length === 0 ? [] : [{ filterId, in: [...values] }]
  })
  return {
    tile,
    from: Math.round(from),
    to: Math.round(to),
    timezone: zoned.zone,
    ...(chosen.length === 0 ? {} : { filters: chosen }),
    ...(view.where.trim() === "" ? {} : { where: view.where, whereLanguage: view.whereLanguage }),
    ...(view.isCompared ? { previousPeriod: true } : {})
  }
}

/** What is shown, in words: for a print, which has no controls. `nameOf` has the name of a filter by its id. */
export const viewText = (
  view: DashboardView,
  zoned: ZonedRange,
  now: number,
  nameOf: (filter: string) => string | undefined,
  write: (instant: number) => string
): string => {
  const { from, to } = boundsOf(zoned.range, now)
  const chosen = Object.entries(view.chosen).flatMap(([id, values]) => {
    const name = nameOf(id)
    return name === undefined ? [] : [`${name}: ${values.join(", ")}`]
  })
  const where = view.where.trim() === "" ? [] : [`where ${view.where}`]
  return [`${write(from)} to ${write(to)} (${zoned.zone})`, ...chosen, ...where].join("; ")
}
