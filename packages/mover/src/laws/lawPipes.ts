import { PipeId } from "@headgate/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Owner } from "../port/Ledger.ts"
import type { RangeLimits, Source } from "../port/Source.ts"
import type { Warehouse } from "../port/Warehouse.ts"
import type { Position, Range } from "../range/Range.ts"

/**
 * The pipe of the laws. A ledger that needs to know its pipes knows this one and {@link otherPipeId}.
 *
 * @example
 * ```ts
 * import { lawPipeId, otherPipeId } from "@headgate/mover/laws"
 *
 * export const known = [lawPipeId, otherPipeId]
 * ```
 */
export const lawPipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000a1")
/**
 * Another pipe of the laws.
 *
 * @example
 * ```ts
 * import { otherPipeId } from "@headgate/mover/laws"
 *
 * export const isOther = (pipeId: string) => pipeId === otherPipeId
 * ```
 */
export const otherPipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000a2")

/** An owner of a pipe of the laws. */
export const ownerOf = (epoch: number, pipeId = lawPipeId): Owner => ({ pipeId, epoch, id: `owner-${pipeId}-${epoch}` })

/** A range of the first generation of the laws' pipe, changed in some fields. */
export const rangeOf = (from: number, to: number, change: Partial<Range> = {}): Range => ({
  pipeId: lawPipeId,
  generation: 1,
  source: "topic",
  partition: "0",
  from: String(from),
  to: String(to),
  ...change
})

/** The law of the log, which warehouses of both kinds keep: the last position of each partition of the last generation. */
export const logIsKept = Effect.fnUntraced(function* (port: Pick<Warehouse["Service"], "log" | "logged">) {
  const logged = Effect.map(port.logged(lawPipeId), ({ generation, positions }) => ({ generation, positions }))
  assert.deepStrictEqual(yield* logged, { generation: 0, positions: new Map() })
  for (const range of [rangeOf(0, 5), rangeOf(5, 12), rangeOf(5, 12), rangeOf(0, 3, { partition: "1" })]) {
    yield* port.log(range)
  }
  const first = {
    generation: 1,
    positions: new Map([
      ["0", "12"],
      ["1", "3"]
    ])
  }
  assert.deepStrictEqual(yield* logged, first)
  assert.strictEqual((yield* port.logged(otherPipeId)).generation, 0)
  // A mover that was frozen logs what the next one has replayed and passed.
  yield* port.log(rangeOf(0, 5))
  assert.deepStrictEqual(yield* logged, first)
  yield* port.log(rangeOf(0, 5, { generation: 2 }))
  yield* port.log(rangeOf(12, 20))
  const second = { generation: 2, positions: new Map([["0", "5"]]) }
  assert.deepStrictEqual(yield* logged, second)
})

/** The one partition of a source under test, and the ranges from a position in it up to where nothing follows. */
export const onePartition = Effect.fnUntraced(function* (source: Source["Service"]) {
  const [found, ...more] = yield* source.partitions
  if (found === undefined || more.length > 0) return assert.fail("the laws need a source with one partition")
  const { partition } = found
  const planAll = Effect.fnUntraced(function* (limits: RangeLimits, from: Position = found.start) {
    const ranges: Array<Range> = []
    const identity = yield* source.identity
    let next = from
    while (true) {
      const plan = yield* source.plan(partition, next, limits)
      if (plan._tag !== "Planned") return ranges
      const { detail, to } = plan
      const range = { pipeId: lawPipeId, generation: 1, source: identity, partition, from: next, to }
      ranges.push(detail === undefined ? range : { ...range, detail })
      next = to
    }
  })
  return { ...found, planAll }
})
