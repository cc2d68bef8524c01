import {
  type Plan,
  type Position,
  PositionLost,
  RangeChanged,
  type Range,
  type RangeLimits,
  Source
} from "@headgate/mover"
import { resumeBy, SourceError } from "@headgate/mover"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { readMessages } from "../message/readMessages.ts"
import { emptyRow, objectOf } from "../message/objectOf.ts"
import { addVirtualColumns } from "../message/virtualColumns.ts"
import type { KafkaOptions } from "../options/KafkaOptions.ts"
import { firstOffset, makeCluster, nextOffset, type TopicPartition } from "../protocol/Cluster.ts"
import { makePlannedRanges, makeRangeCheck, packRows } from "../range/PlannedRanges.ts"
import { makeArrivals } from "./Arrivals.ts"
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

/** How many of the rows that are kept are objects at the same time. */
const rowsAtOnce = 1000

/** How many partitions are fetched from at the same time. */
const fetchesAtOnce = 4

/** Between fetches that find little, so that a topic with few messages is not asked for each of them. */
const pauseForMore = Duration.millis(100)

interface Row {
  readonly offset: bigint
  /** `undefined`: the message makes no row. */
  readonly content: Uint8Array | undefined
}

/**
 * Topics of Kafka as a `Source`. Partitions are read by their offsets: no group assigns them, and nothing is read back from
 * a group. The connections are closed with the scope.
 */
const make = Effect.fnUntraced(function* (options: KafkaOptions) {
  const cluster = yield* makeCluster(options)
  const topics = makeTopics(cluster, options)
  const planned = makePlannedRanges(options.bufferBytes ?? 64 * mebibyte)
  const { group } = options
  const reached = group === undefined ? () => Effect.void : yield* makeGroupOffsets(cluster, group)
  const arrival = yield* makeArrivals(cluster, topics.ledBy)
  const fetches = yield* Semaphore.make(fetchesAtOnce)
  const addVirtual = addVirtualColumns(options.virtualColumns ?? [])
  /** The next offset to plan, of each partition. */
  const planning = new Map<string, bigint>()
  /** The offset at which the last fetch from a partition found nothing. */
  const emptyAt = new Map<string, bigint>()
  const tombstone = options.tombstones === "row" ? emptyRow : undefined

  /** The rows from an offset on that one fetch finds, and the offset after all that it looked at. */
  const fetchRows = Effect.fnUntraced(function* (
    partition: string,
    place: TopicPartition,
    offset: bigint,
    wantedBytes: number
  ) {
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
    const rows = messages.map((message): Row => {
      const { offset, value } = message
      const object = value === null ? tombstone : objectOf(value)
      if (object === undefined) return { offset, content: value ?? undefined }
      return { offset, content: addVirtual(object, message, { topic, partition: place.partition }) }
    })
    return { rows, next }
  })

  const plan = Effect.fn("KafkaSource.plan")(function* (partition: string, from: Position, limits: RangeLimits) {
    const { identity, place } = yield* topics.find(partition)
    planning.set(partition, BigInt(from))
    const kept = planned.begin(partition)
    yield* reached({ topic: place.topic.name, partition: place.partition, offset: BigInt(from) })

    const check = makeRangeCheck()
    let rows = 0
    let bytes = 0
    let next = BigInt(from)
    const isFull = () => rows >= limits.rows || bytes >= limits.bytes
    /** Takes rows up to the limits. Returns whether all were taken. */
    const take = (found: ReadonlyArray<Row>): boolean => {
      const part: Array<Uint8Array> = []
      let isTaken = true
      for (const { content, offset } of found) {
        if (content !== undefined) {
          isTaken = !isFull() && (rows === 0 || bytes + content.length <= limits.bytes)
          if (!isTaken) break
          part.push(content)
          rows += 1
          bytes += content.length
        }
        next = offset + 1n
      }
      const packed = packRows(part)
      check.add(packed.bytes, part.length)
      kept.add(packed)
      return isTaken
    }

    const end = (yield* Clock.monotonicTimeNanos) + Duration.toNanosUnsafe(limits.wait)
    const remaining = Effect.map(Clock.monotonicTimeNanos, (now) => Duration.nanos(now < end ? end - now : 0n))
    while (true) {
      // Nothing is fetched from there until something has arrived.
      const isEmpty = emptyAt.get(partition) === next
      const least = String(next) === from ? (limits.idleWait ?? Duration.zero) : Duration.zero
      if (isEmpty && !(yield* arrival({ ...place, offset: next }, Duration.max(least, yield* remaining)))) break
      // From the rows so far: how many more fit, so that little is fetched and left.
      const rowBytes = rows === 0 ? 0 : bytes / rows + messageOverhead
      const fits =
        rows === 0 ? limits.bytes : Math.min(limits.rows - rows, (limits.bytes - bytes) / rowBytes) * rowBytes
      const before = bytes
      const found = yield* fetchRows(partition, place, next, fits)
      if (found.next === next) emptyAt.set(partition, next)
      else emptyAt.delete(partition)
      if (!take(found.rows)) break
      next = found.next
      if (isFull() || Duration.isZero(yield* remaining)) break
      if (bytes - before < leastFetchBytes) yield* Effect.sleep(Duration.min(yield* remaining, pauseForMore))
    }

    const to = String(next)
    planning.set(partition, next)
    // Positions without a row are recorded as well: retention may remove them, and nothing was lost then.
    if (to === from) return { _tag: "Nothing" } satisfies Plan
    kept.end({ identity, partition, from, to })
    return { _tag: "Planned", to, rows, bytes, detail: check.detail() } satisfies Plan
  })

  /** Fetches a range again, and fails at its end if the rows are not those that were planned. */
  const readAgain = ({ detail, from, partition, to }: Range, place: TopicPartition) => {
    const check = makeRangeCheck()
    const end = BigInt(to)
    const readPart = Effect.fnUntraced(function* (offset: bigint) {
      const { next, rows } = yield* fetchRows(partition, place, offset, fetchBytes)
      if (next === offset) {
        return yield* new SourceError({
          message: `partition ${partition}: the messages from ${offset} on are not there yet`
        })
      }
      const part = rows.flatMap(({ content, offset }) => (content === undefined || offset >= end ? [] : [content]))
      for (const row of part) check.add(row)
      const difference = next >= end && detail !== undefined ? check.difference(detail) : undefined
      if (difference !== undefined) {
        return yield* new RangeChanged({
          message: `partition ${partition}, from ${from} to ${to}, has changed since it was planned: ${difference}. Compaction, a lost leader or another setting can do that. To read what is there now, which doubles rows of the range that are in the table already: ${resumeBy({ from: "ledger" })}`
        })
      }
      return [part, next >= end ? Option.none<bigint>() : Option.some(next)] as const
    })
    return Stream.paginate(BigInt(from), readPart)
  }

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
    identity: Effect.tap(topics.identity, () =>
      Effect.sync(() => {
        planned.clear()
        emptyAt.clear()
      })
    ),
    partitions: topics.partitions,
    plan,
    read: (range) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const { identity, place } = yield* topics.find(range.partition)
          if (identity !== range.source) {
            return yield* new RangeChanged({ message: `the source is ${identity}, and not ${range.source}` })
          }
          const rows = planned.get({ identity, ...range })
          return rows === undefined ? readAgain(range, place) : Stream.fromIterable(rows, { chunkSize: rowsAtOnce })
        })
      )
  }
  return source
})

export const KafkaSource = {
  make,
  layer: (options: KafkaOptions) => Layer.effect(Source, make(options))
}
