import { assert, it } from "@effect/vitest"
import { columnTypeOf, functionTable, parseSql, type TableQuery } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { MemoryChartEngines } from "../src/chart/MemoryChartEngines.ts"
import { ChartEngines } from "@headgate/core/adapter"
import { ConnectionId, OrganizationId } from "@headgate/core"
import { evaluatedFunctions } from "../src/chart/evaluate/evaluate.ts"

const organizationId = OrganizationId.make("1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21")
const connectionId = ConnectionId.make("c0000000000000000000000a")

/** The failure of a query of one expression, as a text. */
const failureOf = (text: string) =>
  Effect.gen(function* () {
    const engine = yield* (yield* ChartEngines).ofConnection(organizationId, connectionId)
    const from = yield* engine?.findTable("default", "events") ?? Effect.undefined
    if (engine === undefined || from === undefined) return yield* Effect.die("no table")
    const columns = new Map([["At", columnTypeOf("DateTime")]])
    const expression = Result.getOrThrow(parseSql(text, { columns, aggregates: "refused" }))
    const query: TableQuery = {
      _tag: "Rows",
      from,
      columns: [{ name: "value", expression }],
      orderBy: [],
      limit: 10,
      offset: 0
    }
    const error = yield* Effect.flip(engine.query(query))
    return `${error._tag}: ${error.message}`
  }).pipe(
    Effect.provide(
      MemoryChartEngines.layer([
        {
          organizationId,
          connectionId,
          tables: { events: { columns: { At: "DateTime" }, rows: [{ At: "2026-11-23T10:00:00Z" }] } }
        }
      ])
    )
  )

it("what is evaluated is a function that expressions may call", () => {
  const known = new Set(functionTable.map(({ name }) => name))
  assert.deepStrictEqual(
    evaluatedFunctions.filter((name) => !known.has(name)),
    []
  )
  assert.isAbove(evaluatedFunctions.length, 100)
})

it.effect("every other function is refused by its name", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* failureOf("toMonday(At)"), "InvalidRequest: toMonday is not evaluated in memory")
    assert.strictEqual(
      yield* failureOf("formatDateTime(At, '%H')"),
      "InvalidRequest: formatDateTime is not evaluated in memory"
    )
  })
)

it.effect("what only the rows show is an invalid request, too", () =>
  Effect.gen(function* () {
    assert.strictEqual(
      yield* failureOf("intDiv(1, toUnixTimestamp(At) - toUnixTimestamp(At))"),
      "InvalidRequest: a whole number is divided by zero"
    )
  })
)

it.effect("a store without tables says so", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip((yield* ChartEngines).ofConnection(organizationId, connectionId))
    assert.strictEqual(error._tag, "FailedDependency")
    assert.strictEqual(error.message, "this store in memory has no tables for charts")
  }).pipe(Effect.provide(MemoryChartEngines.layer()))
)

it.effect("a row that does not fit its columns is an invalid request", () =>
  Effect.gen(function* () {
    const tables = { events: { columns: { Count: "UInt8" }, rows: [{ Count: "many" }] } }
    const error = yield* Effect.flip(
      Effect.provide(
        Effect.asVoid(Effect.suspend(() => ChartEngines)),
        MemoryChartEngines.layer([{ organizationId, connectionId, tables }])
      )
    )
    assert.strictEqual(error.message, "many is no value of the type UInt8")
  })
)
