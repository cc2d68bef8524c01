import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  aggregationFunctions,
  dataSources,
  metricDataTypes,
  seriesTypes,
  whereLanguages
} from "../../src/dashboard/seriesValues.ts"
import { DashboardCreate } from "../../src/dashboard/DashboardCreate.ts"
import { holdsContract, refusedPaths } from "../contract/holdsContract.ts"
import { namedFields } from "../contract/namedFields.ts"
import { replaceAt } from "../contract/wireDocument.ts"
import { dashboardCreateDocument, dashboardCreateFields } from "./dashboardDocuments.ts"

const decode = Schema.decodeUnknownEffect(DashboardCreate)
const refused = (request: unknown) => refusedPaths(DashboardCreate, request)
const tile = { x: 0, y: 0, w: 1, h: 1 }
const times = <A>(count: number, value: A): ReadonlyArray<A> => Array.from({ length: count }, () => value)

describe("DashboardCreate", () => {
  it("names the fields of the contract and those of the dialect clickhouse, each with its type, and no others", () => {
    assert.deepStrictEqual(namedFields(DashboardCreate), dashboardCreateFields)
  })

  holdsContract({
    schema: DashboardCreate,
    fields: dashboardCreateFields,
    document: dashboardCreateDocument,
    required: ["name", "tiles[0].x", "tiles[0].y", "tiles[0].w", "tiles[0].h"]
  })

  it.effect("requires only a name", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual<unknown>(yield* decode({ name: "Errors" }), { name: "Errors" })
      assert.deepStrictEqual(yield* refused({}), ["name"])
      assert.deepStrictEqual(yield* refused({ name: "Errors", tiles: [{}] }), [
        "tiles[0].x",
        "tiles[0].y",
        "tiles[0].w",
        "tiles[0].h"
      ])
    })
  )

  const bounds: ReadonlyArray<{
    readonly what: string
    readonly takes: ReadonlyArray<object>
    readonly refuses: ReadonlyArray<object>
    readonly at: string
  }> = [
    {
      what: "a name of at most 1024 characters",
      takes: [{ name: "" }, { name: "a".repeat(1024) }],
      refuses: [{ name: "a".repeat(1025) }],
      at: "name"
    },
    {
      what: "0 to 500 tiles",
      takes: [{ tiles: [] }, { tiles: times(500, tile) }],
      refuses: [{ tiles: times(501, tile) }],
      at: "tiles"
    },
    {
      what: "0 to 50 tags",
      takes: [{ tags: [] }, { tags: times(50, "a") }],
      refuses: [{ tags: times(51, "a") }],
      at: "tags"
    },
    {
      what: "tags of at most 32 characters",
      takes: [{ tags: ["ok", ""] }, { tags: ["ok", "a".repeat(32)] }],
      refuses: [{ tags: ["ok", "a".repeat(33)] }],
      at: "tags[1]"
    }
  ]
  it.effect.each(bounds)("takes $what", ({ at, refuses, takes }) =>
    Effect.gen(function* () {
      for (const request of takes) yield* decode({ name: "Errors", ...request })
      for (const request of refuses) assert.deepStrictEqual(yield* refused({ name: "Errors", ...request }), [at])
    })
  )

  it.effect("counts characters as JSON Schema does: an emoji is one", () =>
    Effect.gen(function* () {
      yield* decode({ name: "🚰".repeat(1024), tags: ["🚰".repeat(32)] })
      assert.deepStrictEqual(yield* refused({ name: "🚰".repeat(1025), tags: ["🚰".repeat(33)] }), ["name", "tags[0]"])
    })
  )

  it.effect.each([{ field: "x" }, { field: "y" }])("takes a finite $field of at least 0", ({ field }) =>
    Effect.gen(function* () {
      for (const value of [0, 0.5, 1e6]) yield* decode({ name: "Errors", tiles: [{ ...tile, [field]: value }] })
      for (const value of [-0.001, -1, Number.POSITIVE_INFINITY, null]) {
        assert.deepStrictEqual(yield* refused({ name: "Errors", tiles: [{ ...tile, [field]: value }] }), [
          `tiles[0].${field}`
        ])
      }
    })
  )

  it.effect.each([{ field: "w" }, { field: "h" }])("takes a finite $field greater than 0", ({ field }) =>
    Effect.gen(function* () {
      for (const value of [0.001, 1, 1e6]) yield* decode({ name: "Errors", tiles: [{ ...tile, [field]: value }] })
      for (const value of [0, -1, Number.POSITIVE_INFINITY, null]) {
        assert.deepStrictEqual(yield* refused({ name: "Errors", tiles: [{ ...tile, [field]: value }] }), [
          `tiles[0].${field}`
        ])
      }
    })
  )

  it.effect("rejects a tile whose width is not a number", () =>
    Effect.gen(function* () {
      assert.include(yield* refused({ name: "Errors", tiles: [{ ...tile, w: Number.NaN }] }), "tiles[0].w")
    })
  )

  const open: ReadonlyArray<{ readonly field: string; readonly known: ReadonlyArray<string> }> = [
    { field: "type", known: seriesTypes },
    { field: "dataSource", known: dataSources },
    { field: "aggFn", known: aggregationFunctions },
    { field: "whereLanguage", known: whereLanguages },
    { field: "metricDataType", known: metricDataTypes }
  ]
  it.effect.each(open)("takes any string as $field: the service judges it", ({ field, known }) =>
    Effect.gen(function* () {
      for (const value of [...known, "", "newInTheService"]) {
        const document = replaceAt(dashboardCreateDocument, `tiles[0].series[0].${field}`, value)
        assert.deepStrictEqual<unknown>(yield* decode(document), document)
      }
    })
  )

  it("knows the values of the service", () => {
    assert.deepStrictEqual(
      { seriesTypes, dataSources, aggregationFunctions, whereLanguages, metricDataTypes },
      {
        seriesTypes: ["time", "table", "number", "histogram", "search", "markdown"],
        dataSources: ["events", "metrics"],
        aggregationFunctions: [
          "avg",
          "count",
          "count_distinct",
          "last_value",
          "max",
          "min",
          "quantile",
          "sum",
          "any",
          "none",
          "increase"
        ],
        whereLanguages: ["lucene", "sql", "promql"],
        metricDataTypes: ["sum", "gauge", "histogram", "summary", "exponential histogram"]
      }
    )
  })
})
