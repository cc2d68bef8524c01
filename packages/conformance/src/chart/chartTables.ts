/** A table of the laws of charts. Values are as JSON has them: what JSON has not (NaN, 2^53 + 1) is a text. */
export interface LawTable {
  readonly name: string
  /** The data type of each column, as ClickHouse writes it. */
  readonly columns: Readonly<Record<string, string>>
  readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** Numbers from 0 to 1, always the same ones. */
const makeRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const names = ["api", "web", "", "Web", "mail queue", "it's 100%", "größe_1", "a\\b", "😀 z", "12", "1.5e3", "n/a"]
const levels = ["info", "warn", "error"]
const whole = [0, 1, 2, 5, 5, 100, 65_536]
const large = ["9007199254740993", "9007199254740992", "18446744073709551615", ...whole.map(String)]
const signed = ["-9223372036854775808", "9223372036854775807", "-9007199254740993", "-1", "0", "7", "-20"]
// Sums of these lose nothing that a comparison of floats would see.
const floats = [0.1, 0.2, 1.25, 2.5, 3.5, 10, 42.125, 99.9, 1000.5]
const jsons = ['{"user":"ada","n":1}', '{"user":{"name":"bob"}}', "[]", "broken", '{"user":null}', '{"user":"größe"}']

const epoch = Date.UTC(2026, 9, 24, 20, 0, 0)

/** Times around the end of summer time in Berlin, which is at 2026-10-25T01:00:00Z. */
const timeText = (seconds: number, fraction: string): string =>
  `${new Date(epoch + seconds * 1000).toISOString().slice(0, 19)}${fraction}Z`

/** Rows with everything that is not a plain value: NULL, empty texts, NaN, infinite numbers, duplicates; not in the order of time. */
const makeRows = (count: number): LawTable["rows"] => {
  const random = makeRandom(24)
  const pick = <A>(values: ReadonlyArray<A>): A | undefined => values[Math.floor(random() * values.length)]
  const orNull = <A>(value: A): A | null => (random() < 0.25 ? null : value)
  const digits = (length: number) => String(Math.floor(random() * 10 ** length)).padStart(length, "0")
  return Array.from({ length: count }, (_, index) => {
    const seconds = Math.floor(random() * 36_000)
    const millis = digits(3)
    return {
      Id: index,
      Name: pick(names),
      Note: orNull(pick(names)),
      Level: pick(levels),
      Big: pick(large),
      Delta: pick(signed),
      Size: Math.floor(random() * 1000),
      Value: pick(floats),
      Odd: random() < 0.3 ? pick(["nan", "inf", "-inf", "-0", "0"]) : pick(floats),
      Maybe: orNull(random() < 0.1 ? "nan" : pick(floats)),
      Ok: random() < 0.5,
      Price: `${Math.floor(random() * 100)}.${digits(2)}`,
      At: timeText(seconds, ""),
      Time: timeText(seconds, `.${millis}`),
      Nano: timeText(seconds, `.${millis}${digits(6)}`),
      Day: timeText(seconds, "").slice(0, 10),
      Tags: Array.from({ length: Math.floor(random() * 4) }, () => pick(levels)),
      Numbers: Array.from({ length: Math.floor(random() * 4) }, () => pick(whole)),
      Attributes: Object.fromEntries(levels.filter(() => random() < 0.5).map((level) => [level, pick(names)])),
      Json: pick(jsons),
      Local: timeText(seconds, ""),
      Seen: orNull(timeText(seconds, `.${millis}`)),
      Small: orNull(Math.floor(random() * 256) - 128),
      Single: pick(floats),
      Uuid: `0000000${seconds % 5}-0000-4000-8000-000000000000`
    }
  })
}

/** The table of the laws that compare an engine with another one. */
export const mixedTable: LawTable = {
  name: "mixed",
  columns: {
    Id: "UInt32",
    Name: "String",
    Note: "Nullable(String)",
    Level: "LowCardinality(String)",
    Big: "UInt64",
    Delta: "Int64",
    Size: "UInt16",
    Value: "Float64",
    Odd: "Float64",
    Maybe: "Nullable(Float64)",
    Ok: "Bool",
    Price: "Decimal(18, 2)",
    At: "DateTime",
    Time: "DateTime64(3)",
    Nano: "DateTime64(9)",
    Day: "Date",
    Tags: "Array(String)",
    Numbers: "Array(UInt32)",
    Attributes: "Map(String, String)",
    Json: "String",
    Local: "DateTime('Europe/Berlin')",
    Seen: "Nullable(DateTime64(3))",
    Small: "Nullable(Int8)",
    Single: "Float32",
    Uuid: "UUID"
  },
  rows: makeRows(300)
}

const metric = {
  Id: "UInt32",
  MetricName: "String",
  ServiceName: "LowCardinality(String)",
  ResourceAttributes: "Map(LowCardinality(String), String)",
  ScopeAttributes: "Map(LowCardinality(String), String)",
  Attributes: "Map(LowCardinality(String), String)",
  TimeUnix: "DateTime64(9)",
  Value: "Float64"
}

/** Rows of two metrics: every 90 seconds or so a value for each of six series, which are not in the order of time. */
const metricRows = (seed: number, valueOf: (random: () => number, before: number) => number): LawTable["rows"] => {
  const random = makeRandom(seed)
  const last = new Map<string, number>()
  const rows = Array.from({ length: 180 }, (_, index) => {
    const [service, host] = [["api", "web"][index % 2], `host ${index % 3}`]
    const key = `${service} ${host}`
    const value = valueOf(random, last.get(key) ?? 0)
    last.set(key, value)
    return {
      Id: index,
      MetricName: index % 7 === 0 ? "other" : "load",
      ServiceName: service,
      ResourceAttributes: {},
      ScopeAttributes: {},
      Attributes: { host },
      TimeUnix: timeText(index * 90 + Math.floor(random() * 60), ".000000001"),
      Value: value
    }
  })
  return rows.toSorted((one, other) => (one.Id % 5) - (other.Id % 5))
}

/** A table of gauges. */
export const gaugeTable: LawTable = {
  name: "gauge",
  columns: metric,
  rows: metricRows(7, (random) => Math.floor(random() * 1000) / 8)
}

/** A table of cumulative counters, which begin anew now and then. */
export const sumTable: LawTable = {
  name: "sum",
  columns: { ...metric, AggregationTemporality: "Int32" },
  rows: metricRows(8, (random, before) => (random() < 0.1 ? 0 : before + Math.floor(random() * 50))).map((row) => ({
    ...row,
    AggregationTemporality: row["MetricName"] === "other" ? 1 : 2
  }))
}
