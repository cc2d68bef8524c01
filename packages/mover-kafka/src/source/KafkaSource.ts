import {
  emptyRow,
  makeMessageRanges,
  type MessageReader,
  type MessageRow,
  objectOf,
  PositionLost,
  Source,
  SourceError
} from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { crc32 } from "node:zlib"
import { readMessages } from "../message/readMessages.ts"
import { addVirtualColumns } from "../message/virtualColumns.ts"
import type { KafkaOptions } from "../options/KafkaOptions.ts"
import { type Cluster, firstOffset, makeCluster, nextOffset, type TopicPartition } from "../protocol/Cluster.ts"
import { makeLongPoll } from "./LongPoll.ts"
import { makeGroupOffsets } from "./GroupOffsets.ts"
import { makeTopics } from "./Topics.ts"

const mebibyte = 1024 * 1024

/**
 * The most that one fetch asks for. A larger message comes alone, whatever its size. The client makes objects of ten times the
 * bytes of small messages, and those of a larger fetch would outlive the young generation of the heap.
 */
const fetchBytes = mebibyte
const leastFetchBytes = 64 * 1024

/** What a message takes in a fetch beside its value, about. */
const messageOverhead = 16

/** How many partitions are fetched from at the same time. */
const fetchesAtOnce = 4

/** The rows from an offset on that one fetch finds, and the offset after all that it looked at. */
const makeFetchRows = (cluster: Cluster, fetches: Semaphore.Semaphore, options: KafkaOptions) => {
  const addVirtual = addVirtualColumns(options.virtualColumns ?? [])
  const tombstone = options.tombstones === "row" ? emptyRow : undefined

  return Effect.fnUntraced(function* (partition: string, place: TopicPartition, offset: bigint, wantedBytes: number) {
    const maxBytes = Math.max(leastFetchBytes, Math.min(fetchBytes, Math.ceil(wantedBytes)))
    const fetched = yield* fetches.withPermit(cluster.fetch({ ...place, offset }, maxBytes))
    if (fetched === undefined) {
      const first = (yield* cluster.offsetAt(place, firstOffset)) ?? 0n
      // A log that ends before the offset has lost its last messages: what is before them was read.
      const held = offset < first ? first : ((yield* cluster.offsetAt(place, nextOffset)) ?? first)
      return yield* new PositionLost({ partition, position: String(offset), first: String(held) })
    }
    const { aborted, batches } = fetched
    const old = batches.find(({ magic }) => magic !== 2)
    if (old !== undefined) {
      return yield* new SourceError({
        message: `partition ${partition}: offset ${old.firstOffset} has the message format ${old.magic}, of Kafka before 0.11`
      })
    }
    const { messages, next } = readMessages(batches, offset, aborted)
    const { name: topic } = place.topic
    const rows = messages.map((message): MessageRow => {
      const { offset: position, value } = message
      const object = value === null ? tombstone : objectOf(value)
      if (object === undefined) return { position, content: value ?? undefined }
      return { position, content: addVirtual(object, message, { topic, partition: place.partition }) }
    })
    return { rows, next }
  })
}

/**
 * Topics of Kafka as a `Source`. Partitions are read by their offsets: no group assigns them, and nothing is read back from
 * a group. The connections are closed with the scope.
 */
const make = Effect.fnUntraced(function* (options: KafkaOptions) {
  const cluster = yield* makeCluster(options)
  const topics = makeTopics(cluster, options)
  const { bufferBytes = 64 * mebibyte, group } = options
  const ranges = makeMessageRanges({ bufferBytes, fetchBytes, leastFetchBytes, messageOverhead }, crc32)
  const commitOffset = group === undefined ? () => Effect.void : yield* makeGroupOffsets(cluster, group)
  const longPoll = yield* makeLongPoll(cluster, topics.ledBy)
  const fetchRows = makeFetchRows(cluster, yield* Semaphore.make(fetchesAtOnce), options)
  /** The next offset to plan, of each partition. */
  const planning = new Map<string, bigint>()

  const open = Effect.fnUntraced(function* (partition: string) {
    const { identity, place } = yield* topics.find(partition)
    const reader: MessageReader<SourceError | PositionLost> = {
      identity,
      fetch: (offset, bytes) => fetchRows(partition, place, offset, bytes),
      arrival: (offset, longest) => longPoll({ ...place, offset }, longest)
    }
    return { reader, place }
  })

  const lagOf = Effect.fnUntraced(function* ([partition, next]: readonly [string, bigint]) {
    const { place } = yield* topics.find(partition)
    const end = (yield* cluster.offsetAt(place, nextOffset)) ?? next
    return end > next ? Number(end - next) : 0
  })

  const source: Source["Service"] = {
    lag: Effect.suspend(() =>
      Effect.map(Effect.forEach(Array.from(planning), lagOf, { concurrency: fetchesAtOnce }), (lags) =>
        lags.length === 0 ? undefined : lags.reduce((sum, lag) => sum + lag, 0)
      )
    ),
    // It is asked for when a pipe begins to move, or begins again: nothing that was planned before is read, and each leader is
    // asked, so that one that does not answer fails the attempt.
    identity: Effect.tap(topics.identity, () => ranges.reset),
    partitions: topics.partitions,
    plan: Effect.fn("KafkaSource.plan")(function* (partition, position, limits) {
      const from = BigInt(position)
      const { place, reader } = yield* open(partition)
      planning.set(partition, from)
      yield* commitOffset({ topic: place.topic.name, partition: place.partition, offset: from })
      const plan = yield* ranges.plan(partition, from, limits, reader)
      planning.set(partition, plan._tag === "Planned" ? BigInt(plan.to) : from)
      return plan
    }),
    read: (range) => Stream.unwrap(Effect.map(open(range.partition), ({ reader }) => ranges.read(range, reader)))
  }
  return source
})

export const KafkaSource = {
  make,
  layer: (options: KafkaOptions) => Layer.effect(Source, make(options))
}
