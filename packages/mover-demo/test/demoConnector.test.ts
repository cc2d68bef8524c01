import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { demoConnector } from "../src/index.ts"
import { configOf } from "./support/configOf.ts"

const refused = (change: object) => Effect.flip(demoConnector.configure(configOf(change)))

describe("the connector of the demo", () => {
  it.effect("refuses every broker but its own, and says how a server reads from others", () =>
    Effect.gen(function* () {
      for (const brokers of ["broker.example.com:9092", "demo:9093", "demo:9092,other:9092", "demo", "", null]) {
        const { message, path } = yield* refused({ brokers })
        assert.strictEqual(path, "source.kafka.brokers")
        assert.include(message, "demo:9092")
        assert.include(message, "start it without --demo")
        if (brokers?.includes("example") === true) assert.include(message, brokers)
      }
    })
  )

  it.effect("refuses what it does not make, and names the field", () =>
    Effect.gen(function* () {
      for (const [field, change] of [
        ["format", { format: "Avro" }],
        ["topics", { topics: " , " }],
        ["offset.timestamp", { offset: { strategy: "from_timestamp", timestamp: "2026-13-01T00:00" } }]
      ] as const) {
        assert.strictEqual((yield* refused(change)).path, `source.kafka.${field}`)
      }
    })
  )
})
