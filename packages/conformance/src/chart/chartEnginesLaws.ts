import { assert, layer } from "@effect/vitest"
import { ConnectionId } from "@headgate/core"
import {
  type ChartEngine,
  ChartEngines,
  type ChartTable,
  type QueryAnswer,
  type TableQuery
} from "@headgate/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fixtureIds } from "../fixtures/ids.ts"
import { failsWith } from "../internal/failsWith.ts"
import type { ChartLawsOptions, LawTables } from "./ChartLawsOptions.ts"
import { mixedTable } from "./chartTables.ts"
import { comparedAggregates, comparedExpressions, refusedExpressions } from "./comparedExpressions.ts"
import { comparedQueries, memberQueries } from "./comparedQueries.ts"
import { groupedQuery, rowsQuery } from "./readQuery.ts"
import { difference } from "./sameAnswer.ts"
import { smallTable } from "./smallTable.ts"
import { writtenAggregates, writtenExpressions, writtenGroups, writtenRows } from "./writtenCases.ts"

const { acme, globex } = fixtureIds.organizations
const connectionId = ConnectionId.make("c0000000000000000000000a")
const tables: LawTables = { organizationId: acme, connectionId, tables: [smallTable, mixedTable] }

/** An engine, and its tables of the laws. */
interface Opened {
  readonly engine: ChartEngine
  readonly small: ChartTable
  readonly mixed: ChartTable
}

const open = Effect.gen(function* () {
  const engine = yield* (yield* ChartEngines).ofConnection(acme, connectionId)
  if (engine === undefined) return yield* Effect.die("the adapter has no connection of the laws")
  const [small, mixed] = [yield* engine.findTable(undefined, "small"), yield* engine.findTable(undefined, "mixed")]
  if (small === undefined || mixed === undefined) return yield* Effect.die("the adapter has no table of the laws")
  return { engine, small, mixed }
})

class Tested extends Context.Service<Tested, Opened>()("@headgate/conformance/chart/Tested") {}
class Expected extends Context.Service<Expected, Opened>()("@headgate/conformance/chart/Expected") {}

/** All differences in one message, because one fault of an engine makes many. */
const assertNone = (differences: ReadonlyArray<string | undefined>) => {
  const found = differences.filter((text) => text !== undefined)
  assert.isTrue(found.length === 0, `${found.length} of ${differences.length}:\n${found.slice(0, 20).join("\n")}`)
}

const answerOf = (query: TableQuery, { engine }: Opened) =>
  engine.query(query).pipe(
    Effect.map((answer): QueryAnswer | string => answer),
    Effect.catch((error) => Effect.succeed(`${error._tag}: ${error.message}`))
  )

/** What tells an answer from the expected rows; `undefined` if nothing does. */
const differenceOf = (title: string, answer: QueryAnswer | string, rows: QueryAnswer["rows"], groups?: number) => {
  if (typeof answer === "string") return `${title}: ${answer}`
  const found = difference(answer.rows, rows)
  if (found !== undefined) return `${title}: ${found}`
  return groups === answer.groups ? undefined : `${title}: expected ${groups} groups, found ${answer.groups}`
}

const writtenLaws = (name: string, TestedLayer: Layer.Layer<Tested, unknown>): void =>
  layer(TestedLayer)(`${name}: laws of ChartEngines, by hand`, (it) => {
    it.effect(`${writtenExpressions.length} expressions`, () =>
      Effect.gen(function* () {
        const opened = yield* Tested
        const differences = yield* Effect.forEach(writtenExpressions, ([text, values]) =>
          Effect.map(answerOf(rowsQuery(opened.small, { columns: { value: text } }), opened), (answer) =>
            differenceOf(
              text,
              answer,
              values.map((value) => [value])
            )
          )
        )
        assertNone(differences)
      })
    )

    it.effect(`${writtenAggregates.length} aggregates`, () =>
      Effect.gen(function* () {
        const opened = yield* Tested
        const differences = yield* Effect.forEach(writtenAggregates, ([text, value]) =>
          Effect.map(answerOf(groupedQuery(opened.small, { values: { value: text } }), opened), (answer) =>
            differenceOf(text, answer, [[value]])
          )
        )
        assertNone(differences)
      })
    )

    for (const { count, rows, title, ...text } of writtenGroups) {
      it.effect(title, () =>
        Effect.gen(function* () {
          const opened = yield* Tested
          const answer = yield* answerOf(groupedQuery(opened.small, text), opened)
          assert.isUndefined(differenceOf(title, answer, rows, count))
        })
      )
    }

    for (const { rows, title, ...text } of writtenRows) {
      it.effect(title, () =>
        Effect.gen(function* () {
          const opened = yield* Tested
          assert.isUndefined(differenceOf(title, yield* answerOf(rowsQuery(opened.small, text), opened), rows))
        })
      )
    }

    it.effect("a query of groups reads the groups of another query", () =>
      Effect.gen(function* () {
        const opened = yield* Tested
        const inner = groupedQuery(opened.small, {
          groups: { g: "Service" },
          values: { n: "count()", s: "sum(Status)" }
        })
        const outer = groupedQuery(inner, { groups: { n: "n" }, values: { s: "sum(s)", g: "count()" } })
        assert.isUndefined(
          differenceOf("nested", yield* answerOf(outer, opened), [
            ["1", "200", "1"],
            ["2", "1304", "2"]
          ])
        )
      })
    )

    it.effect("columns have the names of the query and the types of the engine", () =>
      Effect.gen(function* () {
        const { engine, small } = yield* Tested
        const answer = yield* engine.query(
          rowsQuery(small, { columns: { a: "Service", b: "Bytes", c: "Ms", d: "Status > 1" } })
        )
        assert.deepStrictEqual(answer.columns, [
          { name: "a", type: "LowCardinality(String)" },
          { name: "b", type: "UInt64" },
          { name: "c", type: "Nullable(Float64)" },
          { name: "d", type: "UInt8" }
        ])
      })
    )

    it.effect("a table that is not there is not found", () =>
      Effect.gen(function* () {
        const { engine, small } = yield* Tested
        assert.isUndefined(yield* engine.findTable(undefined, "none"))
        assert.isUndefined(yield* engine.findTable("none", "small"))
        assert.deepStrictEqual(yield* engine.findTable(small.database, "small"), small)
        assert.deepStrictEqual(Array.from(small.columns.keys()), Object.keys(smallTable.columns))
      })
    )

    it.effect("types that do not fit are an invalid request", () =>
      Effect.gen(function* () {
        const { engine, mixed } = yield* Tested
        yield* Effect.forEach(refusedExpressions, (text) =>
          failsWith(engine.query(rowsQuery(mixed, { columns: { value: text } })), "InvalidRequest")
        )
      })
    )
  })

const comparedLaws = (name: string, Both: Layer.Layer<Tested | Expected, unknown>): void =>
  layer(Both)(`${name}: laws of ChartEngines, as another engine answers`, (it) => {
    /** Both engines answer the queries alike. */
    const compare = (queries: (mixed: ChartTable) => ReadonlyArray<readonly [title: string, query: TableQuery]>) =>
      Effect.gen(function* () {
        const [tested, expected] = [yield* Tested, yield* Expected]
        const wanted = yield* Effect.forEach(queries(expected.mixed), ([, query]) => answerOf(query, expected))
        const differences = yield* Effect.forEach(queries(tested.mixed), ([title, query], index) =>
          Effect.map(answerOf(query, tested), (answer) => {
            const rest = wanted[index]
            return rest === undefined || typeof rest === "string"
              ? `${title}: the expected answer is ${rest}`
              : differenceOf(title, answer, rest.rows, rest.groups)
          })
        )
        assertNone(differences)
      })

    it.effect(`${comparedExpressions.length} expressions over rows`, () =>
      compare((mixed) => comparedExpressions.map((text) => [text, rowsQuery(mixed, { columns: { value: text } })]))
    )

    it.effect(`${comparedAggregates.length} aggregates over groups`, () =>
      compare((mixed) =>
        comparedAggregates.map((text) => [
          text,
          groupedQuery(mixed, { groups: { g: "Level" }, values: { value: text } })
        ])
      )
    )

    for (const [title, queries] of Object.entries(comparedQueries)) it.effect(title, () => compare(queries))

    it.effect("any is a value of its group", () =>
      Effect.gen(function* () {
        const [tested, expected] = [yield* Tested, yield* Expected]
        yield* Effect.forEach(memberQueries, ({ any, members }) =>
          Effect.gen(function* () {
            const allowed = yield* expected.engine.query(members(expected.mixed))
            const pairs = new Set(allowed.rows.map(([group, value]) => JSON.stringify([group, value])))
            const answer = yield* tested.engine.query(any(tested.mixed))
            assert.isAbove(answer.rows.length, 0)
            for (const row of answer.rows) assert.isTrue(pairs.has(JSON.stringify(row)), JSON.stringify(row))
          })
        )
      })
    )
  })

const opened = <Self>(
  key: Context.Service<Self, Opened>,
  make: ChartLawsOptions["layer"]
): Layer.Layer<Self, unknown> => Layer.provide(Layer.effect(key, open), make(tables))

/**
 * The laws of the `ChartEngines` port: its tables are its organization's, and a query has the answer that was written by hand; with
 * `expected`, also that of another engine over rows with NULL, NaN, infinite numbers, whole numbers beyond 2^53, empty values,
 * duplicates and unsorted times.
 *
 * @example
 * ```ts
 * import { chartEnginesLaws } from "@headgate/conformance"
 * import { MemoryChartEngines } from "@headgate/memory-adapter"
 *
 * export const laws = () =>
 *   chartEnginesLaws({
 *     name: "memory",
 *     layer: ({ connectionId, organizationId, tables }) =>
 *       MemoryChartEngines.layer([
 *         { organizationId, connectionId, tables: Object.fromEntries(tables.map((table) => [table.name, table])) }
 *       ])
 *   })
 * ```
 */
export const chartEnginesLaws = ({ expected, layer: make, name }: ChartLawsOptions): void => {
  const TestedLayer = opened(Tested, make)
  writtenLaws(name, TestedLayer)
  layer(make(tables))(`${name}: organizations of ChartEngines`, (it) => {
    it.effect("a connection of another organization is not there", () =>
      Effect.gen(function* () {
        const engines = yield* ChartEngines
        assert.isUndefined(yield* engines.ofConnection(globex, connectionId))
        assert.isUndefined(yield* engines.ofConnection(acme, ConnectionId.make("c0000000000000000000000c")))
      })
    )
  })
  if (expected !== undefined) comparedLaws(name, Layer.merge(TestedLayer, opened(Expected, expected)))
}
