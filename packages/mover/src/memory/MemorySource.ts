import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Plan, Source } from "../port/Source.ts"
import { PositionLost, RangeChanged } from "../range/MoveError.ts"

interface Row {
  readonly offset: number
  readonly content: Uint8Array
}

interface Partition {
  rows: ReadonlyArray<Row>
  next: number
  /** Rows below it are lost. */
  first: number
}

const encoder = new TextEncoder()

/**
 * A source in memory, like a topic of Kafka: each partition numbers its rows from 0. `identity` and the partitions can be
 * changed while a pipe reads. A pipe begins at the first rows that are held, or with `latest` at the next ones.
 */
const make = (
  options: {
    readonly identity?: string
    readonly partitions?: ReadonlyArray<string>
    readonly start?: "earliest" | "latest"
  } = {}
) => {
  const partitions = new Map<string, Partition>()
  const state = { identity: options.identity ?? "memory", ended: false }

  const partitionOf = (name: string): Partition => {
    const partition = partitions.get(name) ?? { rows: [], next: 0, first: 0 }
    partitions.set(name, partition)
    return partition
  }
  for (const name of options.partitions ?? ["0"]) partitionOf(name)

  const lost = (name: string, from: string) => {
    const { first } = partitionOf(name)
    return Number(from) < first
      ? Effect.fail(new PositionLost({ partition: name, position: from, first: String(first) }))
      : Effect.void
  }

  const source: Source["Service"] = {
    identity: Effect.sync(() => state.identity),
    partitions: Effect.sync(() =>
      Array.from(partitions, ([partition, { first, next }]) => ({
        partition,
        first: String(first),
        start: String(options.start === "latest" ? next : first)
      }))
    ),
    plan: Effect.fn("MemorySource.plan")(function* (name, from, limits) {
      const found = Effect.suspend(() => {
        const waiting = partitionOf(name).rows.filter(({ offset }) => offset >= Number(from))
        const planned: Array<Row> = []
        let bytes = 0
        for (const row of waiting.slice(0, limits.rows)) {
          if (planned.length > 0 && bytes + row.content.length > limits.bytes) break
          bytes += row.content.length
          planned.push(row)
        }
        const isFull = planned.length < waiting.length || planned.length === limits.rows
        return Effect.as(lost(name, from), { planned, bytes, isFull })
      })
      const first = yield* found
      if (!first.isFull && !state.ended) yield* Effect.sleep(limits.wait)
      const { bytes, planned } = first.isFull ? first : yield* found
      const last = planned.at(-1)
      if (last === undefined) return { _tag: state.ended ? "End" : "Nothing" } satisfies Plan
      return { _tag: "Planned", to: String(last.offset + 1), rows: planned.length, bytes } satisfies Plan
    }),
    read: ({ from, partition, source: identity, to }) =>
      Stream.unwrap(
        Effect.gen(function* () {
          yield* lost(partition, from)
          if (identity !== state.identity) {
            return yield* new RangeChanged({ message: `the source is ${state.identity}, and not ${identity}` })
          }
          const { rows } = partitionOf(partition)
          const wanted = rows.filter(({ offset }) => offset >= Number(from) && offset < Number(to))
          return Stream.fromArray(wanted.map(({ content }) => content))
        })
      )
  }

  return {
    source,
    /** Adds rows to a partition, which is made if it is new. */
    append: (name: string, ...rows: ReadonlyArray<string>) =>
      Effect.sync(() => {
        const partition = partitionOf(name)
        const added = rows.map((text, index) => ({ offset: partition.next + index, content: encoder.encode(text) }))
        partition.rows = [...partition.rows, ...added]
        partition.next += rows.length
      }),
    /** Removes the rows that `keeps` does not keep, as compaction does: their offsets stay empty. */
    compact: (name: string, keeps: (offset: number) => boolean) =>
      Effect.sync(() => {
        const partition = partitionOf(name)
        partition.rows = partition.rows.filter(({ offset }) => keeps(offset))
      }),
    /** Loses the rows below an offset, as retention does. */
    loseBefore: (name: string, first: number) =>
      Effect.sync(() => {
        const partition = partitionOf(name)
        partition.rows = partition.rows.filter(({ offset }) => offset >= first)
        partition.first = first
      }),
    /** Makes it another source, without rows, as when a topic is deleted and made again. */
    replace: (identity: string) =>
      Effect.sync(() => {
        state.identity = identity
        for (const partition of partitions.values()) Object.assign(partition, { rows: [], next: 0, first: 0 })
      }),
    /** Says that no more rows come: a pipe that has read all is Completed. */
    end: Effect.sync(() => {
      state.ended = true
    })
  }
}

/**
 * A source in memory, for tests.
 *
 * @example
 * ```ts
 * import { Source } from "@headgate/mover"
 * import { MemorySource } from "@headgate/mover/memory"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const memory = MemorySource.make({ partitions: ["0", "1"] })
 * export const TestSource = Layer.effect(Source, Effect.as(memory.append("0", '{"n":1}'), memory.source))
 * ```
 */
export const MemorySource = { make }
