import type { GroupedText, RowsText } from "./readQuery.ts"

/** An expression over the rows of the small table, and its values by hand in the order of `Id`. */
export const writtenExpressions: ReadonlyArray<readonly [text: string, values: ReadonlyArray<unknown>]> = [
  ["Id", [1, 2, 3, 4, 5]],
  ["Bytes", ["1", "5", "9007199254740993", "18446744073709551615", "0"]],
  ["Ratio", [null, null, 0.5, 2, 4]],
  ["Price", ["0", "1.5", "1.5", "20.25", "-3.1"]],
  [
    "Time",
    [
      "2026-11-23T10:01:00.000Z",
      "2026-11-23T10:04:59.999Z",
      "2026-11-23T10:07:30.250Z",
      "2026-11-23T10:12:00.001Z",
      "2026-11-23T23:30:00.000Z"
    ]
  ],
  ["Bytes + 1", ["2", "6", "9007199254740994", "0", "1"]],
  ["Change - 1", ["-2", "6", "-9007199254740994", "9223372036854775806", "-1"]],
  ["Status / 8", [62.5, 50.5, 25, 25, 25]],
  ["Id / 0", [null, null, null, null, null]],
  ["Ms * 2", [null, 6, 25, 15, 2]],
  ["Status % 7", [3, 5, 4, 4, 4]],
  ["intDiv(Status, 150)", [3, 2, 1, 1, 1]],
  ["abs(Change)", ["1", "7", "9007199254740993", "9223372036854775807", "0"]],
  ["floor(Ms)", [null, 3, 12, 7, 1]],
  ["round(Ms)", [null, 3, 12, 8, 1]],
  ["greatest(Ms, 5)", [5, 5, 12.5, 7.5, 5]],
  ["least(Status, 300)", [300, 300, 200, 200, 200]],
  ["widthBucket(Status, 200, 500, 3)", [4, 3, 1, 1, 1]],
  ["log(Id)", [0, Math.log(2), Math.log(3), Math.log(4), Math.log(5)]],
  ["Ms > 3", [null, 0, 1, 1, 0]],
  ["Ms > 3 AND Status = 500", [null, 0, 0, 0, 0]],
  ["Ms > 3 OR Status = 500", [1, 0, 1, 1, 0]],
  ["NOT (Ms > 3)", [null, 1, 0, 0, 1]],
  ["Ratio = Ratio", [0, 1, 1, 1, 1]],
  ["Bytes = 9007199254740993", [0, 0, 1, 0, 0]],
  ["Ms IS NULL", [1, 0, 0, 0, 0]],
  ["Note IN ('12', '')", [1, 0, null, 1, 0]],
  ["Note NOT IN ('12', '')", [0, 1, null, 0, 1]],
  ["Service LIKE '_e%'", [0, 1, 0, 1, 0]],
  ["Note ILIKE '%queue'", [0, 0, null, 0, 1]],
  ["if(Status >= 400, 'bad', 'good')", ["bad", "bad", "good", "good", "good"]],
  ["CASE WHEN Ms > 10 THEN 2 WHEN Ms > 5 THEN 1 ELSE 0 END", [0, 0, 2, 1, 0]],
  ["coalesce(Note, Service)", ["", "n/a", "api", "12", "Mail Queue"]],
  ["ifNull(Ms, 0)", [0, 3, 12.5, 7.5, 1]],
  ["nullIf(Status, 200)", [500, 404, null, null, null]],
  ["toFloat64OrNull(Note)", [null, null, null, 12, null]],
  ["toString(Ratio)", ["nan", "inf", "0.5", "2", "4"]],
  [
    "toString(Time)",
    [
      "2026-11-23 10:01:00.000",
      "2026-11-23 10:04:59.999",
      "2026-11-23 10:07:30.250",
      "2026-11-23 10:12:00.001",
      "2026-11-23 23:30:00.000"
    ]
  ],
  ["toDate(Time, 'Europe/Berlin')", ["2026-11-23", "2026-11-23", "2026-11-23", "2026-11-23", "2026-11-24"]],
  [
    "toDateTime(Time, 'UTC')",
    [
      "2026-11-23T10:01:00Z",
      "2026-11-23T10:04:59Z",
      "2026-11-23T10:07:30Z",
      "2026-11-23T10:12:00Z",
      "2026-11-23T23:30:00Z"
    ]
  ],
  ["Time >= fromUnixTimestamp64Milli(1795428450250)", [0, 0, 1, 1, 1]],
  [
    "toUnixTimestamp64Milli(Time)",
    ["1795428060000", "1795428299999", "1795428450250", "1795428720001", "1795476600000"]
  ],
  [
    "toStartOfInterval(toDateTime(Time, 'UTC'), toIntervalMinute(5))",
    [
      "2026-11-23T10:00:00Z",
      "2026-11-23T10:00:00Z",
      "2026-11-23T10:05:00Z",
      "2026-11-23T10:10:00Z",
      "2026-11-23T23:30:00Z"
    ]
  ],
  [
    "toStartOfInterval(toDateTime(Time, 'Europe/Berlin'), toIntervalDay(1))",
    [
      "2026-11-22T23:00:00Z",
      "2026-11-22T23:00:00Z",
      "2026-11-22T23:00:00Z",
      "2026-11-22T23:00:00Z",
      "2026-11-23T23:00:00Z"
    ]
  ],
  ["lower(Note)", ["", "n/a", null, "12", "mail queue"]],
  ["length(Note)", ["0", "3", null, "2", "10"]],
  ["concat(Service, '-', Status)", ["api-500", "web-404", "api-200", "web-200", "-200"]],
  ["substring(Note, 2, 3)", ["", "/a", null, "2", "ail"]],
  ["hasToken(lower(Note), 'queue')", [0, 0, null, 0, 1]],
  ["has(Tags, 'b')", [0, 1, 1, 0, 0]],
  ["Tags[1]", ["", "b", "a", "a", ""]],
  ["Attributes['env']", ["", "test", "prod", "prod", ""]],
  ["mapContains(Attributes, 'zone')", [0, 0, 0, 1, 0]],
  ["empty(Tags)", [1, 0, 0, 0, 1]],
  ["notEmpty(Note)", [0, 1, null, 1, 1]],
  ["JSONExtractString(Json, 'user')", ["", "", "ada", '{"name":"bob"}', "7"]],
  ["tuple(Id, Service).2", ["api", "web", "api", "web", ""]],
  ["arrayExists(tag -> tag = 'a', Tags)", [0, 0, 1, 1, 0]],
  ["cityHash64(Service) = cityHash64('api')", [1, 0, 1, 0, 0]]
]

/** An aggregate over all rows of the small table. */
export const writtenAggregates: ReadonlyArray<readonly [text: string, value: unknown]> = [
  ["count()", "5"],
  ["countIf(Ms > 3)", "2"],
  ["count(Ms)", "4"],
  ["sum(Status)", "1504"],
  ["sum(Bytes)", "9007199254740998"],
  ["sum(Price)", "20.15"],
  ["sum(Ratio)", null],
  ["sumIf(Status, Ok)", "804"],
  ["avg(Ms)", 6],
  ["avgIf(Ms, Status > 900)", null],
  ["avg(toFloat64OrNull(Note))", 12],
  ["min(Ms)", 1],
  ["max(Bytes)", "18446744073709551615"],
  ["min(Ratio)", 0.5],
  ["max(Ratio)", null],
  ["min(Service)", ""],
  ["maxIf(Status, Id > 9)", 0],
  ["maxIf(Ms, Id > 9)", null],
  ["quantile(0.5)(Ms)", 5.25],
  ["quantile(0.9)(Status)", 461.6],
  ["uniqExact(Service)", "3"],
  ["uniqExact(Note)", "4"],
  ["argMax(Id, Time)", 5],
  ["argMinIf(Status, Time, Ok)", 404],
  ["sum(Status) / count()", 300.8],
  ["coalesce(sumIf(Ms, Id > 9), 0)", 0],
  ["any(Ms) IN (1, 3, 7.5, 12.5)", 1]
]

interface WrittenGroups extends GroupedText {
  readonly title: string
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
  /** How many groups the answer says there were. */
  readonly count?: number
}

/** Groups of the small table. */
export const writtenGroups: ReadonlyArray<WrittenGroups> = [
  {
    title: "one row without groups, also over no rows",
    values: { n: "count()", s: "sum(Ms)", m: "max(Status)" },
    where: "Id > 9",
    rows: [["0", null, 0]]
  },
  {
    title: "no row over no rows with groups",
    groups: { g: "Service" },
    values: { n: "count()" },
    where: "Id > 9",
    rows: []
  },
  {
    title: "rows for which the condition is NULL are left out",
    groups: { g: "Service" },
    values: { n: "count()" },
    where: "Ms > 1",
    rows: [
      ["api", "1"],
      ["web", "2"]
    ]
  },
  {
    title: "NULL is a group, and the last one",
    groups: { g: "Note" },
    values: { n: "count()" },
    rows: [
      ["", "1"],
      ["12", "1"],
      ["Mail Queue", "1"],
      ["n/a", "1"],
      [null, "1"]
    ]
  },
  {
    title: "groups, then the bucket, then the values",
    groups: { g: "Service" },
    bucket: "toStartOfInterval(toDateTime(Time, 'UTC'), toIntervalMinute(5))",
    values: { n: "count()", a: "avg(Ms)" },
    rows: [
      ["", "2026-11-23T23:30:00Z", "1", 1],
      ["api", "2026-11-23T10:00:00Z", "1", null],
      ["api", "2026-11-23T10:05:00Z", "1", 12.5],
      ["web", "2026-11-23T10:00:00Z", "1", 3],
      ["web", "2026-11-23T10:10:00Z", "1", 7.5]
    ]
  },
  {
    title: "a result with the name of a column is the result in `having` and in the order",
    groups: { Status: "Service" },
    values: { Id: "count()" },
    having: "Id > 1",
    orderBy: ["Status DESC"],
    rows: [
      ["web", "2"],
      ["api", "2"]
    ]
  },
  {
    title: "NULL is last in a descending order, too",
    groups: { g: "Id" },
    values: { v: "sum(Ms)" },
    orderBy: ["v DESC"],
    limit: 10,
    rows: [
      [3, 12.5],
      [4, 7.5],
      [2, 3],
      [5, 1],
      [1, null]
    ]
  },
  {
    title: "the limit cuts after the order",
    groups: { g: "Id" },
    values: { v: "sum(Status)" },
    orderBy: ["v DESC", "g"],
    limit: 3,
    rows: [
      [1, "500"],
      [2, "404"],
      [3, "200"]
    ]
  },
  {
    title: "the series with the largest peaks stay with all their buckets, ties by the groups",
    groups: { g: "Service" },
    bucket: "toStartOfInterval(toDateTime(Time, 'UTC'), toIntervalMinute(5))",
    values: { n: "count()", s: "sum(Status)" },
    mostSeries: 2,
    rows: [
      ["", "2026-11-23T23:30:00Z", "1", "200"],
      ["api", "2026-11-23T10:00:00Z", "1", "500"],
      ["api", "2026-11-23T10:05:00Z", "1", "200"]
    ],
    count: 3
  },
  {
    title: "NaN is no peak",
    groups: { g: "Service" },
    bucket: "toStartOfInterval(toDateTime(Time, 'UTC'), toIntervalMinute(5))",
    values: { s: "sum(Ratio)" },
    mostSeries: 2,
    rows: [
      ["", "2026-11-23T23:30:00Z", 4],
      ["web", "2026-11-23T10:00:00Z", null],
      ["web", "2026-11-23T10:10:00Z", 2]
    ],
    count: 3
  },
  {
    title: "a peak is a value of one bucket, not a sum of buckets",
    groups: { g: "Service" },
    bucket: "toStartOfInterval(toDateTime(Time, 'UTC'), toIntervalMinute(5))",
    values: { m: "max(Ms)" },
    mostSeries: 1,
    rows: [
      ["api", "2026-11-23T10:00:00Z", null],
      ["api", "2026-11-23T10:05:00Z", 12.5]
    ],
    count: 3
  }
]

interface WrittenRows extends RowsText {
  readonly title: string
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
}

/** Rows of the small table. */
export const writtenRows: ReadonlyArray<WrittenRows> = [
  {
    title: "the order is over the columns of the table, not over the results",
    columns: { Status: "Id", Id: "Status" },
    orderBy: ["Status DESC", "Id"],
    rows: [
      [1, 500],
      [2, 404],
      [3, 200],
      [4, 200],
      [5, 200]
    ]
  },
  {
    title: "NaN comes after every number and NULL after NaN, ascending and descending",
    columns: { i: "Id" },
    orderBy: ["if(Id = 4, NULL, Ratio)", "Id"],
    rows: [[3], [5], [2], [1], [4]]
  },
  {
    title: "the same, descending",
    columns: { i: "Id" },
    orderBy: ["if(Id = 4, NULL, Ratio) DESC", "Id"],
    rows: [[2], [5], [3], [1], [4]]
  },
  {
    title: "limit and offset",
    columns: { i: "Id" },
    orderBy: ["Time DESC"],
    limit: 2,
    offset: 1,
    rows: [[4], [3]]
  },
  {
    title: "values of every type",
    columns: { a: "Ok", b: "Day", c: "Tags", d: "Attributes", e: "Note", f: "tuple(Id, Bytes)" },
    where: "Id IN (3, 4)",
    rows: [
      [true, "2026-11-23", ["a", "b"], { env: "prod" }, null, [3, "9007199254740993"]],
      [true, "2026-11-23", ["a"], { env: "prod", zone: "b" }, "12", [4, "18446744073709551615"]]
    ]
  }
]
