import type { Page } from "playwright-core"

const shapes = ["line", "number", "table", "bar"] as const

/** A dashboard of so many tiles, two in a row. */
export const dashboardOf = (tiles: number) => ({
  id: `tiles-${tiles}`,
  name: `${tiles} tiles`,
  tags: [],
  tiles: Array.from({ length: tiles }, (_, index) => ({
    id: `tile-${index}`,
    name: `Tile ${index + 1}`,
    x: (index % 2) * 12,
    y: Math.floor(index / 2) * 6,
    w: 12,
    h: 6,
    series: [{ type: "time", dataSource: "events", aggFn: "count" }]
  }))
})

const time = { name: "time", type: "DateTime", role: "time" }
const group = { name: "service", type: "String", role: "group" }
const value = { name: "requests", type: "UInt64", role: "value" }
const services = ["cart", "catalog", "checkout", "mail", "search"]

/** The answer to a tile: lines over an hour, a number, a table or bars, by its place. */
const answerOf = (index: number, from: number, to: number) => {
  const displayType = shapes[index % shapes.length] ?? "line"
  const groups = services.map((service, place) => [service, 100 + place])
  const minutes = Array.from({ length: 60 }, (_, minute) => from + minute * 60_000)
  const lines = minutes.flatMap((at, minute) => services.map((service, place) => [at, service, minute * place]))
  const content = {
    line: { columns: [time, group, value], rows: lines, granularitySeconds: 60 },
    number: { columns: [value], rows: [[12_345]] },
    table: { columns: [group, value], rows: groups },
    bar: { columns: [group, value], rows: groups }
  }[displayType]
  const rest = { hiddenSeries: 0, truncated: false, rowsRead: 0, elapsedMs: 0, warnings: [] }
  return { displayType, from, to, ...content, ...rest }
}

/** Answers the charts of a page in the place of a server with a warehouse. */
export const answerCharts = (page: Page): Promise<unknown> =>
  page.route("**/charts/query", (route) => {
    const { from, tile, to } = route.request().postDataJSON()
    return route.fulfill({ json: { data: answerOf(Number(String(tile.tileId).replace("tile-", "")), from, to) } })
  })
