import { EngineFailure } from "@headgate/clickhouse"
import { assert, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { checkObjectReading, ClickHouse } from "../src/index.ts"
import { describeChdb, embedded, overHttp, startServer } from "./support/chdb.ts"
import { objectAt, startObjects } from "./support/objects.ts"

describeChdb("the reading of objects", () => {
  for (const [name, open] of [
    ["the embedded engine", Layer.build(embedded)],
    ["the server", Effect.flatMap(startServer(), (front) => Layer.build(overHttp(front)))]
  ] as const) {
    it.live(`is tried in ${name} without a request`, () =>
      Effect.gen(function* () {
        const engine = Context.get(yield* open, ClickHouse)
        const { requests, urlOf } = yield* startObjects
        yield* checkObjectReading(engine, objectAt(urlOf("a")))
        assert.deepStrictEqual(requests, [])
        const run: typeof engine.run = (sql, ...more) =>
          engine.run(sql.replace("max_http_get_redirects", "no_such_setting"), ...more)
        const error = yield* Effect.flip(checkObjectReading({ ...engine, run }, objectAt(urlOf("a"))))
        assert.strictEqual(error._tag, "WarehouseRefused")
        assert.include(error.message, "no_such_setting")
      }).pipe(Effect.scoped)
    )
  }

  it.live("is refused with what to do where the engine does not allow it", () =>
    Effect.gen(function* () {
      const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
      // The embedded engine has no list of hosts: apps/server/test/warehouseGrants.long.test.ts has real rights.
      for (const [code, message, remedy] of [
        [
          497,
          "the-mover: Not enough privileges",
          "run GRANT CREATE TEMPORARY TABLE, URL ON *.* TO `the-mover`. the-mover"
        ],
        [491, "URL is not allowed", "add the host storage.example.com to remote_url_allow_hosts"]
      ] as const) {
        const run: typeof engine.run = (sql, ...more) =>
          sql.startsWith("EXPLAIN") ? Effect.fail(new EngineFailure({ code, message })) : engine.run(sql, ...more)
        const object = objectAt("https://storage.example.com/b/a")
        const error = yield* Effect.flip(checkObjectReading({ ...engine, run }, object))
        assert.strictEqual(error._tag, "WarehouseRefused")
        assert.include(error.message, remedy)
      }
    }).pipe(Effect.scoped)
  )
})
