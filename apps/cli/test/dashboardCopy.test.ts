import { assert, describe, it } from "vitest"
import { service } from "./Service.ts"
import { everything, headgate } from "./headgate.ts"

const api = service()

const place = { x: 0, y: 0, w: 12, h: 4 }

/** As the seed-era service answers: it names the fields of its store, not those of a request. */
const seedEra = {
  id: "65f5e4a3b9e77c001a567890",
  name: "Errors",
  tags: ["ops"],
  tiles: [
    {
      id: "t1",
      ...place,
      name: "Rate",
      seriesReturnType: "ratio",
      series: [
        { type: "time", table: "metrics", aggFn: "sum", where: "", groupBy: [] },
        { type: "time", table: "logs", aggFn: "count", where: "level:error", groupBy: [] }
      ]
    },
    { id: "t2", ...place, name: "Count", seriesReturnType: "column", series: [{ type: "number", aggFn: "count" }] }
  ]
}

/** As today's service answers. */
const today = {
  id: "65f5e4a3b9e77c001a567891",
  name: "Latency",
  tags: [],
  tiles: [
    { id: "t3", ...place, name: "p95", config: { displayType: "markdown", markdown: "x" }, containerId: "k1" },
    // A tile of a series as a request names its fields.
    { id: "t4", ...place, asRatio: true, series: [{ type: "time", dataSource: "metrics", table: "logs" }] }
  ],
  filters: [{ id: "f1", type: "QUERY_EXPRESSION", name: "Env", expression: "env", sourceId: "s1" }],
  containers: [{ id: "k1", title: "All", collapsed: false }],
  savedQuery: null,
  savedQueryLanguage: null,
  savedFilterValues: []
}

const respondLikeTheService = () =>
  api.respondWith(({ body, method, path }) => {
    if (method !== "POST") {
      const found = [seedEra, today].find(({ id }) => path.endsWith(`/${id}`))
      // As the service answers.
      return found === undefined ? { status: 404, body: "Not Found" } : { status: 200, body: { data: found } }
    }
    const { tiles, ...request } = JSON.parse(body)
    return {
      status: 200,
      body: { data: { ...request, id: "d9", tiles: tiles.map((tile: object) => ({ ...tile, id: "t9" })) } }
    }
  })

const copy = async (...args: ReadonlyArray<string>) => {
  respondLikeTheService()
  const run = await headgate(["dashboard", "copy", ...args], { env: everything(api.url) })
  return { ...run, sent: JSON.parse(api.received.find(({ method }) => method === "POST")?.body ?? "null") }
}

describe("headgate dashboard copy", () => {
  it("maps the names of a seed-era answer to those of a request, without ids", async () => {
    const { exitCode, sent, stderr, stdout } = await copy(seedEra.id)
    assert.deepStrictEqual([exitCode, stderr], [0, ""])
    assert.match(stdout, /^id +d9$/m)
    assert.deepStrictEqual(sent, {
      name: "Errors (copy)",
      tags: ["ops"],
      tiles: [
        {
          ...place,
          name: "Rate",
          // The service ignores the names of its store.
          seriesReturnType: "ratio",
          asRatio: true,
          series: [
            { type: "time", table: "metrics", dataSource: "metrics", aggFn: "sum", where: "", groupBy: [] },
            { type: "time", table: "logs", dataSource: "events", aggFn: "count", where: "level:error", groupBy: [] }
          ]
        },
        {
          ...place,
          name: "Count",
          seriesReturnType: "column",
          asRatio: false,
          series: [{ type: "number", aggFn: "count" }]
        }
      ]
    })
  })

  it("copies the tiles, filters and containers of today's service, without the ids that it refuses", async () => {
    const { exitCode, sent } = await copy(today.id, "--name", "Latency 2", "--json")
    assert.strictEqual(exitCode, 0)
    assert.deepStrictEqual(sent, {
      name: "Latency 2",
      tags: [],
      tiles: [
        { ...place, name: "p95", config: { displayType: "markdown", markdown: "x" }, containerId: "k1" },
        { ...place, asRatio: true, series: [{ type: "time", dataSource: "metrics", table: "logs" }] }
      ],
      filters: [{ type: "QUERY_EXPRESSION", name: "Env", expression: "env", sourceId: "s1" }],
      containers: [{ id: "k1", title: "All", collapsed: false }],
      savedFilterValues: []
    })
  })

  it("ends with 5 if there is no such dashboard, and creates nothing", async () => {
    const { exitCode, sent, stderr } = await copy("65f5e4a3b9e77c001a567899", "--json")
    assert.deepStrictEqual([exitCode, sent], [5, null])
    const { error } = JSON.parse(stderr)
    assert.strictEqual(error.tag, "DashboardNotFound")
    assert.include(error.message, "no dashboard 65f5e4a3b9e77c001a567899")
  })

  it("names the fields of a dashboard that cannot be sent", async () => {
    api.respondWith({
      status: 200,
      body: { data: { id: "65f5e4a3b9e77c001a567890", name: "x", tiles: [{ id: "t", ...place, w: null }] } }
    })
    const run = await headgate(["dashboard", "copy", "65f5e4a3b9e77c001a567890"], { env: everything(api.url) })
    assert.strictEqual(run.exitCode, 2)
    assert.include(run.stderr, "Dashboard 65f5e4a3b9e77c001a567890 cannot be copied: tiles[0].w: Expected")
  })
})
