import { assert, describe, it } from "vitest"
import { CallFailed } from "../../src/data/CallFailed.ts"
import { documentOf, fileNameOf } from "../../src/pages/dashboards/exported.ts"
import { makeQueue } from "../../src/pages/dashboards/queue.ts"
import {
  type Dashboard,
  displayTypeOf,
  filtersOf,
  groupsOf,
  markdownOf,
  nameOf,
  placeOf,
  refusalOf,
  type Tile,
  valuesQuery
} from "../../src/pages/dashboards/tile.ts"
import { tileAdvice } from "../../src/pages/dashboards/tileFailure.ts"

const tile = (about: object): Tile => ({ id: "t", ...about }) as unknown as Tile
const dashboard = (about: object): Dashboard => ({ id: "d", name: "D", ...about }) as unknown as Dashboard

describe("a tile", () => {
  it("has a place inside the grid, also without one", () => {
    assert.deepStrictEqual(placeOf(tile({ x: 20, y: 1.6, w: 8, h: 2 })), { x: 16, y: 2, w: 8, h: 2 })
    assert.deepStrictEqual(placeOf(tile({})), { x: 0, y: 0, w: 6, h: 4 })
  })

  it.each([
    [{ config: { displayType: "pie" } }, "pie"],
    [{ series: [{ type: "time" }] }, "line"],
    [{ series: [{ type: "time", displayType: "stacked_bar" }] }, "stacked_bar"],
    [{ series: [{ type: "table" }] }, "table"],
    [{ config: { displayType: "bar" }, series: [{ type: "number" }] }, "bar"],
    [{ config: null, series: null }, ""]
  ])("%j is drawn as %s", (given, wanted) => assert.strictEqual(displayTypeOf(tile(given)), wanted))

  it("has a text in both forms", () => {
    assert.strictEqual(markdownOf(tile({ config: { displayType: "markdown", markdown: "a" } })), "a")
    assert.strictEqual(markdownOf(tile({ series: [{ type: "markdown", content: "b" }] })), "b")
    assert.strictEqual(markdownOf(tile({ series: [{ type: "markdown" }] })), "")
    assert.isUndefined(markdownOf(tile({ series: [{ type: "number", content: "b" }] })))
  })

  it("has a name", () => {
    assert.deepStrictEqual([nameOf(tile({ name: " " })), nameOf(tile({ name: "a" }))], ["Without a name", "a"])
  })

  it("says why it is not queried", () => {
    const refused = [
      { config: { displayType: "line", configType: "promql" } },
      { config: { displayType: "line", whereLanguage: "promql" } },
      { config: { displayType: "event_patterns" } },
      {}
    ]
    assert.deepStrictEqual(
      refused.map((one) => refusalOf(tile(one))?.split(" ")[0]),
      ["PromQL", "PromQL", "Patterns", "The"]
    )
    assert.isUndefined(refusalOf(tile({ config: { displayType: "line" } })))
  })
})

describe("groupsOf", () => {
  it("has the tiles by container and tab, in the order of the grid", () => {
    const groups = groupsOf(
      dashboard({
        containers: [{ id: "c", title: "C", tabs: [{ id: "1", title: "One" }] }],
        tiles: [
          { id: "a", x: 12, y: 0, w: 1, h: 1 },
          { id: "b", x: 0, y: 0, w: 1, h: 1 },
          { id: "e", x: 0, y: 5, w: 1, h: 1, containerId: "c", tabId: "1" },
          { id: "f", x: 0, y: 5, w: 1, h: 1, containerId: "c" }
        ]
      })
    )
    assert.deepStrictEqual(
      groups.map(({ tiles, title }) => [title, tiles.map(({ id }) => String(id))]),
      [
        [undefined, ["b", "a"]],
        ["C: One", ["e"]],
        ["C", ["f"]]
      ]
    )
    assert.deepStrictEqual(groupsOf(dashboard({})), [])
    const [only, ...others] = groupsOf(
      dashboard({ tiles: [{ id: "a", containerId: null }, { id: "b" }, { id: "c", containerId: undefined }] })
    )
    assert.deepStrictEqual([only?.key, only?.tiles.length, others], ["", 3, []])
  })
})

describe("filtersOf", () => {
  it("reads what filters offer", () => {
    const filters = filtersOf(
      dashboard({
        filters: [
          { id: "1", name: "A", type: "STATIC_LIST", options: ["x"], maxSelections: 1 },
          { id: "2", name: "", type: "QUERY_EXPRESSION", expression: "service", sourceId: "s" },
          { name: "without an id" }
        ]
      })
    )
    assert.deepStrictEqual(filters, [
      { id: "1", name: "A", options: ["x"], expression: undefined, isSingle: true },
      { id: "2", name: "2", options: undefined, expression: { of: "service", sourceId: "s" }, isSingle: false }
    ])
    const [, second] = filters
    if (second === undefined) assert.fail("there is no second filter")
    assert.deepStrictEqual(valuesQuery(second, 1, 2), {
      tile: {
        config: { displayType: "bar", sourceId: "s", select: [{ aggFn: "count" }], groupBy: "service", limit: 100 }
      },
      from: 1,
      to: 2
    } as never)
  })
})

describe("documentOf", () => {
  it("leaves out what the service sets, and nothing else", () => {
    const document = documentOf(
      dashboard({
        createdAt: "x",
        updatedAt: "y",
        savedQuery: null,
        other: { id: "kept", gone: null },
        tiles: [{ id: "t", name: "T", config: { displayType: "line", where: null } }],
        filters: [{ id: "f", name: "F" }]
      })
    )
    assert.deepStrictEqual(document, {
      name: "D",
      tiles: [{ name: "T", config: { displayType: "line" } }],
      tags: [],
      filters: [{ name: "F" }],
      other: { id: "kept" }
    })
  })

  it("has a file name that export gives", () => {
    assert.strictEqual(fileNameOf({ name: "Shöp / Über 2" }), "sho-p-u-ber-2.dashboard.json")
    assert.strictEqual(fileNameOf({ name: "日本" }), "dashboard.dashboard.json")
    assert.strictEqual(fileNameOf({ name: "a".repeat(100) }), `${"a".repeat(80)}.dashboard.json`)
  })
})

describe("makeQueue", () => {
  const deferred = () => {
    let end: (value: string) => void = () => {}
    const promise = new Promise<string>((resolve) => (end = resolve))
    return { promise, end }
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  const { signal } = new AbortController()

  it("runs so many at once, in their order", async () => {
    const queue = makeQueue(2)
    const tasks = [deferred(), deferred(), deferred()]
    const started: Array<number> = []
    const all = tasks.map(({ promise }, index) => queue.run(() => (started.push(index), promise), signal))
    await settle()
    assert.deepStrictEqual(started, [0, 1])
    tasks[1]?.end("b")
    await settle()
    assert.deepStrictEqual(started, [0, 1, 2])
    tasks[0]?.end("a")
    tasks[2]?.end("c")
    assert.deepStrictEqual(await Promise.all(all), ["a", "b", "c"])
  })

  it("goes on after a task that fails", async () => {
    const queue = makeQueue(1)
    const failed = queue.run(() => Promise.reject(new Error("no")), signal).catch((error: Error) => error.message)
    assert.deepStrictEqual(await Promise.all([failed, queue.run(() => Promise.resolve("next"), signal)]), [
      "no",
      "next"
    ])
  })

  it("does not run what was aborted before its turn", async () => {
    const queue = makeQueue(1)
    const first = deferred()
    const controller = new AbortController()
    const running = queue.run(() => first.promise, signal)
    let isRun = false
    const waiting = queue.run(() => Promise.resolve((isRun = true)), controller.signal).catch(() => "aborted")
    const last = queue.run(() => Promise.resolve("last"), signal)
    controller.abort()
    assert.strictEqual(await waiting, "aborted")
    first.end("a")
    assert.deepStrictEqual([await running, await last, isRun], ["a", "last", false])
    assert.strictEqual(await queue.run(() => Promise.resolve("x"), controller.signal).catch(() => "aborted"), "aborted")
  })
})

describe("tileAdvice", () => {
  const advice = (status?: number, retryAfter?: number) => tileAdvice(new CallFailed("no", { status, retryAfter }))

  it("says when a busy server is asked again", () => {
    assert.include(advice(503, 1500), "by itself in 2 s")
    assert.include(advice(503, 1), "in 1 s")
    assert.include(advice(503), "by itself.")
  })

  it("says something else for each reason", () => {
    const statuses = [424, 403, 400, 404, 401, 429, 500]
    const texts = statuses.map((status) => advice(status))
    assert.strictEqual(new Set(texts).size, statuses.length)
    assert.strictEqual(advice(undefined), advice(429))
    assert.include(advice(424), "need no charts")
  })
})
