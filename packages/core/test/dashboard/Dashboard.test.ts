import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Dashboard } from "../../src/dashboard/Dashboard.ts"
import { holdsContract, refusedPaths } from "../contract/holdsContract.ts"
import { namedFields } from "../contract/namedFields.ts"
import { replaceAt } from "../contract/wireDocument.ts"
import { dashboardDocument, dashboardFields } from "./dashboardDocuments.ts"

describe("Dashboard", () => {
  it("names the fields of the contract and those of the dialect clickhouse, each with its type, and no others", () => {
    assert.deepStrictEqual(namedFields(Dashboard), dashboardFields)
  })

  holdsContract({
    schema: Dashboard,
    fields: dashboardFields,
    document: dashboardDocument,
    required: ["id", "name", "tiles[0].id"]
  })

  const open = ["type", "dataSource", "aggFn", "whereLanguage", "metricDataType"].map((field) => ({ field }))
  it.effect.each(open)("reads a series whose $field is new", ({ field }) =>
    Effect.gen(function* () {
      const document = replaceAt(dashboardDocument, `tiles[0].series[0].${field}`, "newInTheService")
      const dashboard = yield* Schema.decodeUnknownEffect(Dashboard)(document)
      assert.deepStrictEqual<unknown>(yield* Schema.encodeEffect(Dashboard)(dashboard), document)
    })
  )

  it.effect("reads ids that are empty", () =>
    Effect.gen(function* () {
      for (const path of ["id", "tiles[0].id"]) {
        const document = replaceAt(dashboardDocument, path, "")
        const dashboard = yield* Schema.decodeUnknownEffect(Dashboard)(document)
        assert.deepStrictEqual<unknown>(yield* Schema.encodeEffect(Dashboard)(dashboard), document)
      }
    })
  )

  it.effect("decodes any finite position and size", () =>
    Effect.gen(function* () {
      for (const value of [-1, 0, 0.25, 1e9]) {
        yield* Schema.decodeUnknownEffect(Dashboard)(replaceAt(dashboardDocument, "tiles[0].w", value))
      }
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
        assert.deepStrictEqual(yield* refusedPaths(Dashboard, replaceAt(dashboardDocument, "tiles[0].w", value)), [
          "tiles[0].w"
        ])
      }
    })
  )
})
