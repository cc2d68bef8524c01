import { assert, describe, it } from "vitest"
import { changesOf, mergeOf } from "../../src/pages/dashboards/changes.ts"
import {
  chartOf,
  configOf,
  isSame,
  moved,
  newId,
  newTile,
  requestOfDraft,
  settled,
  tilesOf,
  withoutTile,
  withTile
} from "../../src/pages/dashboards/edit.ts"
import type { Dashboard, Tile } from "../../src/pages/dashboards/tile.ts"

const tile = (id: string, about: object = {}): Tile =>
  ({ id, name: id, x: 0, y: 0, w: 2, h: 2, config: { displayType: "line", select: [1] }, ...about }) as unknown as Tile
const dashboard = (tiles: ReadonlyArray<Tile>, about: object = {}): Dashboard =>
  ({ id: "d", name: "D", tags: [], tiles, ...about }) as unknown as Dashboard
const places = (value: Dashboard) => tilesOf(value).map(({ h, id, w, x, y }) => [String(id), x, y, w, h])

describe("isSame", () => {
  it.each([
    [{ a: 1, b: [1] }, { b: [1], a: 1 }, true],
    [{ a: undefined }, {}, true],
    [{ a: null }, {}, false],
    [[1, 2], [2, 1], false],
    [undefined, undefined, true],
    [undefined, null, false],
    ["1", 1, false]
  ])("%j and %j: %s", (one, other, wanted) => assert.strictEqual(isSame(one, other), wanted))
})

describe("moved", () => {
  const before = dashboard([tile("a"), tile("b", { x: 2 }), tile("c", { containerId: "k" }), tile("e", { y: 4 })])

  it("moves what is covered down, in the group of the tile alone", () => {
    const after = moved(before, "a", { x: 1, y: 0, w: 2, h: 2 })
    assert.deepStrictEqual(places(after), [
      ["a", 1, 0, 2, 2],
      ["b", 2, 2, 2, 2],
      ["c", 0, 0, 2, 2],
      ["e", 0, 4, 2, 2]
    ])
    assert.strictEqual(after.tiles?.[3], before.tiles?.[3], "a tile that stays is the same object")
  })

  it("changes nothing of a tile that is not there", () => {
    assert.strictEqual(moved(before, "x", { x: 1, y: 0, w: 2, h: 2 }), before)
  })
})

describe("settled", () => {
  it("leaves no two tiles of a group on top of each other, and others as they are", () => {
    const apart = dashboard([tile("a"), tile("b", { x: 2 }), tile("c", { containerId: "k" })])
    assert.strictEqual(settled(apart), apart)
    const after = settled(dashboard([tile("a"), tile("b", { x: 1 }), tile("c", { x: 0, y: 1 })]))
    const cells = new Set<string>()
    for (const { h, w, x, y } of tilesOf(after)) {
      for (let column = x ?? 0; column < (x ?? 0) + (w ?? 0); column += 1) {
        for (let row = y ?? 0; row < (y ?? 0) + (h ?? 0); row += 1) cells.add(`${column} ${row}`)
      }
    }
    assert.strictEqual(cells.size, 12)
  })
})

describe("the tiles of a draft", () => {
  const before = dashboard([tile("a"), tile("new-1")])

  it("are replaced, added and removed", () => {
    const ids = (value: Dashboard) => tilesOf(value).map(({ id, name }) => `${id} ${name}`)
    assert.deepStrictEqual(ids(withTile(before, tile("a", { name: "x" }))), ["a x", "new-1 new-1"])
    assert.deepStrictEqual(ids(withTile(before, tile("b"))), ["a a", "new-1 new-1", "b b"])
    assert.deepStrictEqual(ids(withoutTile(before, "a")), ["new-1 new-1"])
    assert.strictEqual(newId(before), "new-2")
  })

  it("have a place of their own when they are new, and a chart in the form of the dialect", () => {
    const full = dashboard([tile("a", { w: 24, h: 3 }), tile("b", { containerId: "k", y: 50 })])
    const { h, series, w, x, y } = newTile(full, "s", "neutral")
    assert.deepStrictEqual([x, y, w, h], [0, 3, 12, 5])
    assert.deepStrictEqual(series as unknown, [
      {
        type: "time",
        displayType: "line",
        sourceId: "s",
        aggFn: "count",
        where: "",
        whereLanguage: "lucene",
        groupBy: []
      }
    ])
    assert.deepStrictEqual(newTile(full, "s", "clickhouse").config as unknown, {
      displayType: "line",
      sourceId: "s",
      select: [{ aggFn: "count", where: "", whereLanguage: "lucene" }]
    })
  })

  it("are sent with whole places, and without the ids of this page", () => {
    const { tiles } = requestOfDraft(dashboard([tile("a", { x: 1.4 }), tile("new-1"), tile("newer", { w: null })]))
    assert.deepStrictEqual(
      (tiles ?? []).map((one) => [Reflect.get(one, "id"), one.x, one.w]),
      [
        ["a", 1, 2],
        [undefined, 0, 2],
        ["newer", 0, 6]
      ]
    )
  })
})

describe("chartOf", () => {
  const stored = dashboard([
    tile("a"),
    tile("b", { config: null, series: [{ type: "markdown", content: "x", alias: null }] })
  ])

  it("is the stored tile, wherever it is moved and however it is called", () => {
    assert.deepStrictEqual(chartOf(stored, tile("a", { x: 5, name: "z" })), { dashboardId: "d", tileId: "a" })
  })

  it("is the chart as it is now, once that has changed", () => {
    const config = { displayType: "bar" }
    assert.deepStrictEqual(chartOf(stored, tile("a", { config })) as unknown, { config })
    assert.deepStrictEqual(chartOf(stored, tile("c", { config })) as unknown, { config })
    assert.deepStrictEqual(
      chartOf(stored, tile("b", { config: null, series: [{ type: "markdown", content: "y" }] })) as unknown,
      {
        config: { displayType: "markdown", markdown: "y" }
      }
    )
  })

  it("is converted from series", () => {
    const count = { type: "time", sourceId: "s", aggFn: "count", field: null }
    const converted = configOf(tile("a", { config: undefined, series: [count, count], asRatio: true }))
    assert.deepInclude(converted, { displayType: "line", sourceId: "s", asRatio: true })
    assert.deepStrictEqual(configOf(tile("a", { config: undefined })), {})
  })
})

describe("changesOf", () => {
  it("says what was changed", () => {
    const before = dashboard([tile("a"), tile("b"), tile("c"), tile("e")], { savedQuery: "x" })
    const after = dashboard(
      [
        tile("a", { name: "A", config: { displayType: "bar", select: [1] } }),
        tile("b", { y: 3 }),
        tile("e", { series: [], config: { displayType: "line", select: [2] } }),
        tile("f")
      ],
      { name: "E", savedQuery: "y", id: "other", updatedAt: "now" }
    )
    assert.deepStrictEqual(changesOf(before, after), [
      "The dashboard is called “E”.",
      "The dashboard has other savedQuery.",
      "The tile “a” is called “A”.",
      "The tile “a” shows something else: displayType.",
      "The tile “b” has another place.",
      "The tile “c” was removed.",
      "The tile “e” shows something else: select, series.",
      "The tile “f” was added."
    ])
    assert.deepStrictEqual(changesOf(before, before), [])
  })
})

describe("mergeOf", () => {
  const base = dashboard([tile("a"), tile("b", { x: 2 }), tile("c", { x: 4 })], { tags: ["x"] })
  const without = (id: string) =>
    dashboard(
      tilesOf(base).filter((one) => one.id !== id),
      { tags: ["x"] }
    )
  const names = (value: Dashboard) => tilesOf(value).map(({ name }) => name)

  it("has the changes of both, where they are of different things", () => {
    const mine = dashboard(
      [
        tile("a", { config: { displayType: "bar", select: [1] } }),
        tile("b", { x: 2 }),
        tile("c", { x: 4 }),
        tile("new-1", { x: 8 })
      ],
      { tags: ["x"] }
    )
    const theirs = dashboard(
      [tile("a", { name: "A", config: { displayType: "line", select: [2] } }), tile("b", { x: 2, y: 7 })],
      { name: "E", tags: ["y"], version: 2 }
    )
    const { conflicts, value } = mergeOf(base, mine, theirs)
    assert.deepStrictEqual(conflicts, [])
    assert.deepStrictEqual(value as unknown, {
      id: "d",
      name: "E",
      tags: ["y"],
      version: 2,
      tiles: [
        { id: "a", name: "A", x: 0, y: 0, w: 2, h: 2, config: { displayType: "bar", select: [2] } },
        { id: "b", name: "b", x: 2, y: 7, w: 2, h: 2, config: { displayType: "line", select: [1] } },
        { id: "new-1", name: "new-1", x: 8, y: 0, w: 2, h: 2, config: { displayType: "line", select: [1] } }
      ]
    })
  })

  it("lets mine count of what both have changed, and names it", () => {
    const mine = dashboard(
      [tile("a", { name: "M", config: { displayType: "bar", select: [1] } }), tile("b", { x: 2 }), tile("c", { x: 4 })],
      { name: "M", tags: ["x"] }
    )
    const theirs = dashboard(
      [tile("a", { name: "T", config: { displayType: "pie", select: [1] } }), tile("b", { x: 2 }), tile("c", { x: 4 })],
      { name: "T", tags: ["x"] }
    )
    const { conflicts, value } = mergeOf(base, mine, theirs)
    assert.deepStrictEqual(conflicts, ["the name", "the tile “T”: name", "the tile “T”: config.displayType"])
    assert.deepStrictEqual([value.name, names(value)], ["M", ["M", "b", "c"]])
    assert.deepStrictEqual(mergeOf(base, mine, mine).conflicts, [])
  })

  it("removes what one has removed, unless the other has changed it", () => {
    assert.deepStrictEqual(names(mergeOf(base, without("a"), without("b")).value), ["c"])
    const changed = dashboard([tile("a", { name: "A" }), tile("b", { x: 2 }), tile("c", { x: 4 })], { tags: ["x"] })
    const mineChanged = mergeOf(base, changed, without("a"))
    assert.deepStrictEqual(
      tilesOf(mineChanged.value).map(({ id }) => String(id)),
      ["b", "c", "new-a"]
    )
    const theirsChanged = mergeOf(base, without("a"), changed)
    assert.deepStrictEqual(
      tilesOf(theirsChanged.value).map(({ id }) => String(id)),
      ["a", "b", "c"]
    )
    for (const { conflicts } of [mineChanged, theirsChanged]) {
      assert.deepStrictEqual(conflicts, ["the tile “A”, which was removed: it stays"])
    }
  })

  it("takes away a field that one has taken away", () => {
    const old = dashboard([], { filters: [1] })
    assert.notProperty(mergeOf(old, dashboard([]), old).value, "filters")
  })
})
