import { assert, it } from "@effect/vitest"
import { noPipe } from "@headgate/mover"
import { MemoryConnector } from "@headgate/mover/memory"
import * as Effect from "effect/Effect"
import { makeAllowedSources } from "../src/index.ts"
import { loadConnector } from "../src/source/Connectors.ts"
import { connectorsOf } from "./support/connectors.ts"

it.effect("a source is known by its line in the registry alone: it is loaded, configured and asked", () =>
  Effect.gen(function* () {
    const memory = MemoryConnector.make()
    const connectors = connectorsOf(memory)
    const connector = yield* loadConnector(connectors, { kinesis: { streamName: "orders" } })
    const reader = yield* connector.configure({
      pipeId: noPipe,
      source: { kinesis: { streamName: "orders" } },
      credentials: {},
      settings: {},
      fields: [],
      allowed: makeAllowedSources([])
    })
    assert.strictEqual(reader._tag, "Ranges")
    assert.deepStrictEqual(yield* reader.probe, [])
    yield* memory.down("the stream is gone")
    assert.strictEqual((yield* Effect.flip(reader.probe)).message, "the stream is gone")
    const { message } = yield* Effect.flip(loadConnector(connectors, { kafka: {} }))
    assert.include(message, "kafka are not moved")
  })
)
