import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Dashboard } from "../../src/dashboard/Dashboard.ts"
import { DashboardCreate } from "../../src/dashboard/DashboardCreate.ts"
import { DashboardId, TileId } from "../../src/id/dashboard.ts"
import { makeDashboard, replaceDashboard } from "../../src/dashboard/makeDashboard.ts"
import { replaceAt } from "../contract/wireDocument.ts"
import { webCrypto } from "../webCrypto.ts"
import { dashboardCreateDocument } from "./dashboardDocuments.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const tile = { x: 0, y: 0, w: 1, h: 1 }

/** From the body of a request to the body of the answer. */
const create = Effect.fnUntraced(function* (request: Schema.Json) {
  const dashboard = yield* makeDashboard(yield* Schema.decodeUnknownEffect(DashboardCreate)(request))
  yield* Schema.decodeUnknownEffect(Dashboard)(yield* Schema.encodeEffect(Dashboard)(dashboard))
  return dashboard
}, Effect.provide(webCrypto))

describe("makeDashboard", () => {
  it.effect("assigns an id to the dashboard and to each tile and keeps the other fields", () =>
    Effect.gen(function* () {
      const request = replaceAt(dashboardCreateDocument, "tiles", [tile, { ...tile, name: "two" }, tile])
      const { id, tiles, ...rest } = yield* create(request)
      assert.deepStrictEqual<unknown>(rest, Struct.omit(dashboardCreateDocument, ["tiles"]))
      assert.deepStrictEqual<unknown>(
        tiles?.map((tile) => Struct.omit(tile, ["id"])),
        [tile, { ...tile, name: "two" }, tile]
      )
      const ids = [id, ...(tiles ?? []).map(({ id }) => id)]
      for (const each of ids) assert.match(each, uuid)
      assert.strictEqual(new Set(ids).size, 4)
    })
  )

  it.effect("ignores the ids that were sent", () =>
    Effect.gen(function* () {
      const request = {
        name: "Errors",
        id: "mine",
        tiles: [
          { ...tile, id: "mine" },
          { ...tile, id: 7 }
        ]
      }
      const { id, tiles } = yield* create(request)
      for (const each of [id, ...(tiles ?? []).map(({ id }) => id)]) assert.match(each, uuid)
    })
  )

  it.effect("stores repeated tags once, in the order of their first occurrence", () =>
    Effect.gen(function* () {
      const { tags } = yield* create({ name: "Errors", tags: ["b", "a", "b", "A", "a"] })
      assert.deepStrictEqual(tags, ["b", "a", "A"])
    })
  )

  it.effect("returns tiles and tags even if the request has none", () =>
    Effect.gen(function* () {
      for (const request of [{ name: "Errors" }, { name: "Errors", tiles: null, tags: null }]) {
        assert.deepInclude(yield* create(request), { name: "Errors", tiles: [], tags: [] })
      }
    })
  )

  it.effect("keeps fields it does not know", () =>
    Effect.gen(function* () {
      const request = { name: "Errors", folder: "ops", tiles: [{ ...tile, legend: { visible: true } }] }
      const dashboard = yield* create(request)
      assert.strictEqual(dashboard["folder"], "ops")
      assert.deepStrictEqual(dashboard.tiles?.[0]?.["legend"], { visible: true })
    })
  )

  it.effect("refuses the tiles of the other kind, and names the dialect that takes them", () =>
    Effect.gen(function* () {
      const tiles = [tile, { ...tile, config: { displayType: "markdown" as const } }]
      const error = yield* Effect.flip(create({ name: "Errors", tiles }))
      assert.strictEqual(error.message, "tiles[1].config: Expected series: config is of the dialect clickhouse")
    })
  )

  it.effect("takes a tile of the other kind where it replaces one, such as that of an imported dashboard", () =>
    Effect.gen(function* () {
      const [id, ofSeries, dashboardId] = [TileId.make("a"), TileId.make("b"), DashboardId.make("d")]
      const stored = [
        { id, config: { displayType: "markdown" as const } },
        { id: ofSeries, series: [], config: null }
      ]
      const chart = { ...tile, config: { displayType: "markdown" as const } }
      const request = { name: "Errors", tiles: [{ ...chart, id }] }
      const dashboard = yield* replaceDashboard(dashboardId, request, stored)
      assert.deepStrictEqual(dashboard.tiles, [{ ...chart, id }])
      const others = [{ ...chart, id: ofSeries }, { ...chart, id: TileId.make("c") }, chart]
      const error = yield* Effect.flip(replaceDashboard(dashboardId, { name: "Errors", tiles: others }, stored))
      assert.deepStrictEqual(
        error.issues.map(({ path }) => path),
        ["tiles[0].config", "tiles[1].config", "tiles[2].config"]
      )
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("counts the unknown values of a request to 1000", () =>
    Effect.gen(function* () {
      const tiles = Array.from({ length: 30 }, () => ({
        ...tile,
        series: Array.from({ length: 50 }, () => ({ aggFn: "p95" }))
      }))
      const error = yield* Effect.flip(create({ name: "Errors", tiles }))
      assert.match(error.message, /^tiles\[0\]\.series\[0\]\.aggFn: Expected "avg" \|.*; and at least 980 more$/)
    })
  )
})
