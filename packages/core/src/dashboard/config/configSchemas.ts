import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { looseStruct, withIdentifier } from "../../schema/LooseStruct.ts"
import { AggregationFunction, MetricType, NumberFormat, WhereLanguage } from "./chartParts.ts"
import { DashboardId, TileId } from "../../id/dashboard.ts"
import {
  anyOf,
  atLeast,
  atMost,
  Finite,
  list,
  ObjectId,
  optional,
  type Report,
  required,
  text,
  together
} from "./fields.ts"
import { checkFilters, DashboardFilter, FilterCreate, StoredFilter } from "./filters.ts"
import { TileConfig } from "./TileConfig.ts"

const query = {
  sourceId: required(ObjectId, "The id of the data source: 24 hex digits."),
  aggFn: required(AggregationFunction, "The aggregation function."),
  level: optional(Finite.check(atLeast(0), atMost(1)), "The quantile, from 0 to 1."),
  field: optional(Schema.String, "The column or expression that is aggregated."),
  alias: optional(Schema.String, "The name of the series in the chart."),
  where: required(Schema.String, "The filter expression, in `whereLanguage`."),
  whereLanguage: optional(WhereLanguage, "The language of `where`: `lucene` if it is absent."),
  numberFormat: optional(NumberFormat, "How the numbers are shown."),
  metricDataType: optional(MetricType, "The type of the metric, for a source of metrics."),
  metricName: optional(Schema.String, "The name of the metric, for a source of metrics.")
}

const groupBy = {
  groupBy: required(list(Schema.String, { max: 10 }), "The expressions that the result is grouped by: at most 10.")
}

const seriesType = <const Type extends string>(type: Type, description: string) => ({
  type: required(Schema.Literal(type), description)
})

const OldSeries = Schema.Union([
  looseStruct({
    ...seriesType("time", "A chart over time."),
    ...query,
    ...groupBy,
    displayType: optional(
      anyOf(["stacked_bar", "stacked_line", "line"]),
      "The shape of the chart: `line` if it is absent."
    )
  }).pipe(withIdentifier("TimeSeries", "A series of a chart over time, in the older form.")),
  looseStruct({
    ...seriesType("table", "A table."),
    ...query,
    ...groupBy,
    sortOrder: optional(anyOf(["desc", "asc"]), "The order of the rows. It is not kept.")
  }).pipe(withIdentifier("TableSeries", "A column of a table, in the older form.")),
  looseStruct({
    ...seriesType("search", "The rows of the source."),
    sourceId: query.sourceId,
    fields: required(Schema.Array(Schema.String), "The columns."),
    where: query.where,
    whereLanguage: query.whereLanguage
  }).pipe(withIdentifier("SearchSeries", "The rows of a source, in the older form.")),
  looseStruct({ ...seriesType("number", "One number."), ...query }).pipe(
    withIdentifier("NumberSeries", "One number, in the older form.")
  ),
  looseStruct({
    ...seriesType("markdown", "A text."),
    content: required(text({ max: 100_000 }), "The text, in Markdown: at most 100,000 characters.")
  }).pipe(withIdentifier("MarkdownSeries", "A text, in the older form."))
]).annotate({ identifier: "OldSeries", description: "A chart in the older form, which is read and never answered." })

const reference = text({ min: 1, max: 256 })

/** What stands in a tile of a request and of an answer. */
const tileFields = {
  name: required(Schema.String, "The name of the tile."),
  x: required(Finite.check(atLeast(0), atMost(23)), "The column of the left edge, in cells of the grid: 0 to 23."),
  y: required(Finite.check(atLeast(0)), "The row of the top edge, in cells of the grid, from 0."),
  w: required(Finite.check(atLeast(1), atMost(24)), "The width, in cells of the grid: 1 to 24."),
  h: required(Finite.check(atLeast(1)), "The height, in cells of the grid: at least 1."),
  description: optional(Schema.String, "What the tile shows: a hint beside its name.")
}

const placeFields = {
  containerId: optional(
    reference,
    "The id of the container of the dashboard that the tile is in: 1 to 256 characters."
  ),
  tabId: optional(reference, "The id of the tab of that container that the tile is in: 1 to 256 characters.")
}

const ConfigTileCreate = looseStruct({
  ...tileFields,
  asRatio: optional(Schema.Boolean, "Whether the chart shows the ratio of two `series`. Not with `config`."),
  series: optional(
    Schema.Array(OldSeries).check(
      Schema.isMinLength(1, { message: "Array must contain at least 1 element(s)" }),
      together((series, report) => {
        if (new Set(series.map(({ type }) => type)).size > 1) report("All series must have the same type")
      })
    ),
    "The chart in the older form: at least one, of one type. Either `config` or `series` is required."
  ),
  config: optional(TileConfig, "The chart. Either `config` or `series` is required."),
  ...placeFields,
  id: optional(
    text({ max: 36 }),
    "The id of the tile: at most 36 characters. It is kept if the dashboard has such a tile, otherwise a new one is assigned."
  )
})
  .check(
    together(({ asRatio, config, series }, report) => {
      if (series !== undefined && config !== undefined) report("Tile cannot have both series and config")
      if (series === undefined && config === undefined) report("Tile must have either series or config")
      if (asRatio !== undefined && config !== undefined) {
        const instead = "Specify config.asRatio instead."
        report(`asRatio property is not supported when using config property. ${instead}`)
      }
    })
  )
  .pipe(withIdentifier("TileCreate", "A tile of a dashboard: a chart and its place in the grid."))

const containerText = text({ min: 1, max: 256 })

const ContainerTab = looseStruct({
  id: required(containerText, "The id of the tab in its container: 1 to 256 characters."),
  title: required(containerText, "The title of the tab: 1 to 256 characters.")
}).pipe(withIdentifier("DashboardTab", "A tab of a container."))

/** A group of tiles. */
const DashboardContainer = looseStruct({
  id: required(containerText, "The id of the container in its dashboard: 1 to 256 characters."),
  title: required(containerText, "The title of the container: 1 to 256 characters."),
  collapsed: required(Schema.Boolean, "Whether the container is collapsed when the dashboard is opened."),
  collapsible: optional(Schema.Boolean, "Whether the container can be collapsed."),
  bordered: optional(Schema.Boolean, "Whether the container has a border."),
  tabs: optional(list(ContainerTab, { max: 20 }), "The tabs of the container: at most 20.")
}).pipe(withIdentifier("DashboardContainer", "A group of tiles."))
export interface DashboardContainer extends Readonly<typeof DashboardContainer.Type> {}

/** What is chosen when a dashboard is opened: a condition, or the values of a variable. */
const SavedFilterValue = Schema.Union([
  looseStruct({
    type: optional(Schema.Literal("sql").annotate({ default: "sql" }), "A condition, in SQL."),
    condition: required(text({ max: 10_000 }), "The condition, in SQL: at most 10,000 characters.")
  }).pipe(withIdentifier("SqlSavedFilterValue", "A condition that is set when a dashboard is opened.")),
  looseStruct({
    type: required(Schema.Literal("variable"), "The values of a variable."),
    name: required(Schema.String, "The name of the variable: the `variableName` of a filter."),
    values: required(Schema.Array(Schema.String), "The chosen values. Not used with `all`."),
    all: optional(Schema.Literal(true), "All values are chosen: of a filter with the type SOURCE_FILTER.")
  }).pipe(
    withIdentifier("VariableSavedFilterValue", "The values of a variable that are set when a dashboard is opened.")
  )
]).annotate({
  identifier: "SavedFilterValue",
  description: "What is chosen when a dashboard is opened: a condition, or the values of a variable."
})
export type SavedFilterValue = typeof SavedFilterValue.Type

const checkContainers = (containers: ReadonlyArray<DashboardContainer>, report: Report): void => {
  const containerIds = new Set<string>()
  for (const [index, { id, tabs = [] }] of containers.entries()) {
    if (containerIds.has(id)) report(`Container IDs must be unique: "${id}"`, ["containers", index, "id"])
    containerIds.add(id)
    const tabIds = new Set<string>()
    for (const [tabIndex, tab] of tabs.entries()) {
      const path = ["containers", index, "tabs", tabIndex, "id"]
      if (tabIds.has(tab.id)) report(`Duplicate tab id "${tab.id}" in container "${id}"`, path)
      tabIds.add(tab.id)
    }
  }
}

const tagsField = optional(
  list(text({ max: 32 }), { max: 50 }),
  "The tags of the dashboard: at most 50 of at most 32 characters. A repeated tag is stored once."
)

const savedQuery = Schema.NullOr(Schema.String)
const savedQueryLanguage = Schema.NullOr(WhereLanguage)

const bodyFields = <Filter extends Schema.Constraint>(filter: Filter) => ({
  name: required(text({ max: 1024 }), "The name of the dashboard: at most 1024 characters."),
  tiles: required(
    list(ConfigTileCreate, { max: 500 }).check(
      together((tiles, report) => {
        const seen = new Set<string>()
        for (const [index, { id = "" }] of tiles.entries()) {
          if (id === "") continue
          if (seen.has(id)) report(`Duplicate tile ID: ${id}. Omit the ID to generate a unique one.`, [index, "id"])
          seen.add(id)
        }
      })
    ),
    "The tiles of the dashboard: at most 500."
  ),
  tags: tagsField,
  savedQuery: optional(savedQuery, "The query that is set when the dashboard is opened."),
  savedQueryLanguage: optional(savedQueryLanguage, "The language of `savedQuery`: `lucene` if it is absent."),
  savedFilterValues: optional(Schema.Array(SavedFilterValue), "What is chosen when the dashboard is opened."),
  containers: optional(list(DashboardContainer, { max: 50 }), "The groups of tiles: at most 50."),
  filters: optional(Schema.Array(filter), "The filters of the dashboard.")
})

interface CheckedTogether {
  readonly savedQuery?: string | null
  readonly savedQueryLanguage?: string | null
  readonly containers?: ReadonlyArray<DashboardContainer>
  readonly filters?: ReadonlyArray<DashboardFilter>
}

const checkTogether = together<CheckedTogether>(({ containers, filters, savedQuery, savedQueryLanguage }, report) => {
  if (Predicate.isString(savedQuery) && savedQuery !== "" && savedQueryLanguage === null)
    report("savedQueryLanguage cannot be null when savedQuery is provided", ["savedQueryLanguage"])
  checkContainers(containers ?? [], report)
  checkFilters(filters ?? [], report)
})

/**
 * The request for a new dashboard in the `clickhouse` dialect. Its tiles have a `config`, or `series` in the older form.
 * Lengths are in characters of UTF-16.
 */
const ConfigDashboardCreate = looseStruct(bodyFields(FilterCreate))
  .check(checkTogether)
  .pipe(withIdentifier("DashboardCreate", "The request for a new dashboard."))

/** The request that replaces a dashboard in the `clickhouse` dialect. Its filters have ids. */
const ConfigDashboardUpdate = looseStruct(bodyFields(StoredFilter))
  .check(checkTogether)
  .pipe(withIdentifier("DashboardUpdate", "The request that replaces a dashboard."))

const ConfigTile = looseStruct({
  id: required(TileId, "The id of the tile, assigned by the service: 24 hex digits."),
  ...tileFields,
  config: required(TileConfig, "The chart."),
  ...placeFields
}).pipe(withIdentifier("Tile", "A tile of a dashboard: a chart and its place in the grid."))

const ConfigDashboard = looseStruct({
  id: required(DashboardId, "The id of the dashboard: 24 hex digits."),
  name: required(Schema.String, "The name of the dashboard."),
  tiles: required(Schema.Array(ConfigTile), "The tiles of the dashboard."),
  tags: required(Schema.Array(Schema.String), "The tags of the dashboard."),
  filters: required(Schema.Array(StoredFilter), "The filters of the dashboard."),
  savedQuery: required(savedQuery, "The query that is set when the dashboard is opened."),
  savedQueryLanguage: required(savedQueryLanguage, "The language of `savedQuery`."),
  savedFilterValues: required(Schema.Array(SavedFilterValue), "What is chosen when the dashboard is opened."),
  containers: optional(Schema.Array(DashboardContainer), "The groups of tiles. Absent if there are none.")
}).pipe(withIdentifier("Dashboard", "A dashboard made of tiles."))

/**
 * The schemas of the dashboards of the `clickhouse` dialect, by the names of their types. `DashboardCreate` and
 * `DashboardUpdate` validate requests; all of them are for documents: JSON Schema, OpenAPI and types. A client does not need
 * them: its `DashboardCreate` passes on what they describe.
 *
 * @example
 * ```ts
 * import { configSchemas } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * const { definitions } = Schema.toJsonSchemaDocument(configSchemas.DashboardCreate)
 * console.log("TileConfig" in definitions, "HeatmapChart" in definitions) // true true
 * ```
 */
export const configSchemas = {
  Dashboard: ConfigDashboard,
  DashboardCreate: ConfigDashboardCreate,
  DashboardUpdate: ConfigDashboardUpdate,
  DashboardContainer,
  DashboardFilter,
  SavedFilterValue,
  TileConfig
}
