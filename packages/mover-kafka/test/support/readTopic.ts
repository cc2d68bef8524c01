import type { PipeId } from "@headgate/core"
import type { Position, Range, RangeLimits, Source } from "@headgate/mover"
import { PipeId as PipeIdSchema } from "@headgate/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

export const pipeId: PipeId = Schema.decodeSync(PipeIdSchema)("b1be0000-0000-4000-8000-0000000000b1")

const limits: RangeLimits = { rows: 100_000, bytes: 32 * 1024 * 1024, wait: Duration.millis(200) }

const decoder = new TextDecoder()

/** The texts of the rows of a range. */
export const readRange = (source: Source["Service"], range: Range) =>
  Effect.map(Stream.runCollect(source.read(range)), (rows) => rows.map((row) => decoder.decode(row)))

/** The ranges of a partition from a position on, until nothing follows. */
export const planAll = Effect.fnUntraced(function* (
  source: Source["Service"],
  partition: string,
  from: Position,
  within: RangeLimits = limits
) {
  const ranges: Array<Range> = []
  const identity = yield* source.identity
  let next = from
  while (true) {
    const plan = yield* source.plan(partition, next, within)
    if (plan._tag !== "Planned") return ranges
    const detail = plan.detail === undefined ? {} : { detail: plan.detail }
    ranges.push({ pipeId, generation: 1, source: identity, partition, from: next, to: plan.to, ...detail })
    next = plan.to
  }
})

/** All rows of a topic with one partition, read in ranges, each as it is planned. */
export const readTopic = Effect.fnUntraced(function* (source: Source["Service"], within: RangeLimits = limits) {
  const [first] = yield* source.partitions
  if (first === undefined) return yield* Effect.die("the topic has no partition")
  const ranges = yield* planAll(source, first.partition, first.start, within)
  const texts = yield* Effect.forEach(ranges, (range) => readRange(source, range))
  return { ranges, texts: texts.flat() }
})
