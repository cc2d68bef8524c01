import { assert, describe, it } from "@effect/vitest"
import { EngineFailure } from "@headgate/clickhouse"
import { call, type ChartTable, column, columnTypeOf, literal, type TableQuery } from "@headgate/core/adapter"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { mostAtWork } from "../src/engine/mostAtWork.ts"
import { queryFailure } from "../src/engine/queryFailure.ts"
import { makeQueue } from "../src/engine/QueryQueue.ts"
import { sourceSettings } from "../src/engine/querySettings.ts"
import { shareQueries } from "../src/engine/shareQueries.ts"
import { formatSettings } from "../src/sql/readAnswer.ts"
import { writeQuery } from "../src/sql/writeQuery.ts"
import { isHidden } from "../src/table/readableTables.ts"
import { one, other } from "./support/organizations.ts"

const bounds = { seconds: 10, memory: 512 * 1024 * 1024, rows: 1e9, threads: 2 }

const table = (columns: ReadonlyArray<string>, change: Partial<ChartTable> = {}): ChartTable => ({
  database: "d",
  name: "t",
  columns: new Map(columns.map((name) => [name, columnTypeOf("String")])),
  sortingKey: [],
  isVersioned: false,
  warnings: [],
  ...change
})

describe("the settings of a source", () => {
  it("are bounded, and 0 is no way around a bound", () => {
    const { settings, warnings } = sourceSettings(
      [
        { setting: "max_rows_to_read", value: "0" },
        { setting: "max_execution_time", value: "3" },
        { setting: "optimize_read_in_order", value: "0" },
        { setting: "max_threads", value: " 1 " },
        { setting: "max_memory_usage", value: "-1" },
        { setting: "max_bytes_to_read", value: "9e99" },
        { setting: "MAX_THREADS", value: "1" }
      ],
      bounds
    )
    assert.deepStrictEqual(settings, {
      max_rows_to_read: 1e9,
      max_execution_time: 3,
      optimize_read_in_order: 0,
      max_threads: 1
    })
    assert.strictEqual(warnings.length, 4)
  })
})

describe("the settings of an answer", () => {
  it("leave the zone of columns without one to the engine, which is that of their keys", () => {
    assert.notProperty(formatSettings, "session_timezone")
    assert.strictEqual(formatSettings.date_time_output_format, "iso")
  })
})

describe("a written query", () => {
  it("has texts and names of the caller only in quotes, and results under names that nothing has", () => {
    const query: TableQuery = {
      _tag: "Grouped",
      from: table(["a`b", "headgate_1"]),
      where: call("equals", column("a`b"), literal("x' OR 1 --")),
      groups: [{ name: "g0", expression: column("headgate_1") }],
      values: [{ name: "v0", expression: call("count") }],
      having: call("greater", column("v0"), column("g0")),
      orderBy: [],
      limit: 5
    }
    assert.deepStrictEqual(writeQuery(query), {
      sql:
        "SELECT `headgate_2`, `headgate_3` FROM (SELECT `headgate_1` AS `headgate_2`, count() AS `headgate_3` FROM `d`.`t`" +
        " WHERE (equals(`a\\`b`, 'x\\' OR 1 --')) GROUP BY `headgate_2`) WHERE (greater(`headgate_3`, `headgate_2`)) LIMIT 5",
      names: ["g0", "v0"],
      hasGroupCount: false,
      unknown: []
    })
  })

  it("names the columns that are not there, also of what it reads", () => {
    const inner: TableQuery = {
      _tag: "Grouped",
      from: table(["a"]),
      groups: [],
      values: [{ name: "v0", expression: call("max", column("b")) }],
      orderBy: [],
      limit: 1
    }
    const body = call("plus", column("p"), column("a"))
    const query: TableQuery = {
      _tag: "Rows",
      from: inner,
      columns: [{ name: "x", expression: { _tag: "Lambda", parameters: ["p"], body } }],
      orderBy: [],
      limit: 1,
      offset: 0
    }
    assert.deepStrictEqual(writeQuery(query).unknown, ["b", "a"])
  })
})

describe("hidden tables", () => {
  it("are those of the engine, and of the movers by their names", () => {
    for (const name of ["headgate_pipe_log", "headgate_stage_1", "t_pipe_errors", "t_clickpipes_error"]) {
      assert.isTrue(isHidden("d", name), name)
    }
    for (const database of ["system", "SYSTEM", "information_schema", "INFORMATION_SCHEMA"]) {
      assert.isTrue(isHidden(database, "tables"), database)
    }
    assert.isFalse(isHidden("d", "pipe_errors_by_day"))
  })
})

describe("failures", () => {
  it.effect("say nothing of the engine's own text", () =>
    Effect.gen(function* () {
      const secret = "/var/lib/clickhouse/secret"
      for (const code of [undefined, 1, 43, 47, 60, 62, 115, 158, 159, 164, 202, 241, 394, 396, 497, 516, 9999]) {
        const error = yield* Effect.flip(queryFailure(new EngineFailure({ code, message: secret }), bounds))
        assert.notInclude(JSON.stringify(error), secret)
      }
    })
  )
})

describe("shared queries", () => {
  it.effect("are one for a second, and fail for those alone that waited", () =>
    Effect.gen(function* () {
      const share = shareQueries<number, string>(yield* Effect.scope)
      let begun = 0
      const query = (begins: Effect.Effect<void>) => Effect.map(begins, () => (begun += 1))
      assert.strictEqual(yield* share("a", query), 1)
      assert.strictEqual(yield* share("a", query), 1)
      assert.strictEqual(yield* share("b", query), 2)
      yield* TestClock.adjust("1001 millis")
      assert.strictEqual(yield* share("a", query), 3)
      assert.strictEqual(yield* Effect.flip(share("c", () => Effect.fail("wrong"))), "wrong")
      assert.strictEqual(yield* share("c", query), 4)
    }).pipe(Effect.scoped)
  )

  it.effect("are one for as long as they wait to begin", () =>
    Effect.gen(function* () {
      const share = shareQueries<number, never>(yield* Effect.scope)
      const turn = yield* Deferred.make<void>()
      let begun = 0
      const query = (begins: Effect.Effect<void>) =>
        Deferred.await(turn).pipe(
          Effect.andThen(begins),
          Effect.map(() => (begun += 1))
        )
      const first = yield* Effect.forkChild(share("a", query))
      yield* TestClock.adjust("1 hour")
      const second = yield* Effect.forkChild(share("a", query))
      yield* Effect.yieldNow
      yield* Deferred.succeed(turn, undefined)
      assert.deepStrictEqual([yield* Fiber.join(first), yield* Fiber.join(second)], [1, 1])
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* share("a", query), 2)
    }).pipe(Effect.scoped)
  )

  it.effect("end when the last caller is gone", () =>
    Effect.gen(function* () {
      const share = shareQueries<never, never>(yield* Effect.scope)
      const [begun, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const query = () =>
        Deferred.succeed(begun, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
        )
      const [first, second] = [yield* Effect.forkChild(share("a", query)), yield* Effect.forkChild(share("a", query))]
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(first)
      assert.isFalse(yield* Deferred.isDone(ended))
      yield* Fiber.interrupt(second)
      assert.isTrue(yield* Deferred.isDone(ended))
    }).pipe(Effect.scoped)
  )
})

describe("queries at work", () => {
  it("are half the cores, 1 to 4, and leave two threads of the pool of the process", () => {
    const counts = [1, 2, 3, 8, 64].map((cores) => mostAtWork({ cores, threads: undefined }))
    assert.deepStrictEqual(counts, [1, 1, 1, 4, 4])
    const inside = ["4", "1", "16", "many"].map((threads) => mostAtWork({ cores: 64, threads }))
    assert.deepStrictEqual(inside, [2, 1, 4, 2])
    assert.strictEqual(mostAtWork({ cores: 2, threads: undefined, wanted: 9 }), 9)
  })
})

describe("the queue", () => {
  it.effect("lets no organization keep another one waiting, and keeps no place for a caller that is gone", () =>
    Effect.gen(function* () {
      const queue = makeQueue({ atWork: 2, atWorkOfOne: 1, waiting: 1 })
      const never = queue.run(one, Effect.never)
      const working = yield* Effect.forkChild(never)
      const waiting = yield* Effect.forkChild(never)
      yield* Effect.yieldNow
      const refused = yield* Effect.flip(queue.run(one, Effect.void))
      assert.strictEqual(refused._tag, "ServerError")
      assert.strictEqual(yield* queue.run(other, Effect.succeed("at once")), "at once")
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(working)
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(queue.run(one, Effect.void))))
    })
  )
})
