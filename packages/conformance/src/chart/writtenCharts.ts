import { lawSources } from "./chartSources.ts"
import { mixedTable } from "./chartTables.ts"

const ten = Date.UTC(2026, 10, 23, 10)
const minutes = (count: number) => ten + count * 60_000
const day = Date.UTC(2026, 10, 22, 23)

interface WrittenChart {
  readonly title: string
  readonly config: Readonly<Record<string, unknown>>
  readonly request: {
    readonly from: number
    readonly to: number
    readonly granularity?: "5m" | "1d"
    readonly timezone?: string
    readonly previousPeriod?: boolean
    readonly where?: string
  }
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
}

const count = { aggFn: "count" }
const source = { sourceId: lawSources.small }
const quarter = { from: ten, to: minutes(15), granularity: "5m" } as const
const whole = { from: ten, to: minutes(14 * 60) }

const sumOfBig = mixedTable.rows.reduce((all, { Big }) => all + BigInt(String(Big)), 0n)
const meanOfBig = Number(sumOfBig) / mixedTable.rows.length

/** Charts of the small table, and of the numbers of the mixed one. */
export const writtenCharts: ReadonlyArray<WrittenChart> = [
  {
    title: "a period of a series without rows is 0",
    config: { ...source, displayType: "line", select: [count], groupBy: "Service" },
    request: quarter,
    rows: [
      [ten, "api", 1],
      [ten, "web", 1],
      [minutes(5), "api", 1],
      [minutes(5), "web", 0],
      [minutes(10), "api", 0],
      [minutes(10), "web", 1]
    ]
  },
  {
    title: "the mean of whole numbers of 64 bits is right where 64 bits do not hold their sum",
    config: {
      sourceId: lawSources.mixed,
      displayType: "table",
      select: [
        { aggFn: "avg", valueExpression: "Big" },
        { aggFn: "avg", valueExpression: "Big + 0" }
      ]
    },
    request: { from: Date.UTC(2026, 9, 24), to: Date.UTC(2026, 9, 26) },
    rows: [[meanOfBig, meanOfBig]]
  },
  {
    title: "without fillNulls it is absent",
    config: {
      ...source,
      displayType: "stacked_bar",
      select: [{ aggFn: "avg", valueExpression: "Ms" }],
      groupBy: "Service",
      fillNulls: false
    },
    request: quarter,
    rows: [
      [ten, "api", null],
      [ten, "web", 3],
      [minutes(5), "api", 12.5],
      [minutes(10), "web", 7.5]
    ]
  },
  {
    title: "a table has several values, and whole numbers beyond 2^53 are texts",
    config: {
      ...source,
      displayType: "table",
      select: [
        { ...count, alias: "n" },
        { aggFn: "sum", valueExpression: "Bytes" }
      ],
      groupBy: "Service",
      orderBy: "n DESC"
    },
    request: whole,
    rows: [
      ["api", 2, "9007199254740994"],
      ["web", 2, 4],
      ["", 1, 0]
    ]
  },
  {
    title: "`having` is over values",
    config: {
      ...source,
      displayType: "table",
      select: [{ ...count, alias: "n" }],
      groupBy: "Service",
      having: "n < 2"
    },
    request: whole,
    rows: [["", 1]]
  },
  {
    title: "a ratio of two values with conditions",
    config: {
      ...source,
      displayType: "table",
      select: [{ ...count, where: "Ok = true", whereLanguage: "sql" }, count],
      groupBy: "Service",
      asRatio: true
    },
    request: whole,
    rows: [
      ["", 0],
      ["api", 0.5],
      ["web", 1]
    ]
  },
  {
    title: "a number, with a Lucene condition",
    config: {
      ...source,
      displayType: "number",
      select: [{ aggFn: "sum", valueExpression: "Status", where: "Service:api", whereLanguage: "lucene" }]
    },
    request: whole,
    rows: [[700]]
  },
  {
    title: "the condition of a request",
    config: { ...source, displayType: "number", select: [count] },
    request: { ...whole, where: "Status:>=404" },
    rows: [[2]]
  },
  {
    title: "the period before",
    config: { ...source, displayType: "number", select: [count] },
    request: { from: minutes(5), to: minutes(10), previousPeriod: true },
    rows: [[1, 2]]
  },
  {
    title: "a pie begins with the largest slice, ties by the groups",
    config: { ...source, displayType: "pie", select: [count], groupBy: "Status" },
    request: whole,
    rows: [
      [200, 3],
      [404, 1],
      [500, 1]
    ]
  },
  {
    title: "text that is no number is left out",
    config: { ...source, displayType: "number", select: [{ aggFn: "avg", valueExpression: "Note" }] },
    request: whole,
    rows: [[12]]
  },
  {
    title: "the last value is that of the latest row",
    config: {
      ...source,
      displayType: "bar",
      select: [{ aggFn: "last_value", valueExpression: "Id" }],
      groupBy: "Service"
    },
    request: whole,
    rows: [
      ["", 5],
      ["web", 4],
      ["api", 3]
    ]
  },
  {
    title: "days begin with those of the time zone",
    config: { ...source, displayType: "line", select: [count] },
    request: { from: day, to: day + 2 * 86_400_000, granularity: "1d", timezone: "Europe/Berlin" },
    rows: [
      [day, 4],
      [day + 86_400_000, 1]
    ]
  },
  {
    title: "found rows are the newest first",
    config: {
      ...source,
      displayType: "search",
      select: "Id, Service",
      where: "Tags:a",
      whereLanguage: "lucene"
    },
    request: whole,
    rows: [
      [4, "web"],
      [3, "api"]
    ]
  }
]

/** The series of the small table, as today's service answers them. */
export const writtenSeries = {
  request: {
    series: [
      { sourceId: lawSources.small, aggFn: "count", where: "", groupBy: ["Service"] },
      {
        sourceId: lawSources.small,
        aggFn: "max",
        field: "Ms",
        where: "Status = 200",
        whereLanguage: "sql",
        groupBy: ["Service"]
      }
    ],
    startTime: ten,
    endTime: minutes(10),
    granularity: "5m"
  },
  rows: [
    { ts_bucket: ten, group: ["api"], "series_0.data": "1" },
    { ts_bucket: ten, group: ["web"], "series_0.data": "1" },
    { ts_bucket: minutes(5), group: ["api"], "series_0.data": "1", "series_1.data": 12.5 }
  ]
}

/** Rows of the small table, as today's service answers them. */
export const writtenSearch = {
  request: {
    sourceId: lawSources.small,
    startTime: "2026-11-23T10:00:00Z",
    endTime: "2026-11-23T10:10:00Z",
    select: "Time, Bytes, Note",
    where: "Ok:true",
    maxResults: 2
  },
  answer: {
    data: [
      { Time: "2026-11-23T10:07:30.250Z", Bytes: "9007199254740993", Note: null },
      { Time: "2026-11-23T10:04:59.999Z", Bytes: "5", Note: "n/a" }
    ],
    rows: 2
  }
}
