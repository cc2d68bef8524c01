import { assert, it } from "@effect/vitest"
import { Source } from "@headgate/mover"
import { MemorySource } from "@headgate/mover/memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { discoverFields } from "../src/check/discoverFields.ts"
import type { InferredFields } from "../src/warehouse/WarehouseEngine.ts"
import { makeMemoryEngine } from "./support/memoryEngine.ts"

/** What is answered where the warehouse shows these rows. */
const shown = Effect.fnUntraced(function* (samples: InferredFields["samples"]) {
  const columns = [{ name: "n", type: "String", isOptional: false }]
  const { engine } = makeMemoryEngine({ inferColumns: () => Effect.succeed({ columns, samples }) })
  const memory = MemorySource.make()
  yield* memory.append("0", "row")
  const layer = Layer.succeed(Source, memory.source)
  const reader = { _tag: "Ranges", probe: Effect.succeed([]), layer, sample: { _tag: "Rows", layer } } as const
  return yield* discoverFields(engine, reader, "kinesis")
})

it.live("of the rows of a source as many are answered as fit, each of them whole", () =>
  Effect.gen(function* () {
    const fields = [{ name: "n", type: "String", optional: false }]
    const few = [["a"], [null]]
    // 10 rows of 6,000 bytes and more each, of two bytes a character, fit in 64 KiB.
    const long = Array.from({ length: 20 }, () => ["\u00fc".repeat(3000)])
    const huge = ["x".repeat(64 * 1024)]
    const many = Array.from({ length: 30 }, () => ["a"])
    // At the same time: each waits a second for more rows.
    const answers = yield* Effect.forEach([few, many, long, [huge, ["a"]], [["a"], huge, ["b"]], []], shown, {
      concurrency: "unbounded"
    })
    const [ofFew, ofMany, ofLong, ofHuge, ofHugeWithin, ofNone] = answers
    assert.deepStrictEqual(ofFew, { fields, samples: few })
    assert.lengthOf(ofMany?.samples ?? [], 20)
    assert.deepStrictEqual(ofLong?.samples, long.slice(0, 10))
    assert.deepStrictEqual(ofHuge, { fields })
    assert.deepStrictEqual(ofHugeWithin?.samples, [["a"]])
    assert.deepStrictEqual(ofNone, { fields })
  })
)
