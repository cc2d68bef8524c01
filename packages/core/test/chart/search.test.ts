import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { chartsOf, logSource, minute, showQuery, sourceId, ten } from "./chartFixture.ts"

const range = { startTime: new Date(ten).toISOString(), endTime: new Date(ten + 5 * minute).toISOString() }
const requestOf = (rest: object = {}) => ({ sourceId, ...range, ...rest })
const inRange = (from: number, to: number) =>
  `and(greaterOrEquals(ts, fromUnixTimestamp64Milli(${from})), lessOrEquals(ts, fromUnixTimestamp64Milli(${to})))`

const failureOf = (body: object, given: Parameters<typeof chartsOf>[0] = {}) =>
  Effect.map(Effect.flip(chartsOf(given).search(body)), ({ _tag, message }) => `${_tag}: ${message}`)

describe("search", () => {
  it.effect("has the columns of the source and the newest rows", () =>
    Effect.gen(function* () {
      const rows = [["2026-11-23T10:01:00.000Z", "api", "hello"]]
      const { queries, search } = chartsOf({
        answers: [{ columns: { c0: "DateTime64(3)", c1: "String", c2: "String" }, rows }]
      })
      assert.deepStrictEqual<unknown>(yield* search(requestOf()), {
        data: [{ ts: "2026-11-23T10:01:00.000Z", service: "api", body: "hello" }],
        rows: 1
      })
      assert.deepStrictEqual(showQuery(queries[0]!), {
        from: "logs",
        columns: ["c0 = ts", "c1 = service", "c2 = body"],
        where: `and(${inRange(ten, ten + 5 * minute)})`.replace(/^and\((.*)\)$/, "$1"),
        orderBy: ["ts DESC"],
        limit: 100,
        offset: 0
      })
    })
  )

  it.effect("takes select, where, orderBy, maxResults and offset", () =>
    Effect.gen(function* () {
      const { queries, search } = chartsOf()
      yield* search(
        requestOf({
          select: "upper(body),ms",
          where: "ms > 1",
          whereLanguage: "sql",
          orderBy: "ms, ts DESC",
          maxResults: 7,
          offset: 9
        })
      )
      assert.deepStrictEqual(showQuery(queries[0]!), {
        from: "logs",
        columns: ["c0 = upper(body)", "c1 = ms"],
        where: `and(${inRange(ten, ten + 5 * minute)}, greater(ms, 1))`,
        orderBy: ["ms", "ts DESC"],
        limit: 7,
        offset: 9
      })
    })
  )

  it.effect("without a range has the last 15 minutes", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(ten)
      const { queries, search } = chartsOf()
      yield* search({ sourceId })
      assert.strictEqual(showQuery(queries[0]!).where, inRange(ten - 15 * minute, ten))
    })
  )

  it.effect("without columns has the time and the text that is searched", () =>
    Effect.gen(function* () {
      const { queries, search } = chartsOf({ sources: [{ ...logSource, defaultTableSelectExpression: undefined }] })
      yield* search(requestOf())
      assert.deepStrictEqual(showQuery(queries[0]!).columns, ["c0 = ts", "c1 = body"])
    })
  )

  const refusals: ReadonlyArray<readonly [body: object, message: string]> = [
    [{}, "InvalidRequest: Body validation failed: sourceId: Required"],
    [
      { sourceId: "" },
      "InvalidRequest: Body validation failed: sourceId: sourceId is required; sourceId: sourceId must be a valid ObjectId"
    ],
    [
      { sourceId: "not-an-objectid" },
      "InvalidRequest: Body validation failed: sourceId: sourceId must be a valid ObjectId"
    ],
    [
      requestOf({ where: "x".repeat(8193) }),
      "InvalidRequest: Body validation failed: where: String must contain at most 8192 character(s)"
    ],
    [
      requestOf({ select: "x".repeat(4097), orderBy: "x".repeat(1025), maxResults: 2001, offset: 10_001 }),
      "InvalidRequest: Body validation failed: select: String must contain at most 4096 character(s); orderBy: String must contain at most 1024 character(s); maxResults: Number must be less than or equal to 2000; offset: Number must be less than or equal to 10000"
    ],
    [
      requestOf({ whereLanguage: "graphql" }),
      "InvalidRequest: Body validation failed: whereLanguage: Invalid enum value. Expected 'lucene' | 'sql', received 'graphql'"
    ],
    [
      requestOf({ startTime: "not-a-date" }),
      "InvalidRequest: Invalid startTime or endTime: must be valid ISO 8601 strings"
    ],
    [
      requestOf({ startTime: range.endTime, endTime: range.startTime }),
      "InvalidRequest: startTime must be before endTime"
    ],
    [{ sourceId: "f".repeat(24) }, `ChartNotFound: Source not found: ${"f".repeat(24)}`],
    [requestOf({ select: "ts; DROP TABLE logs" }), "InvalidRequest: select: character 3: "],
    [requestOf({ select: "(SELECT max(ts) FROM system.tables)" }), "InvalidRequest: select: character "],
    [requestOf({ where: "nothing = 1", whereLanguage: "sql" }), "InvalidRequest: where: character 1: "],
    [requestOf({ orderBy: "nothing" }), "InvalidRequest: orderBy: character 1: "]
  ]

  it.effect.each(refusals)("refuses %j", ([body, message]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* failureOf(body)).slice(0, message.length), message)
    })
  )

  it.effect("tells a connection that is not there", () =>
    Effect.gen(function* () {
      const message = yield* failureOf(requestOf(), { sources: [{ ...logSource, connection: null }] })
      assert.strictEqual(message, `ChartNotFound: Connection not found for source: ${sourceId}`)
    })
  )
})
