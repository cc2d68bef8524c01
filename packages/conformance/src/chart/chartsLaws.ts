import { assert, layer } from "@effect/vitest"
import { ChartData, ChartQuery, Charts, ConnectionId, type Snapshot } from "@headgate/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureConnections } from "../fixtures/sources.ts"
import { failsWith } from "../internal/failsWith.ts"
import type { LawTables } from "./ChartLawsOptions.ts"
import { lawSnapshot, lawSources } from "./chartSources.ts"
import { gaugeTable, mixedTable, sumTable } from "./chartTables.ts"
import { comparedCharts } from "./comparedCharts.ts"
import { difference } from "./sameAnswer.ts"
import { smallTable } from "./smallTable.ts"
import { writtenCharts, writtenSearch, writtenSeries } from "./writtenCharts.ts"

/** The charts of the laws: the parameter of {@link chartsLaws}. */
export interface ChartsLawsOptions {
  /** The name of the adapter in the report. */
  readonly name: string
  /**
   * The charts of the organization acme over a store that holds this snapshot, and over a database that holds these tables. The
   * database is the one that is read without a name. It is called once.
   */
  readonly layer: (tables: LawTables, snapshot: Snapshot) => Layer.Layer<Charts, unknown>
  /** Another adapter, whose answers are expected. Absent: only the expectations that were written by hand are tested. */
  readonly expected?: (tables: LawTables, snapshot: Snapshot) => Layer.Layer<Charts, unknown>
}

const tables: LawTables = {
  organizationId: fixtureIds.organizations.acme,
  connectionId: ConnectionId.make(fixtureConnections.acme[0].id),
  tables: [smallTable, mixedTable, gaugeTable, sumTable]
}

const decodeQuery = Schema.decodeUnknownEffect(ChartQuery)

const [from, to] = [Date.UTC(2026, 9, 24, 20), Date.UTC(2026, 9, 25, 6)]

/** What is compared of an answer: all but what tells how it was made. */
const shown = ({ elapsedMs: _elapsed, rowsRead: _read, ...data }: ChartData) => data

const dataOf = (charts: Charts["Service"], config: unknown) =>
  Effect.flatMap(
    decodeQuery({ tile: { config }, from, to, granularity: "30m", timezone: "Europe/Berlin" }),
    charts.query
  ).pipe(
    Effect.map(shown),
    Effect.catch((error) => Effect.succeed(`${error._tag}: ${error.message}`))
  )

const writtenLaws = (name: string, layerOf: Layer.Layer<Charts, unknown>): void =>
  layer(layerOf)(`${name}: laws of Charts, by hand`, (it) => {
    for (const { config, request, rows, title } of writtenCharts) {
      it.effect(title, () =>
        Effect.gen(function* () {
          const charts = yield* Charts
          const data = yield* charts.query(yield* decodeQuery({ tile: { config }, ...request }))
          assert.isUndefined(difference(data.rows, rows))
        })
      )
    }

    it.effect("series have the form of today's service", () =>
      Effect.gen(function* () {
        const rows = yield* (yield* Charts).series(writtenSeries.request)
        assert.sameDeepMembers([...rows], writtenSeries.rows)
      })
    )

    it.effect("found rows have the form of today's service", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual<unknown>(yield* (yield* Charts).search(writtenSearch.request), writtenSearch.answer)
      })
    )

    it.effect("what is not there is a 404 error, and a wrong expression names its field", () =>
      Effect.gen(function* () {
        const charts = yield* Charts
        const ask = (config: object) =>
          Effect.flatMap(Effect.orDie(decodeQuery({ tile: { config }, from, to })), charts.query)
        const chart = { displayType: "number", select: [{ aggFn: "count" }] }
        yield* failsWith(ask({ ...chart, sourceId: lawSources.missing }), "ChartNotFound")
        yield* failsWith(ask({ ...chart, sourceId: "5000000000000000000000ff" }), "ChartNotFound")
        const select = [{ aggFn: "sum", valueExpression: "Nothing" }]
        const error = yield* failsWith(ask({ ...chart, sourceId: lawSources.small, select }), "InvalidRequest")
        assert.deepStrictEqual(
          error.issues.map(({ path }) => path),
          ["tile.config.select.0.valueExpression"]
        )
      })
    )
  })

class Expected extends Context.Service<Expected, Charts["Service"]>()("@headgate/conformance/chart/ExpectedCharts") {}

const comparedLaws = (name: string, layerOf: Layer.Layer<Charts | Expected, unknown>): void =>
  layer(layerOf)(`${name}: laws of Charts, as another adapter answers`, (it) => {
    for (const [title, configs] of Object.entries(comparedCharts)) {
      it.effect(`${title} (${configs.length})`, () =>
        Effect.gen(function* () {
          const [charts, expected] = [yield* Charts, yield* Expected]
          const answers = yield* Effect.forEach(configs, (config) => dataOf(expected, config))
          // A law over what no adapter answers says nothing.
          assert.deepStrictEqual(
            answers.filter((answer) => typeof answer === "string"),
            []
          )
          const differences = yield* Effect.forEach(configs, (config, index) =>
            Effect.map(dataOf(charts, config), (answer) => {
              const found = difference([answer], [answers[index]])
              return found === undefined ? undefined : `${JSON.stringify(config)}: ${found.slice(0, 2000)}`
            })
          )
          const wrong = differences.filter((text) => text !== undefined)
          assert.isTrue(wrong.length === 0, `${wrong.length} of ${configs.length}:\n${wrong.slice(0, 5).join("\n")}`)
        })
      )
    }
  })

/**
 * The laws of the `Charts` port: charts have the data that was written by hand; with `expected`, also that of another adapter, for each
 * display type with each aggregate function, with and without conditions and groups, and for metrics.
 *
 * @example
 * ```ts
 * import { chartsLaws } from "@headgate/conformance"
 * import { MemoryAdapter } from "@headgate/memory-adapter"
 *
 * export const laws = () =>
 *   chartsLaws({
 *     name: "memory",
 *     layer: ({ tables, ...rest }, snapshot) => {
 *       const database = { ...rest, tables: Object.fromEntries(tables.map((table) => [table.name, table])) }
 *       return MemoryAdapter.layer({ snapshot, organizationId: rest.organizationId, chartTables: [database] })
 *     }
 *   })
 * ```
 */
export const chartsLaws = ({ expected, layer: make, name }: ChartsLawsOptions): void => {
  const made = (of: ChartsLawsOptions["layer"]) =>
    Layer.unwrap(Effect.map(lawSnapshot, (snapshot) => of(tables, snapshot)))
  const tested = made(make)
  writtenLaws(name, tested)
  if (expected === undefined) return
  const other = Layer.effect(
    Expected,
    Charts.useSync((charts) => charts)
  ).pipe(Layer.provide(made(expected)))
  comparedLaws(name, Layer.merge(tested, other))
}
