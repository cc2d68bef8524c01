import { assert, describe, it } from "vitest"
import { filterField, readView, refreshes, requestOf, usualRefresh, viewText } from "../../src/pages/dashboards/view.ts"
import type { ZonedRange } from "../../src/parts/timeRange/timeRange.ts"

const hour: ZonedRange = { range: { kind: "relative", length: "1h" }, zone: "Europe/Berlin" }
const fixed: ZonedRange = { range: { kind: "absolute", from: 10.4, to: 20.6 }, zone: "UTC" }
const tile = { dashboardId: "d", tileId: "t" }
const read = (query: string, zoned = hour) => readView(new URLSearchParams(query), zoned)

describe("readView", () => {
  it("has nothing of an empty link, and is asked for again only if the range moves", () => {
    const wanted = { where: "", whereLanguage: "lucene", isCompared: false, chosen: {} }
    assert.deepStrictEqual(read(""), { ...wanted, refresh: "30" } as never)
    assert.deepStrictEqual(read("", fixed), { ...wanted, refresh: "off" } as never)
    assert.deepStrictEqual([usualRefresh(hour), usualRefresh(fixed)], ["30", "off"])
  })

  it("has what a link says", () => {
    const query = new URLSearchParams({ where: "a:1", language: "sql", compare: "on", refresh: "5", range: "6h" })
    query.set("filter.f1", '["a","","NULL"]')
    assert.deepStrictEqual(readView(query, hour), {
      where: "a:1",
      whereLanguage: "sql",
      isCompared: true,
      refresh: "5",
      chosen: { f1: ["a", "", "NULL"] }
    })
  })

  it.each([
    "filter.f=a",
    "filter.f=%5B%5D",
    "filter.f=%5B1%5D",
    "filter.f=%7B%7D",
    "compare=yes",
    "refresh=7",
    "language=promql"
  ])("leaves out %s", (query) => assert.deepStrictEqual(read(query), read("")))

  it("reads the field of a filter that it writes, and removes it with its last value", () => {
    assert.deepStrictEqual(filterField("f", []), { "filter.f": "" })
    const [[name = "", text = ""] = []] = Object.entries(filterField("f", ["ä", '"']))
    assert.deepStrictEqual(readView(new URLSearchParams([[name, text]]), hour).chosen, { f: ["ä", '"'] })
  })
})

describe("refreshes", () => {
  it("are milliseconds", () => {
    assert.deepStrictEqual(
      [...refreshes],
      [
        ["off", undefined],
        ["5", 5000],
        ["10", 10_000],
        ["30", 30_000],
        ["60", 60_000]
      ]
    )
  })
})

describe("requestOf", () => {
  it("asks for a range that ends with these five seconds, or for whole milliseconds, by the zone", () => {
    assert.deepStrictEqual(requestOf(tile, read(""), hour, 3_995_000.7, []), {
      tile,
      from: 400_000,
      to: 4_000_000,
      timezone: "Europe/Berlin"
    })
    const { from, to } = requestOf(tile, read(""), fixed, 4_001_000, [])
    assert.deepStrictEqual([from, to], [10, 21])
  })

  it("has the condition, the comparison, and the chosen values of filters that the dashboard has", () => {
    const view = { ...read("where=a&language=sql&compare=on"), chosen: { f1: ["x"], gone: ["y"] } }
    const request = requestOf(tile, view, fixed, 0, ["f1", "f2"])
    assert.deepStrictEqual(request, {
      tile,
      from: 10,
      to: 21,
      timezone: "UTC",
      filters: [{ filterId: "f1", in: ["x"] }],
      where: "a",
      whereLanguage: "sql",
      previousPeriod: true
    })
    assert.notProperty(requestOf(tile, { ...view, where: "  " }, fixed, 0, []), "where")
  })
})

describe("two viewers of one dashboard", () => {
  it("ask the same within five seconds, up to a time that is not before now", () => {
    const at = (now: number) => requestOf(tile, read(""), hour, now, [])
    assert.deepStrictEqual(at(4_000_001), at(4_005_000))
    assert.notDeepEqual(at(4_005_000), at(4_005_001))
    assert.strictEqual(at(4_000_001).to, 4_005_000)
  })
})

describe("viewText", () => {
  it("says the range, the filters that there are, and the condition", () => {
    const name = (id: string) => (id === "f" ? "Service" : undefined)
    const view = { ...read(""), chosen: { f: ["a", "b"], gone: ["c"] } }
    const text = (where: string) => viewText({ ...view, where }, hour, 4_000_000, name, String)
    assert.strictEqual(text("x:1"), "400000 to 4000000 (Europe/Berlin); Service: a, b; where x:1")
    assert.strictEqual(text(" "), "400000 to 4000000 (Europe/Berlin); Service: a, b")
  })
})
