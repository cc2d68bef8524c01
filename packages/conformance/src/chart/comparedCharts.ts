import { lawSources } from "./chartSources.ts"

type Config = Readonly<Record<string, unknown>>

const conditions = [
  {},
  { where: "Maybe > 1 OR Note = 'web'", whereLanguage: "sql" },
  { where: "Level:error OR web*", whereLanguage: "lucene" }
]

const groupings = [{}, { groupBy: "Name" }, { groupBy: "Level, Ok" }, { groupBy: "Note" }]

const items = [
  { aggFn: "count" },
  { aggFn: "sum", valueExpression: "Value" },
  { aggFn: "sum", valueExpression: "Big" },
  { aggFn: "avg", valueExpression: "Maybe" },
  { aggFn: "avg", valueExpression: "Name" },
  { aggFn: "min", valueExpression: "Delta" },
  { aggFn: "max", valueExpression: "Odd" },
  { aggFn: "quantile", level: 0.95, valueExpression: "Value" },
  { aggFn: "quantile", level: 0.5, valueExpression: "Maybe" },
  { aggFn: "count_distinct", valueExpression: "Note" },
  { aggFn: "last_value", valueExpression: "Name" },
  { aggFn: "none", valueExpression: "sum(Size) / count()" }
]

const charts = { sourceId: lawSources.mixed }

/** A value without an aggregate function has no condition of its own. */
const itemsWith = (condition: Config) =>
  items.flatMap((item) => (item.aggFn === "none" && "where" in condition ? [] : [{ ...item, ...condition }]))

const everyItem = ["line", "stacked_bar", "table"].flatMap((displayType) =>
  conditions.flatMap((condition) =>
    groupings.map((groups): Config => ({ ...charts, displayType, select: itemsWith(condition), ...groups }))
  )
)

const oneItem = [
  { displayType: "number" },
  { displayType: "pie", groupBy: "Name" },
  { displayType: "bar", groupBy: "Note, Ok", limit: 30 }
].flatMap((chart) =>
  conditions.flatMap((condition) =>
    itemsWith(condition).map((item): Config => ({ ...charts, ...chart, select: [item] }))
  )
)

const lucene = [
  "web",
  '"mail queue"',
  "we*",
  "*100%",
  "Name:web",
  'Name:"web"',
  "Name:(web OR api)",
  "-Level:info",
  "Level:error -Ok:true",
  "Size:>500",
  "Size:[100 TO 500]",
  "-Value:>10",
  "Note:*",
  "-Note:*",
  "Ok:true",
  "Tags:warn",
  "Attributes.info:web",
  "Big:9007199254740993",
  "Json.user:ada",
  "Level:info AND (Name:web OR NOT Size:<=20)"
]

const sql = [
  "Name IN ('web', 'api') AND NOT Ok",
  "Size BETWEEN 100 AND 500",
  "Attributes['info'] = 'web'",
  "has(Tags, 'warn') OR empty(Tags)",
  "toFloat64OrNull(Name) > 1",
  "JSONExtractString(Json, 'user') = 'ada'",
  "Time >= '2026-10-25 00:00:00.5'",
  "Price >= 50.5",
  "length(Name) > 3 AND lower(Name) LIKE '%e%'"
]

const counted = (where: string, whereLanguage: string): Config => ({
  ...charts,
  displayType: "table",
  select: [{ aggFn: "count", where, whereLanguage }, { aggFn: "count" }],
  groupBy: "Level"
})

const metric = (aggFn: string, rest: Config = {}): Config => ({
  sourceId: lawSources.metric,
  displayType: "line",
  select: [
    { aggFn, valueExpression: aggFn === "count" ? "" : "Value", metricName: "load", metricType: "gauge", ...rest }
  ]
})

const metrics = [{}, { groupBy: "ServiceName" }].flatMap((groups) =>
  ["sum", "avg", "max", "min", "count", "quantile", "increase"].flatMap((aggFn) =>
    [
      {},
      { periodAggFn: "delta" },
      { metricType: "sum" },
      { metricType: "sum", metricName: "other" },
      { where: "Attributes['host'] != 'host 1'", whereLanguage: "sql" }
    ].flatMap((rest): ReadonlyArray<Config> =>
      aggFn === "increase" && rest.metricType !== "sum" ? [] : [{ ...metric(aggFn, rest), ...groups }]
    )
  )
)

/** Charts of the mixed table and of metrics, by the title of their law. */
export const comparedCharts: Readonly<Record<string, ReadonlyArray<Config>>> = {
  "charts over time and tables, of every aggregate function": everyItem,
  "charts of one value, of every aggregate function": oneItem,
  "conditions in both languages": [
    ...lucene.map((text) => counted(text, "lucene")),
    ...sql.map((text) => counted(text, "sql"))
  ],
  "gauges and sums of metrics": metrics,
  "ratios, formulas, limits and the period before": [
    { ...charts, displayType: "line", select: items.slice(0, 2), asRatio: true, groupBy: "Level" },
    { ...charts, displayType: "line", select: items.slice(0, 4), formulas: [{ expression: "A / B + C * 2" }] },
    { ...charts, displayType: "line", select: items.slice(0, 1), groupBy: "Name", seriesLimit: 3 },
    { ...charts, displayType: "line", select: items.slice(3, 4), groupBy: "Note", seriesLimit: 2, fillNulls: false },
    { ...charts, displayType: "line", select: items.slice(0, 4), groupBy: "Ok", compareToPreviousPeriod: true },
    { ...charts, displayType: "bar", select: items.slice(3, 4), groupBy: "Name, Note", limit: 7 },
    {
      ...charts,
      displayType: "table",
      select: [{ ...items[1], alias: "s" }],
      groupBy: "Name",
      having: "s > 100",
      orderBy: "s DESC"
    }
  ],
  "found rows": [
    { ...charts, displayType: "search", select: "Time, Name, Big, Tags, Attributes, Note" },
    { ...charts, displayType: "search", select: "Id", where: "Level:error", whereLanguage: "lucene" },
    { ...charts, displayType: "search", select: "", where: "Ok", whereLanguage: "sql" }
  ],
  heatmaps: [
    {
      sourceId: lawSources.traces,
      displayType: "heatmap",
      select: [{ valueExpression: "Size" }]
    },
    {
      sourceId: lawSources.traces,
      displayType: "heatmap",
      select: [{ valueExpression: "Value", countExpression: "sum(Size)", heatmapScaleType: "log" }]
    }
  ]
}
