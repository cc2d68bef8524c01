import { assert, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { EngineFailure } from "../src/connection/EngineFailure.ts"
import { checkObjectReading, ClickHouse } from "../src/index.ts"
import { describeChdb, embedded, overHttp, startServer } from "./support/chdb.ts"
import { startObjects } from "./support/objects.ts"

describeChdb("the reading of objects", () => {
  for (const [name, open] of [
    ["the embedded engine", Layer.build(embedded)],
    ["the server", Effect.flatMap(startServer(), (front) => Layer.build(overHttp(front)))]
  ] as const) {
    it.live(`is tried in ${name} without a request`, () =>
      Effect.gen(function* () {
        const engine = Context.get(yield* open, ClickHouse)
        const { requests, urlOf } = yield* startObjects
        yield* checkObjectReading(engine, urlOf("a"))
        assert.deepStrictEqual(requests, [])
        const run: typeof engine.run = (sql, ...more) =>
          engine.run(sql.replace("max_http_get_redirects", "no_such_setting"), ...more)
        const error = yield* Effect.flip(checkObjectReading({ ...engine, run }, urlOf("a")))
        assert.strictEqual(error._tag, "WarehouseRefused")
        assert.include(error.message, "no_such_setting")
      }).pipe(Effect.scoped)
    )
  }

  it.live("is refused with the statement to run where the user lacks the right", () =>
    Effect.gen(function* () {
      const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
      const denied = new EngineFailure({ code: 497, message: "mover: Not enough privileges" })
      const run: typeof engine.run = (sql, ...more) =>
        sql.startsWith("EXPLAIN") ? Effect.fail(denied) : engine.run(sql, ...more)
      const error = yield* Effect.flip(checkObjectReading({ ...engine, run }, "https://storage.example.com/b/a"))
      assert.strictEqual(error._tag, "WarehouseRefused")
      assert.include(error.message, "GRANT URL ON *.*")
    }).pipe(Effect.scoped)
  )
})
