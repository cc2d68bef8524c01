import type { DoneObject, LedgerWriteError, ObjectListing, ObjectRecord, SourceError } from "@headgate/mover"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { compareKeys } from "../key/Bucket.ts"
import type { Storage, ListedObject } from "../storage/Storage.ts"

// The list of a bucket with more new objects is read in parts, each in the order of times. A key takes up to 1 kB.
const mostHeld = 100_000
const mostHeldBytes = 16 * 1024 * 1024
/** A bucket is listed for at most an eleventh of the time. */
const pauseForDuration = 10
/** A request counts for no longer: the process may have been stopped in the middle of one. */
const longestRequest = Duration.toNanosUnsafe(Duration.seconds(5))

/** What is listed, and when. */
export interface ListerOptions {
  readonly storage: Pick<Storage, "list">
  readonly prefix: string
  readonly startAfter: string
  readonly isRead: (object: ListedObject) => boolean
  /** The pause after a list, at least. */
  readonly pause: Duration.Duration
}

/** A list that goes on. */
interface OpenList {
  isBegun: boolean
  /** The last key that was listed. */
  after: string
  duration: bigint
  /** Of it, what counts for the pause. */
  counted: bigint
  changed: number
  example: string | undefined
}

const byTime = (one: ListedObject, other: ListedObject): number =>
  one.modified === other.modified ? compareKeys(one.key, other.key) : one.modified - other.modified

/** Finds the objects of a bucket that a pipe has not read, list after list. Memory holds a part of one list. */
export const makeLister = ({ isRead, pause, prefix, startAfter, storage }: ListerOptions) => {
  let list: OpenList | undefined
  let next: bigint | undefined
  let listing: ObjectListing | undefined

  const readPage = Effect.fnUntraced(function* (open: OpenList, record: ObjectRecord) {
    const began = yield* Clock.monotonicTimeNanos
    if (!open.isBegun) yield* record.begin
    open.isBegun = true
    const { isTruncated, objects } = yield* storage.list(prefix, open.after)
    const found = objects.filter(isRead)
    const known = found.length === 0 ? new Map<string, string>() : yield* record.find(found)
    const changed = found.filter(({ key }) => known.get(key) === "another")
    open.changed += changed.length
    open.example ??= changed[0]?.key
    open.after = objects.at(-1)?.key ?? open.after
    if (!isTruncated) yield* record.end
    const taken = (yield* Clock.monotonicTimeNanos) - began
    open.duration += taken
    open.counted += taken < longestRequest ? taken : longestRequest
    return { isTruncated, objects: found.filter(({ key }) => !known.has(key)) }
  })

  const end = Effect.fnUntraced(function* ({ changed, counted, duration, example }: OpenList) {
    const rest = Duration.max(pause, Duration.times(Duration.nanos(counted), pauseForDuration))
    next = (yield* Clock.monotonicTimeNanos) + Duration.toNanosUnsafe(rest)
    list = undefined
    listing = {
      changed,
      ...(example === undefined ? {} : { example }),
      duration: Duration.nanos(duration),
      next: DateTime.addDuration(yield* DateTime.now, rest)
    }
  })

  /** Lists on, until memory is full or the list has ended. Returns what the record lacks, the oldest first. */
  const read: (record: ObjectRecord) => Effect.Effect<ReadonlyArray<ListedObject>, SourceError | LedgerWriteError> =
    Effect.fnUntraced(function* (record) {
      const open = (list ??= {
        isBegun: false,
        after: startAfter,
        duration: 0n,
        counted: 0n,
        changed: 0,
        example: undefined
      })
      const held: Array<ListedObject> = []
      let bytes = 0
      while (held.length < mostHeld && bytes < mostHeldBytes) {
        // What comes before an error is read, and the list goes on after it.
        const page = yield* Effect.catchTag(readPage(open, record), "SourceError", (error) =>
          held.length === 0 ? Effect.fail(error) : Effect.undefined
        )
        if (page === undefined) break
        const { isTruncated, objects } = page
        for (const object of objects) {
          held.push(object)
          bytes += object.key.length
        }
        if (!isTruncated) {
          yield* end(open)
          break
        }
      }
      return held.toSorted(byTime)
    })

  return {
    read,
    /** Whether a list goes on, of which a part is read. */
    isOpen: () => list !== undefined,
    /** When the next list may begin, by the monotonic clock; `undefined` for now. */
    next: () => next,
    /** What the last list has shown that has ended since the last time. */
    takeListing: () => {
      const taken = listing
      listing = undefined
      return taken
    },
    /** Begins with a new list. */
    reset: () => {
      list = undefined
      next = undefined
      listing = undefined
    }
  }
}

/** The objects of a list that is compared with a record. */
export const toDone = ({ etag, key }: DoneObject): DoneObject => ({ key, etag })
