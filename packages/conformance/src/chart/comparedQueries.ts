import type { ChartTable, TableQuery } from "@headgate/core/adapter"
import { groupedQuery, type GroupedText, rowsQuery, type Texts } from "./readQuery.ts"

type Queries = (mixed: ChartTable) => ReadonlyArray<readonly [title: string, query: TableQuery]>

const wheres = [undefined, "Maybe > 1 OR Note = 'web'", "Size > 5000", "Time >= '2026-10-25 00:00:00' AND Ok"]

const groupings: ReadonlyArray<Texts> = [
  {},
  { g0: "Name" },
  { g0: "Note" },
  { g0: "Level", g1: "Ok" },
  { g0: "Attributes['info']", g1: "Maybe" },
  // 0 and -0 are two groups, and equal in an order.
  { g0: "Odd", g1: "toString(Odd)" },
  { g0: "Tags" },
  { g0: "toDate(Time)", g1: "Big" }
]

const values: Texts = {
  count: "count()",
  countIf: "countIf(Maybe > 1)",
  sum: "sum(Value)",
  sumIf: "sumIf(Size, Name LIKE '%e%')",
  avg: "avg(Maybe)",
  avgText: "avg(toFloat64OrNull(Name))",
  min: "min(Odd)",
  max: "max(Nano)",
  quantile: "quantile(0.95)(Value)",
  quantileIf: "quantileIf(0.5)(Delta, Ok)",
  distinct: "uniqExact(Note)",
  last: "argMax(Id, Nano)",
  lastIf: "argMaxIf(Note, Nano, Size > 500)",
  ratio: "sum(Size) / count()",
  big: "sum(Big)",
  price: "sum(Price)"
}

const bucket = (zone: string, step: string) => `toStartOfInterval(toDateTime(Time, '${zone}'), ${step})`

const zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe"]
const steps = [
  "toIntervalSecond(1)",
  "toIntervalSecond(30)",
  "toIntervalMinute(5)",
  "toIntervalMinute(30)",
  "toIntervalHour(1)",
  "toIntervalHour(6)",
  "toIntervalDay(1)",
  "toIntervalDay(7)",
  "toIntervalDay(30)"
]

const grouped = (mixed: ChartTable, text: GroupedText) => [JSON.stringify(text), groupedQuery(mixed, text)] as const

const minutes = bucket("UTC", "toIntervalMinute(30)")

/** Queries over the mixed table, by the title of their law. */
export const comparedQueries: Readonly<Record<string, Queries>> = {
  "each aggregate, with and without a condition, by each group": (mixed) =>
    wheres.flatMap((where) => groupings.map((groups) => grouped(mixed, { groups, values, where }))),

  "each aggregate by group and period": (mixed) =>
    wheres.flatMap((where) => groupings.map((groups) => grouped(mixed, { groups, values, where, bucket: minutes }))),

  "periods of each length begin with the clocks of each zone": (mixed) =>
    zones.flatMap((zone) =>
      steps.map((step) => grouped(mixed, { bucket: bucket(zone, step), values: { count: "count()" } }))
    ),

  "periods of columns of each type": (mixed) =>
    ["At", "Time", "Nano", "Day"].flatMap((name) =>
      ["toIntervalDay(1)", "toIntervalDay(7)"].map((step) =>
        grouped(mixed, { bucket: `toStartOfInterval(${name}, ${step})`, values: { count: "count()" } })
      )
    ),

  "`having` over results": (mixed) =>
    ["n > 5", "s / n > 100", "m IS NULL", "g LIKE 'w%' OR n < 3", "n > 1000"].map((having) =>
      grouped(mixed, { groups: { g: "Name" }, values: { n: "count()", s: "sum(Value)", m: "max(Maybe)" }, having })
    ),

  "orders, with NULL and NaN last, and limits": (mixed) =>
    ["n DESC", "m", "m DESC", "o", "o DESC", "s / n DESC", "g DESC"].flatMap((order) =>
      [1, 3, 7, 1000].map((limit) =>
        grouped(mixed, {
          groups: { g: "Note", d: "Level" },
          values: { n: "count()", m: "maxIf(Maybe, Size > 900)", o: "sumIf(Odd, Size > 800)", s: "sum(Value)" },
          orderBy: [order, "g", "d"],
          limit
        })
      )
    ),

  "the series with the largest peaks, with ties": (mixed) =>
    ["count()", "max(Maybe)", "sum(Odd)", "uniqExact(Level)", "max(Ok)"].flatMap((value) =>
      [1, 2, 5, 100].flatMap((mostSeries) =>
        [{ g0: "Name" }, { g0: "Note", g1: "Level" }].flatMap((groups) =>
          [undefined, "n > 1"].map((having) =>
            grouped(mixed, {
              groups,
              bucket: minutes,
              values: { v: value, n: "count()" },
              mostSeries,
              ...(having === undefined ? undefined : { having })
            })
          )
        )
      )
    ),

  "rows with each order, limit and offset": (mixed) =>
    ["Maybe", "Maybe DESC", "Odd", "Odd DESC", "Note DESC", "Big DESC", "Delta", "Nano DESC", "Tags", "Name"].flatMap(
      (order) =>
        [undefined, "Ok AND Size < 500"].map((where) => {
          const text = {
            columns: { id: "Id", order: order.replace(" DESC", "") },
            where,
            orderBy: [order, "Id"],
            limit: 40,
            offset: 7
          }
          return [JSON.stringify(text), rowsQuery(mixed, text)] as const
        })
    ),

  "queries over the results of queries": (mixed) =>
    wheres.map((where) => {
      const inner = groupedQuery(mixed, {
        groups: { series: "cityHash64(Name, Level)", name: "Name", level: "Level" },
        bucket: minutes,
        values: { last: "argMax(Value, Nano)", n: "count()" },
        where
      })
      const outer = groupedQuery(inner, {
        groups: { g: "name", bucket: "bucket" },
        values: { average: "avg(last)", rows: "sum(n)" }
      })
      return [`nested ${where}`, outer] as const
    }),

  "the rise of counters": (mixed) =>
    ["Ok", "1 = 0", "1 = 1"].map((isDifference) => {
      const rows = rowsQuery(mixed, {
        columns: { series: "Name", time: "Nano", value: "Value", isDifference, g: "Level" }
      })
      const [series, time, value, difference] = rows.columns.map(({ expression }) => expression)
      const counter = {
        _tag: "Counter",
        from: mixed,
        series: series!,
        time: time!,
        value: value!,
        isDifference: difference!,
        increase: "rise",
        columns: rows.columns.slice(4)
      } as const
      return [
        `counter ${isDifference}`,
        groupedQuery(counter, { groups: { g: "g" }, values: { rise: "sum(rise)", n: "count()" } })
      ] as const
    })
}

/** `any` over groups, and the values of each group. */
export const memberQueries = ["Name", "Maybe", "Level", "Big"].map((name) => ({
  any: (mixed: ChartTable) => groupedQuery(mixed, { groups: { g: "Size % 7" }, values: { v: `any(${name})` } }),
  members: (mixed: ChartTable) => groupedQuery(mixed, { groups: { g: "Size % 7", v: name }, values: { n: "count()" } })
}))
