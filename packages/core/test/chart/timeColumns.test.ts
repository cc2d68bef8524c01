import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ChartTable } from "../../src/chart/query/TableQuery.ts"
import { chartsOf, logSource, requestOf, showQuery, tableOf, ten } from "./chartFixture.ts"

const from = "fromUnixTimestamp64Milli(1795428000000)"
const to = "fromUnixTimestamp64Milli(1795428300000)"
const last = "fromUnixTimestamp64Milli(1795428299999)"

/** The condition and the period of a chart over time. */
const shown = (timestampValueExpression: string | null, table: ChartTable, request: object = {}) =>
  Effect.gen(function* () {
    const { queries, query } = chartsOf({ sources: [{ ...logSource, timestampValueExpression }], tables: [table] })
    yield* query(requestOf({ displayType: "line", select: [{ aggFn: "count" }] }, request))
    const { bucket, where } = showQuery(queries[0]!)
    return [where, bucket]
  })

const byMinute = (time: string) => `bucket = toStartOfInterval(toDateTime(${time}, 'UTC'), toIntervalMinute(1))`

describe("the time of a row", () => {
  it.effect.each([
    "DateTime",
    "DateTime('Asia/Kolkata')",
    "DateTime64(3)",
    "DateTime64(9, 'UTC')",
    "Nullable(DateTime64(6))"
  ])("is a column of the type %s", (type) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* shown("ts", tableOf({ ts: type })), [
        `and(greaterOrEquals(ts, ${from}), less(ts, ${to}))`,
        byMinute("ts")
      ])
    })
  )

  it.effect("is a number of seconds", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* shown("ts", tableOf({ ts: "UInt32" })), [
        "and(greaterOrEquals(ts, 1795428000), lessOrEquals(ts, 1795428299))",
        byMinute("ts")
      ])
    })
  )

  it.effect("is a date, which is a day of the zone", () =>
    Effect.gen(function* () {
      const table = tableOf({ day: "Date" })
      assert.deepStrictEqual(yield* shown("day", table, { timezone: "Asia/Kolkata" }), [
        "and(greaterOrEquals(day, toDate('2026-11-23')), lessOrEquals(day, toDate('2026-11-23')))",
        byMinute("toDateTime(day, 'Asia/Kolkata')")
      ])
      const days = { timezone: "Asia/Kolkata", granularity: "7d", from: ten, to: ten + 86_400_000 }
      assert.deepStrictEqual(yield* shown("day", table, days), [
        "and(greaterOrEquals(day, toDate('2026-11-19')), lessOrEquals(day, toDate('2026-11-25')))",
        "bucket = toStartOfInterval(toDateTime(day, 'Asia/Kolkata'), toIntervalDay(7))"
      ])
    })
  )

  it.effect("is the most precise of several, each with a condition of its own", () =>
    Effect.gen(function* () {
      const table = tableOf({ EventDate: "Date", EventTime: "DateTime", at: "DateTime64(9)" })
      assert.deepStrictEqual(yield* shown("EventDate, toStartOfHour(at), EventTime, at", table), [
        [
          `and(greaterOrEquals(at, ${from})`,
          `less(at, ${to})`,
          `greaterOrEquals(EventTime, ${from})`,
          `less(EventTime, ${to})`,
          `greaterOrEquals(EventDate, toDate(${from}))`,
          `lessOrEquals(EventDate, toDate(${to}))`,
          `greaterOrEquals(toStartOfHour(at), toStartOfHour(${from}))`,
          `lessOrEquals(toStartOfHour(at), toStartOfHour(${to})))`
        ].join(", "),
        byMinute("at")
      ])
    })
  )

  it.effect("is the beginning of a period, if there is nothing else", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* shown("toStartOfMinute(ts)", tableOf({ ts: "DateTime" })), [
        `and(greaterOrEquals(toStartOfMinute(ts), toStartOfMinute(${from})), lessOrEquals(toStartOfMinute(ts), toStartOfMinute(${last})))`,
        byMinute("toStartOfMinute(ts)")
      ])
    })
  )

  it.effect("is rounded in the zone of its column, on both sides", () =>
    Effect.gen(function* () {
      const table = tableOf({ ts: "DateTime64(3, 'America/New_York')" }, { sortingKey: ["toDate(ts)"] })
      const [where] = yield* shown("ts", table)
      assert.include(where ?? "", `greaterOrEquals(toDate(ts), toDate(toTimeZone(${from}, 'America/New_York')))`)
      assert.include(where ?? "", `lessOrEquals(toDate(ts), toDate(toTimeZone(${to}, 'America/New_York')))`)
    })
  )

  it.effect("has no condition on a rounded time that holds no such bound", () =>
    Effect.gen(function* () {
      const table = tableOf({ ts: "DateTime" }, { sortingKey: ["toStartOfHour(ts)"] })
      const [first, last] = [Date.UTC(1900, 0, 1), Date.UTC(2299, 0, 1)]
      const range = { from: first, to: last, granularity: "30d" }
      const [where] = yield* shown("ts", table, range)
      assert.notInclude(where ?? "", "toStartOfHour")
      const [where2] = yield* shown("toStartOfHour(ts)", table, range)
      assert.strictEqual(where2, "true")
    })
  )

  it.effect("has a condition on the beginning of the sorting key", () =>
    Effect.gen(function* () {
      const keyed = (first: string) =>
        tableOf({ ts: "DateTime", service: "String" }, { sortingKey: [first, "service"] })
      const plain = `and(greaterOrEquals(ts, ${from}), less(ts, ${to}))`
      const conditions = yield* Effect.forEach(
        [
          "toStartOfHour(ts)",
          "toStartOfInterval(ts, toIntervalMinute(15))",
          "toDate(ts)",
          "ts",
          "toHour(ts)",
          "toStartOfHour(service)"
        ],
        (first) => Effect.map(shown("ts", keyed(first)), ([where]) => where)
      )
      const also = (write: (time: string) => string) =>
        `and(greaterOrEquals(ts, ${from}), less(ts, ${to}), greaterOrEquals(${write("ts")}, ${write(from)}), lessOrEquals(${write("ts")}, ${write(to)}))`
      assert.deepStrictEqual(conditions, [
        also((time) => `toStartOfHour(${time})`),
        also((time) => `toStartOfInterval(${time}, toIntervalMinute(15))`),
        also((time) => `toDate(${time})`),
        plain,
        plain,
        plain
      ])
    })
  )

  it.effect("is a time of the table, if the source does not say which", () =>
    Effect.gen(function* () {
      const table = tableOf({ id: "UInt64", at: "DateTime", seen: "DateTime" }, { sortingKey: ["id", "seen"] })
      assert.strictEqual((yield* shown(null, table))[1], byMinute("seen"))
      assert.include(
        (yield* Effect.flip(shown(null, tableOf({ id: "UInt64" })))).message,
        "The source does not say which column is the time of a row"
      )
    })
  )
})

describe("periods", () => {
  it.effect("of a day or longer are those of the zone", () =>
    Effect.gen(function* () {
      const table = tableOf({ ts: "DateTime" })
      const buckets = yield* Effect.forEach(["1s", "15s", "2h", "1d", "30d"], (granularity) =>
        Effect.map(shown("ts", table, { granularity, timezone: "Europe/Berlin" }), ([, bucket]) => bucket)
      )
      assert.deepStrictEqual(buckets, [
        "bucket = toStartOfInterval(toDateTime(ts, 'UTC'), toIntervalSecond(1))",
        "bucket = toStartOfInterval(toDateTime(ts, 'UTC'), toIntervalSecond(15))",
        "bucket = toStartOfInterval(toDateTime(ts, 'UTC'), toIntervalHour(2))",
        "bucket = toStartOfInterval(toDateTime(ts, 'Europe/Berlin'), toIntervalDay(1))",
        "bucket = toStartOfInterval(toDateTime(ts, 'Europe/Berlin'), toIntervalDay(30))"
      ])
    })
  )
})
