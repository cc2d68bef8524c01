import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Plan, RangeLimits } from "../port/Source.ts"
import { resumeBy } from "../range/Decision.ts"
import { RangeChanged, SourceError } from "../range/MoveError.ts"
import type { Range } from "../range/Range.ts"
import { makePlannedRanges, packRows } from "./PlannedRanges.ts"
import { type Checksum, makeRangeCheck } from "./RangeCheck.ts"

/** A message of a partition. Positions are numbers that rise, with gaps. */
export interface MessageRow {
  readonly position: bigint
  /** `undefined`: the message makes no row. */
  readonly content: Uint8Array | undefined
}

/** How the messages of a partition are read. */
export interface MessageReader<E> {
  /** Which source it is. Rows of another one are not read. */
  readonly identity: string
  /** The messages from a position on that one fetch of about so many bytes finds, and the position after all that it looked at. */
  readonly fetch: (
    position: bigint,
    bytes: number
  ) => Effect.Effect<{ readonly rows: ReadonlyArray<MessageRow>; readonly next: bigint }, E>
  /** Waits until there is something to fetch from a position on. Returns whether there is, in the time. */
  readonly arrival: (position: bigint, longest: Duration.Duration) => Effect.Effect<boolean, E>
}

/** How much is fetched, in bytes. */
export interface MessageLimits {
  /** Of planned ranges, until they are read. What does not fit is fetched again. */
  readonly bufferBytes: number
  /** A fetch that found less is followed by a pause, so that a source with few messages is not asked for each of them. */
  readonly leastFetchBytes: number
  /** The most that one fetch asks for. */
  readonly fetchBytes: number
  /** What a message takes in a fetch beside its row, about. */
  readonly messageOverhead: number
}

/** How many of the rows that are kept are objects at the same time. */
const rowsAtOnce = 1000

const pauseForMore = Duration.millis(100)

/** The rows of a range while it is planned, up to its limits. */
const makeFilling = (limits: RangeLimits, from: bigint) => {
  const filling = { rows: 0, bytes: 0, next: from }
  const isFull = () => filling.rows >= limits.rows || filling.bytes >= limits.bytes
  return {
    filling,
    isFull,
    /** Takes messages up to the limits. Returns their rows, and whether all were taken. */
    take: (found: ReadonlyArray<MessageRow>) => {
      const part: Array<Uint8Array> = []
      for (const { content, position } of found) {
        if (content !== undefined) {
          const fits = filling.rows === 0 || filling.bytes + content.length <= limits.bytes
          if (isFull() || !fits) return { part, isTaken: false }
          part.push(content)
          filling.rows += 1
          filling.bytes += content.length
        }
        filling.next = position + 1n
      }
      return { part, isTaken: true }
    },
    /** The bytes of a fetch of what still fits, by the rows so far: so little is fetched and left. */
    wantedBytes: (overhead: number): number => {
      const { bytes, rows } = filling
      if (rows === 0) return limits.bytes
      const rowBytes = bytes / rows + overhead
      return Math.min(limits.rows - rows, (limits.bytes - bytes) / rowBytes) * rowBytes
    }
  }
}

/** Fetches a range again, and fails at its end if the rows are not those that were planned. */
const readAgain = <E>(
  { detail, from, partition, to }: Range,
  { fetch }: MessageReader<E>,
  { fetchBytes }: MessageLimits,
  checksum: Checksum
) => {
  const check = makeRangeCheck(checksum)
  const end = BigInt(to)
  const readPart = Effect.fnUntraced(function* (start: bigint) {
    const { next, rows } = yield* fetch(start, fetchBytes)
    if (next === start) {
      return yield* new SourceError({
        message: `partition ${partition}: the messages from ${start} on are not there yet`
      })
    }
    const part = rows.flatMap(({ content, position }) => (content === undefined || position >= end ? [] : [content]))
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

/**
 * Ranges of messages: a range is planned by fetching until it is full or its time is over, its rows are kept until it is read, and what
 * was not kept is fetched again and compared with what was planned. For sources that hand out messages, such as topics and streams.
 *
 * @example
 * ```ts
 * import { makeMessageRanges } from "@headgate/mover"
 * import { crc32 } from "node:zlib"
 *
 * const limits = { bufferBytes: 64e6, fetchBytes: 1e6, leastFetchBytes: 64e3, messageOverhead: 16 }
 * export const ranges = makeMessageRanges(limits, crc32)
 * ```
 */
export const makeMessageRanges = (limits: MessageLimits, checksum: Checksum) => {
  const planned = makePlannedRanges(limits.bufferBytes)
  /** The position at which the last fetch from a partition found nothing. */
  const emptyAt = new Map<string, bigint>()

  return {
    /** Forgets what was planned. */
    reset: Effect.sync(() => {
      planned.clear()
      emptyAt.clear()
    }),

    plan: Effect.fnUntraced(function* <E>(
      partition: string,
      from: bigint,
      most: RangeLimits,
      reader: MessageReader<E>
    ) {
      const kept = planned.begin(partition)
      const check = makeRangeCheck(checksum)
      const { filling, isFull, take, wantedBytes } = makeFilling(most, from)
      const end = (yield* Clock.monotonicTimeNanos) + Duration.toNanosUnsafe(most.wait)
      const remaining = Effect.map(Clock.monotonicTimeNanos, (now) => Duration.nanos(now < end ? end - now : 0n))
      while (true) {
        // Nothing is fetched from there until something has arrived.
        const isEmpty = emptyAt.get(partition) === filling.next
        const least = filling.next === from ? (most.idleTimeout ?? Duration.zero) : Duration.zero
        if (isEmpty && !(yield* reader.arrival(filling.next, Duration.max(least, yield* remaining)))) break
        const before = filling.bytes
        const found = yield* reader.fetch(filling.next, wantedBytes(limits.messageOverhead))
        if (found.next === filling.next) emptyAt.set(partition, filling.next)
        else emptyAt.delete(partition)
        const { isTaken, part } = take(found.rows)
        const packed = packRows(part)
        check.add(packed.bytes, part.length)
        kept.add(packed)
        if (!isTaken) break
        filling.next = found.next
        if (isFull() || Duration.isZero(yield* remaining)) break
        if (filling.bytes - before < limits.leastFetchBytes) {
          yield* Effect.sleep(Duration.min(yield* remaining, pauseForMore))
        }
      }
      const to = String(filling.next)
      // Positions without a row are recorded as well: retention may remove them, and nothing was lost then.
      if (filling.next === from) return { _tag: "Nothing" } satisfies Plan
      kept.end({ identity: reader.identity, partition, from: String(from), to })
      return { _tag: "Planned", to, rows: filling.rows, bytes: filling.bytes, detail: check.detail() } satisfies Plan
    }),

    read: <E>(range: Range, reader: MessageReader<E>) => {
      if (reader.identity !== range.source) {
        const message = `the source is ${reader.identity}, and not ${range.source}`
        return Stream.fail(new RangeChanged({ message }))
      }
      const rows = planned.get({ identity: reader.identity, ...range })
      return rows === undefined
        ? readAgain(range, reader, limits, checksum)
        : Stream.fromIterable(rows, { chunkSize: rowsAtOnce })
    }
  }
}
