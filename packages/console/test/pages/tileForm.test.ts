import { assert, describe, it } from "vitest"
import type { Tile } from "../../src/pages/dashboards/tile.ts"
import {
  chartJson,
  displayTypes,
  formOf,
  hasGroups,
  hasOneValue,
  hasValues,
  listOf,
  newValue,
  typesFor,
  withChartJson,
  withForm
} from "../../src/pages/dashboards/tileForm.ts"

const tile = (about: object): Tile => ({ id: "t", name: "T", ...about }) as unknown as Tile
const p95 = {
  aggFn: "quantile",
  level: 0.95,
  valueExpression: "ms",
  alias: "p95",
  where: "a",
  whereLanguage: "sql",
  numberFormat: { output: "number" }
}
const line = tile({
  config: {
    displayType: "line",
    sourceId: "s",
    select: [p95],
    groupBy: "service",
    numberFormat: { output: "byte" },
    fillNulls: false
  }
})
const series = tile({
  asRatio: false,
  series: [
    {
      type: "time",
      displayType: "line",
      sourceId: "s",
      aggFn: "avg",
      field: "ms",
      where: "",
      whereLanguage: "sql",
      groupBy: ["a", "f(b, c)"],
      color: "kept"
    }
  ]
})

describe("formOf", () => {
  it("has the fields of a config", () => {
    assert.deepStrictEqual(formOf(line), {
      name: "T",
      displayType: "line",
      sourceId: "s",
      values: [{ aggFn: "quantile", expression: "ms", level: "0.95", alias: "p95", where: "a", whereLanguage: "sql" }],
      groupBy: "service",
      columns: "",
      where: "",
      whereLanguage: "lucene",
      markdown: ""
    })
  })

  it("has the same fields of series", () => {
    const form = formOf(series)
    assert.deepStrictEqual([form.displayType, form.sourceId, form.groupBy], ["line", "s", "a,f(b, c)"])
    assert.deepStrictEqual(form.values, [{ ...newValue, aggFn: "avg", expression: "ms", whereLanguage: "sql" }])
    const rows = formOf(
      tile({ series: [{ type: "search", sourceId: "s", fields: ["a", "b"], where: "x", whereLanguage: "sql" }] })
    )
    assert.deepStrictEqual(
      [rows.columns, rows.where, rows.whereLanguage, rows.values],
      ["a, b", "x", "sql", [newValue]]
    )
    assert.strictEqual(formOf(tile({ series: [{ type: "markdown", content: "# a" }] })).markdown, "# a")
  })

  it("has a count of a tile without a chart", () => {
    assert.deepStrictEqual([formOf(tile({})).values, formOf(tile({})).displayType], [[newValue], ""])
  })
})

describe("withForm", () => {
  it("changes nothing of a tile whose form was not changed", () => {
    assert.deepStrictEqual(withForm(line, formOf(line)), line)
    assert.deepStrictEqual(withForm(series, formOf(series)), series)
    const rows = tile({
      config: { displayType: "search", sourceId: "s", select: "a", where: "x", whereLanguage: "sql" }
    })
    assert.deepStrictEqual(withForm(rows, formOf(rows)), rows)
    for (const text of [
      tile({ config: { displayType: "markdown", markdown: "a" } }),
      tile({ series: [{ type: "markdown", content: "a" }] })
    ]) {
      assert.deepStrictEqual(withForm(text, formOf(text)), text)
    }
  })

  it("keeps what it does not know, and leaves out what a display type does not have", () => {
    const number = withForm(line, { ...formOf(line), displayType: "number", name: "N" })
    assert.deepStrictEqual(number as unknown, {
      id: "t",
      name: "N",
      config: {
        displayType: "number",
        sourceId: "s",
        select: [p95],
        numberFormat: { output: "byte" },
        fillNulls: false
      }
    })
    const heat = withForm(line, { ...formOf(line), displayType: "heatmap" }).config as unknown
    assert.include(heat as object, { heatmapMode: "series", groupBy: "service" })
    const text = withForm(line, { ...formOf(line), displayType: "markdown", markdown: "x" })
    assert.deepStrictEqual(text.config as unknown, { displayType: "markdown", markdown: "x" })
    assert.notProperty(withForm(line, { ...formOf(line), groupBy: " " }).config, "groupBy")
  })

  it("has an expression and a level only where they count, and one value where one is drawn", () => {
    const [first = newValue] = formOf(line).values
    const two = {
      ...formOf(line),
      values: [
        { ...first, aggFn: "count" },
        { ...first, aggFn: "sum", alias: "" }
      ]
    }
    assert.deepStrictEqual(Reflect.get(withForm(line, two).config as object, "select"), [
      { aggFn: "count", alias: "p95", where: "a", whereLanguage: "sql", numberFormat: { output: "number" } },
      { aggFn: "sum", where: "a", whereLanguage: "sql", valueExpression: "ms" }
    ])
    const pie = withForm(line, { ...two, displayType: "pie" }).config as object
    assert.lengthOf(Reflect.get(pie, "select") as [], 1)
  })

  it("writes series of a tile that has them, as long as they have the display type", () => {
    const form = formOf(series)
    const bars = withForm(series, {
      ...form,
      displayType: "stacked_bar",
      values: [...form.values, newValue],
      groupBy: "x, y"
    })
    assert.deepStrictEqual(bars.series as unknown, [
      {
        type: "time",
        displayType: "stacked_bar",
        sourceId: "s",
        aggFn: "avg",
        field: "ms",
        where: "",
        whereLanguage: "sql",
        groupBy: ["x", "y"],
        color: "kept"
      },
      {
        type: "time",
        displayType: "stacked_bar",
        sourceId: "s",
        aggFn: "count",
        where: "",
        whereLanguage: "lucene",
        groupBy: ["x", "y"]
      }
    ])
    const number = withForm(series, { ...form, displayType: "number" })
    assert.deepStrictEqual(number.series as unknown, [
      { type: "number", sourceId: "s", aggFn: "avg", field: "ms", where: "", whereLanguage: "sql", color: "kept" }
    ])
    const rows = withForm(series, { ...form, displayType: "search", columns: "a, b", where: "c", whereLanguage: "sql" })
    assert.deepStrictEqual(rows.series as unknown, [
      { type: "search", sourceId: "s", fields: ["a", "b"], where: "c", whereLanguage: "sql" }
    ])
    const pie = withForm(series, { ...form, displayType: "pie" })
    assert.deepStrictEqual([pie.series, pie.asRatio], [undefined, undefined])
    assert.include(pie.config as object, { displayType: "pie", sourceId: "s", groupBy: "a,f(b, c)" })
  })
})

describe("typesFor", () => {
  it("offers what the form of the tile has in the dialect", () => {
    assert.deepStrictEqual(typesFor(line, "neutral"), [...displayTypes.keys()])
    assert.deepStrictEqual(typesFor(series, "clickhouse"), [...displayTypes.keys()])
    assert.deepStrictEqual(typesFor(series, "neutral"), [
      "line",
      "stacked_bar",
      "stacked_line",
      "number",
      "table",
      "search",
      "markdown"
    ])
  })

  it("offers all for a tile with a config, and for one without a chart", () => {
    const both = { ...line, series: [{ type: "number" }] } as unknown as Tile
    for (const one of [both, tile({}), tile({ config: null })]) {
      assert.deepStrictEqual(typesFor(one, "neutral"), [...displayTypes.keys()])
    }
  })

  it("knows what a display type has", () => {
    const types = [...displayTypes.keys()]
    assert.deepStrictEqual(
      types.filter((type) => !hasGroups(type)),
      ["number", "search", "markdown"]
    )
    assert.deepStrictEqual(
      types.filter((type) => !hasValues(type)),
      ["search", "markdown"]
    )
    assert.deepStrictEqual(types.filter(hasOneValue), ["bar", "pie", "heatmap"])
  })
})

describe("listOf", () => {
  it.each([
    ["", []],
    [" a , b,", ["a", "b"]],
    ["f(a, b), c[1, 2], {d, e}", ["f(a, b)", "c[1, 2]", "{d, e}"]],
    ["'a, (b', \"c, d\", `e, f`", ["'a, (b'", '"c, d"', "`e, f`"]],
    ["a)(, b", ["a)(", "b"]]
  ])("%j", (text, wanted) => assert.deepStrictEqual(listOf(text), wanted))
})

describe("the chart as JSON", () => {
  it("is read again as it was written", () => {
    assert.deepStrictEqual(withChartJson(line, chartJson(line)), { tile: line })
    assert.deepStrictEqual(withChartJson(series, chartJson(series)), { tile: series })
    assert.strictEqual(chartJson(tile({})), "{}")
  })

  it("changes the form of a tile with its JSON", () => {
    assert.deepStrictEqual(withChartJson(series, '{"a":1}') as unknown, {
      tile: { id: "t", name: "T", config: { a: 1 } }
    })
    assert.deepStrictEqual(withChartJson(line, "[]") as unknown, { tile: { id: "t", name: "T", series: [] } })
  })

  it.each(["{", "1", "null", '"a"'])("says why %s is none", (text) => {
    assert.property(withChartJson(line, text), "error")
  })
})
