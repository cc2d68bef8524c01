import type * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Predicate from "effect/Predicate"
import { type JsonObject, objectOf, objectsOf } from "./Issues.ts"
import { isDistribution } from "./storedTile.ts"

/** The ids that a dashboard names, each once. */
export interface NamedReferences {
  readonly sourceIds: ReadonlyArray<string>
  readonly connectionIds: ReadonlyArray<string>
  readonly dashboardIds: ReadonlyArray<string>
}

/** Reads which of the named resources the organization has. It is run only for a dashboard that names some. */
export type FindReferences<E = never> = (named: NamedReferences) => Effect.Effect<DashboardReferences, E>

/** What a dashboard may refer to: resources of its organization, those that it names at least. */
export interface DashboardReferences {
  /** `kind` is `log`, `trace`, `metric`, `session` or `promql`; `connection` is the id of the source's connection. */
  readonly sources: ReadonlyArray<{
    readonly id: string
    readonly kind?: string | null | undefined
    readonly connection?: string | null | undefined
  }>
  readonly connectionIds: ReadonlyArray<string>
  readonly dashboardIds: ReadonlyArray<string>
}

const containerIssues = (tiles: ReadonlyArray<JsonObject>, containers: ReadonlyArray<JsonObject>): string => {
  const tabsOf = new Map(containers.map(({ id, tabs }) => [id, objectsOf(tabs).map(({ id }) => id)]))
  const found: Array<string> = []
  for (const [index, { containerId, tabId }] of tiles.entries()) {
    const tabs = tabsOf.get(containerId)
    if (containerId !== undefined && tabs === undefined) {
      found.push(`tiles.${index}.containerId: Tile references unknown containerId "${String(containerId)}"`)
    }
    if (tabId === undefined) continue
    if (containerId === undefined) found.push(`tiles.${index}.tabId: tabId requires containerId to be set`)
    else if (tabs !== undefined && !tabs.includes(tabId)) {
      const where = `in container "${String(containerId)}"`
      found.push(`tiles.${index}.tabId: Tile references unknown tabId "${String(tabId)}" ${where}`)
    }
  }
  return found.join("; ")
}

/** The texts that are not known, each once. */
const missing = (ids: ReadonlyArray<unknown>, known: { has(id: string): boolean }): ReadonlyArray<string> => [
  ...new Set(ids.filter(Predicate.isString).filter((id) => !known.has(id)))
]

const charts = (tiles: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> =>
  objectsOf(tiles.map(({ config }) => config))

/** The ids of the dashboards or of the sources that clicks on the rows of tables lead to. */
const linkedIds = (all: ReadonlyArray<JsonObject>, type: "search" | "dashboard"): ReadonlyArray<unknown> =>
  objectsOf(all.map(({ onClick }) => onClick))
    .filter((onClick) => onClick.type === type)
    .map(({ target }) => objectOf(target)?.id)

const texts = (ids: ReadonlyArray<unknown>): ReadonlyArray<string> => [...new Set(ids.filter(Predicate.isString))]

/** What a dashboard names, as it will be stored. */
export const namedReferences = (dashboard: JsonObject): NamedReferences => {
  const all = charts(objectsOf(dashboard.tiles))
  return {
    sourceIds: texts([
      ...[...all, ...objectsOf(dashboard.filters)].map(({ sourceId }) => sourceId),
      ...linkedIds(all, "search")
    ]),
    connectionIds: texts(all.map(({ connectionId }) => connectionId)),
    dashboardIds: texts(linkedIds(all, "dashboard"))
  }
}

const before = (dashboard: JsonObject | undefined) =>
  new Map(objectsOf(dashboard?.tiles).map(({ config, id }) => [id, config]))

/**
 * The first reference of a dashboard that leads nowhere, as one message, or `undefined`. The checks run in the order of the
 * service. `dashboard` is as it will be stored; `stored` is what it replaces: of tiles that stay as they are, the kinds of
 * the sources are not checked.
 */
export const referenceIssue = (
  dashboard: JsonObject,
  { connectionIds, dashboardIds, sources }: DashboardReferences,
  stored?: JsonObject
): string | undefined => {
  const tiles = objectsOf(dashboard.tiles)
  const containers = containerIssues(tiles, objectsOf(dashboard.containers))
  if (containers !== "") return containers

  const all = charts(tiles)
  const sourceOf = new Map(sources.map((source) => [source.id, source]))
  const configs = before(stored)
  const changed = (has: (chart: JsonObject) => boolean) =>
    charts(tiles.filter(({ config, id }) => has(objectOf(config) ?? {}) && !Equal.equals(configs.get(id), config)))
  const ofKind = (...kinds: ReadonlyArray<string>) => ({
    has: (id: string) => kinds.includes(sourceOf.get(id)?.kind ?? "")
  })
  const sql = all.filter(({ configType }) => configType === "sql")
  const mismatched = sql.filter(({ connectionId, sourceId }) =>
    Predicate.isString(sourceId) ? sourceOf.get(sourceId)?.connection !== connectionId : false
  )
  const heatmaps = changed(isDistribution)
  const withFormulas = changed(({ formulas }) => formulas !== undefined)
  const labels = objectsOf(dashboard.filters).filter(({ type }) => type === "PROMETHEUS_LABEL")
  const idsOf = (all: ReadonlyArray<JsonObject>) => all.map(({ sourceId }) => sourceId)
  const none = new Set<string>()

  const checks: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["Could not find the following source IDs", missing(namedReferences(dashboard).sourceIds, sourceOf)],
    [
      "Could not find the following connection IDs",
      missing(
        sql.map(({ connectionId }) => connectionId),
        new Set(connectionIds)
      )
    ],
    ["The following source IDs do not match the specified connections", missing(idsOf(mismatched), none)],
    [
      "Heatmap tiles require a Trace source. The following source IDs are not Trace sources",
      missing(idsOf(heatmaps), ofKind("trace"))
    ],
    [
      "Tiles with formulas require a Metric, Log, or Trace source. The following source IDs are not formula-capable",
      missing(idsOf(withFormulas), ofKind("metric", "log", "trace"))
    ],
    [
      "PROMETHEUS_LABEL filters require a PromQL source. The following source IDs are not PromQL sources",
      missing(idsOf(labels), ofKind("promql"))
    ],
    ["Could not find the following onClick dashboard IDs", missing(linkedIds(all, "dashboard"), new Set(dashboardIds))],
    [
      "The following onClick search source IDs are not log or trace sources",
      missing(linkedIds(all, "search"), ofKind("log", "trace"))
    ]
  ]
  const failed = checks.find(([, ids]) => ids.length > 0)
  return failed === undefined ? undefined : `${failed[0]}: ${failed[1].join(", ")}`
}

/** A tile without references to containers and tabs that its dashboard does not have. */
export const withoutUnknownContainers = (
  { containerId, tabId, ...tile }: JsonObject,
  containers: unknown
): JsonObject => {
  const container = objectsOf(containers).find(({ id }) => id === containerId)
  if (container === undefined) return tile
  const hasTab = objectsOf(container.tabs).some(({ id }) => id === tabId)
  return { ...tile, containerId, ...(hasTab ? { tabId } : {}) }
}
