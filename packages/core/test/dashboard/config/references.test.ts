import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  board,
  chart,
  type Fields,
  heatmap,
  line,
  linkedDashboard,
  logs,
  make,
  markdown,
  metrics,
  promqlLabel,
  refusal,
  replace,
  seriesHeatmap,
  seriesOf,
  sessions,
  sourceFilter,
  sqlChart,
  table,
  tile,
  timeSeries,
  traces,
  unknownId
} from "./configDashboards.ts"

const charts = (...configs: ReadonlyArray<Fields>) => board({ tiles: configs.map((config) => tile({ config })) })
const filter = { type: "QUERY_EXPRESSION", name: "Env", expression: "env" }
const container = { id: "k1", title: "One", collapsed: false }
const placed = (fields: Fields) => board({ containers: [container], tiles: [tile({ config: markdown, ...fields })] })
const formulas = [{ expression: "A" }]
const clickTo = (type: string, id: string) => ({ ...table, onClick: { type, target: { mode: "id", id } } })
const otherUnknown = "8".repeat(24)

const refused: ReadonlyArray<readonly [unknown, string]> = [
  [placed({ containerId: "zz" }), 'tiles.0.containerId: Tile references unknown containerId "zz"'],
  [placed({ tabId: "a" }), "tiles.0.tabId: tabId requires containerId to be set"],
  [placed({ containerId: "k1", tabId: "a" }), 'tiles.0.tabId: Tile references unknown tabId "a" in container "k1"'],
  [
    board({ tiles: [tile({ config: line, containerId: "zz" }), tile({ config: line, tabId: "a" })] }),
    'tiles.0.containerId: Tile references unknown containerId "zz"; tiles.1.tabId: tabId requires containerId to be set'
  ],
  [
    { ...charts({ ...line, sourceId: unknownId }, line), filters: [{ ...filter, sourceId: otherUnknown }] },
    `Could not find the following source IDs: ${unknownId}, ${otherUnknown}`
  ],
  [charts({ ...line, sourceId: logs.toUpperCase() }), `Could not find the following source IDs: ${logs.toUpperCase()}`],
  [charts({ ...line, sourceId: "123456789012" }), "Could not find the following source IDs: 123456789012"],
  [seriesOf({ ...timeSeries, sourceId: unknownId }), `Could not find the following source IDs: ${unknownId}`],
  [charts({ ...sqlChart, sourceId: unknownId }), `Could not find the following source IDs: ${unknownId}`],
  [charts({ ...sqlChart, connectionId: unknownId }), `Could not find the following connection IDs: ${unknownId}`],
  [
    charts({ ...sqlChart, sourceId: metrics }),
    `The following source IDs do not match the specified connections: ${metrics}`
  ],
  [
    charts({ ...heatmap, sourceId: logs }),
    `Heatmap tiles require a Trace source. The following source IDs are not Trace sources: ${logs}`
  ],
  [
    charts({ ...line, sourceId: sessions, formulas }),
    `Tiles with formulas require a Metric, Log, or Trace source. The following source IDs are not formula-capable: ${sessions}`
  ],
  [charts(clickTo("dashboard", unknownId)), `Could not find the following onClick dashboard IDs: ${unknownId}`],
  [
    charts(clickTo("search", metrics)),
    `The following onClick search source IDs are not log or trace sources: ${metrics}`
  ],
  [
    board({ filters: [promqlLabel, { ...promqlLabel, name: "Job", sourceId: logs }] }),
    `PROMETHEUS_LABEL filters require a PromQL source. The following source IDs are not PromQL sources: ${logs}`
  ],
  [
    board({ filters: [{ ...sourceFilter, sourceId: unknownId }] }),
    `Could not find the following source IDs: ${unknownId}`
  ],
  // A source that is not there has no kind.
  [
    charts(clickTo("search", metrics), clickTo("search", unknownId)),
    `Could not find the following source IDs: ${unknownId}`
  ],
  // The first check that fails is the only one that is told.
  [
    charts({ ...line, sourceId: unknownId }, { ...sqlChart, connectionId: unknownId }),
    `Could not find the following source IDs: ${unknownId}`
  ],
  [
    board({ tiles: [tile({ config: { ...line, sourceId: unknownId }, containerId: "zz" })] }),
    'tiles.0.containerId: Tile references unknown containerId "zz"'
  ],
  [
    charts({ ...heatmap, sourceId: logs, select: [] }),
    "Body validation failed: tiles.0.config.select: Array must contain exactly 1 element(s)"
  ]
]

const accepted: ReadonlyArray<readonly [string, unknown]> = [
  ["a source of the connection", charts({ ...sqlChart, sourceId: logs })],
  [
    "formulas over metrics, logs and traces",
    charts(...[logs, traces, metrics].map((sourceId) => ({ ...line, sourceId, formulas })))
  ],
  [
    "links to a dashboard, logs and traces",
    charts(clickTo("dashboard", linkedDashboard), clickTo("search", logs), clickTo("search", traces))
  ],
  [
    "sources that a filter applies to are not looked up",
    board({ filters: [{ ...filter, sourceId: logs, appliesToSourceIds: ["x"] }] })
  ],
  ["a heatmap of series of any source", charts(seriesHeatmap, { ...seriesHeatmap, sourceId: metrics })],
  ["the source of a markdown is ignored", chart({ ...markdown, sourceId: unknownId })]
]

describe("the references of a dashboard", () => {
  it.effect.each(refused.map(([body, message]) => [message, body] as const))("%s", ([message, body]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refusal(body), message)
    })
  )

  it.effect.each(accepted)("accepts %s", ([, body]) => Effect.asVoid(make(body)))

  it.effect("does not check the kind of the source of a tile that stays as it is", () =>
    Effect.gen(function* () {
      const stored = yield* make(charts(heatmap, line))
      const onLogs = (fields: Fields) => ({ ...fields, config: { ...Object(fields["config"]), sourceId: logs } })
      const tiles = (stored.tiles ?? []).map(onLogs)
      const old = { ...stored, tiles: (stored.tiles ?? []).map((each, index) => ({ ...each, ...tiles[index] })) }
      assert.deepStrictEqual(yield* replace(old, JSON.parse(JSON.stringify(old))), old)
      const changed = {
        ...old,
        tiles: old.tiles.map((each) => ({ ...each, config: { ...Object(each["config"]), where: "a" } }))
      }
      const { message } = yield* Effect.flip(replace(old, changed))
      assert.match(message, /^Heatmap tiles require a Trace source/)
    })
  )
})
