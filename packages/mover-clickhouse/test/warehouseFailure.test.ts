import { assert, describe, it } from "@effect/vitest"
import { EngineFailure } from "@headgate/clickhouse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { fieldFailure, warehouseFailure } from "../src/connection/warehouseFailure.ts"
import { ClickHouseEngine } from "../src/index.ts"

const failureOf = (code: number | undefined) => new EngineFailure({ code, message: "no" })

describe("failures of the warehouse", () => {
  it("of settings, grants and credentials are refusals, and all others are tried again", () => {
    for (const code of [115, 164, 452, 497, 516]) {
      assert.strictEqual(warehouseFailure(failureOf(code))._tag, "WarehouseRefused")
    }
    for (const code of [241, 60, undefined]) {
      assert.strictEqual(warehouseFailure(failureOf(code))._tag, "WarehouseError")
    }
  })

  it("of a statement made of fields are refusals that name them, unless the engine is busy", () => {
    const refine = fieldFailure("destination.columns[0].type")
    assert.deepInclude(refine(failureOf(62)), {
      _tag: "WarehouseRefused",
      message: "destination.columns[0].type: no"
    })
    for (const code of [241, 202, undefined]) assert.strictEqual(refine(failureOf(code))._tag, "WarehouseError")
  })

  it.effect("of an engine that cannot be opened are refusals", () =>
    Effect.gen(function* () {
      const server = { url: "ftp://a.b", user: "mover", password: Redacted.make(""), database: "default" }
      const missing = { directory: "data", database: "default", load: () => Promise.reject(new Error("no")) }
      for (const layer of [ClickHouseEngine.layerServer(server), ClickHouseEngine.layerEmbedded(missing)]) {
        const { _tag } = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
        assert.strictEqual(_tag, "WarehouseRefused")
      }
    })
  )
})
