import { type Plan, type Range, RangeChanged, type RangeLimits, Source, SourceError } from "@headgate/mover"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type Bucket, bucketOf, isAbove } from "../key/Bucket.ts"
import { keyMatcher, prefixOf } from "../key/keyPattern.ts"
import type { ObjectStorageOptions } from "../options/ObjectStorageOptions.ts"
import type { StoredObject } from "../storage/objectReference.ts"
import { type ListedKeys, makeStorage } from "../storage/Storage.ts"
import { makeSkippedKeys } from "./SkippedKeys.ts"

const defaultPoll = Duration.seconds(30)
const defaultMaxBytes = 10_000_000_000
/** After how many looks for new objects it looks at those below the position: all of them are listed for it. */
const looksBetweenCounts = 10

const Detail = Schema.fromJsonString(Schema.Struct({ etag: Schema.String, size: Schema.Finite }))
const encodeDetail = Schema.encodeSync(Detail)

/** Storages show folders as empty objects. */
const isFolder = ({ key, size }: StoredObject): boolean => size === 0 && key.endsWith("/")

const openBucket = (url: string): Effect.Effect<Bucket, SourceError> => {
  const bucket = bucketOf(url)
  return "refused" in bucket
    ? Effect.fail(new SourceError({ message: `the URL of the files: ${bucket.refused}` }))
    : Effect.succeed(bucket)
}

/**
 * Objects of a bucket as a `Source`. Each range is one object, in the order of keys; the warehouse reads it. Fails if the URL
 * is none of a bucket, or is link-local.
 */
const make = Effect.fnUntraced(function* (options: ObjectStorageOptions) {
  const { isContinuous, maxBytes = defaultMaxBytes, startAfter = "" } = options
  const pollEvery = options.pollEvery ?? defaultPoll
  const bucket = yield* openBucket(options.url)
  const storage = makeStorage(bucket, options)
  const matches = keyMatcher(bucket.pattern)
  const prefix = prefixOf(bucket.pattern)
  const skippedKeys = makeSkippedKeys(storage, prefix, matches, startAfter)

  /** The last list: what follows a key up to where it looked. */
  let listed: (ListedKeys & { readonly at: bigint; readonly end: string }) | undefined
  let countedAt: bigint | undefined

  const list = Effect.fnUntraced(function* (after: string) {
    const found = yield* storage.list(prefix, after)
    listed = { ...found, at: yield* Clock.monotonicTimeNanos, end: found.objects.at(-1)?.key ?? after }
  })

  const nextAfter = (from: string): StoredObject | undefined =>
    listed?.objects.find((object) => isAbove(object.key, from) && matches(object.key) && !isFolder(object))

  /** Counts what is skipped when there is nothing else to do. */
  const countSkipped = Effect.fnUntraced(function* (from: string) {
    const now = yield* Clock.monotonicTimeNanos
    const pause = BigInt(looksBetweenCounts) * Duration.toNanosUnsafe(pollEvery)
    if (countedAt !== undefined && now - countedAt < pause) return 0
    countedAt = now
    return yield* skippedKeys.count(from)
  })

  const plan = Effect.fn("ObjectStorage.plan")(function* (_: string, from: string, { wait }: RangeLimits) {
    const end = (yield* Clock.monotonicTimeNanos) + Duration.toNanosUnsafe(wait)
    while (true) {
      if (listed === undefined) yield* list(from)
      const found = nextAfter(from)
      if (found !== undefined) {
        const { etag, key, size } = found
        if (isContinuous) skippedKeys.add(found)
        return { _tag: "Planned", to: key, rows: 0, bytes: size, detail: encodeDetail({ etag, size }) } satisfies Plan
      }
      if (listed?.isTruncated === true) {
        yield* list(isAbove(listed.end, from) ? listed.end : from)
        continue
      }
      if (!isContinuous) return { _tag: "End" } satisfies Plan
      const now = yield* Clock.monotonicTimeNanos
      const next = (listed?.at ?? now) + Duration.toNanosUnsafe(pollEvery)
      if (now >= next) {
        yield* list(from)
        continue
      }
      if (now >= end) return { _tag: "Nothing", skipped: yield* countSkipped(from) } satisfies Plan
      yield* Effect.sleep(Duration.nanos((next < end ? next : end) - now))
    }
  })

  const planned = Effect.fnUntraced(function* ({ detail = "", to }: Range) {
    const was = yield* Effect.mapError(
      Schema.decodeEffect(Detail)(detail),
      () => new RangeChanged({ message: `object ${to} was recorded without ETag and size` })
    )
    const is = yield* storage.find(to)
    if (is === undefined) return yield* new RangeChanged({ message: `object ${to} is gone since it was planned` })
    if (is.etag === was.etag && is.size === was.size) return is
    return yield* new RangeChanged({ message: `object ${to} has changed since it was planned` })
  })

  const source: Source["Service"] = {
    // It is asked for when a pipe begins to move, or begins again: what was listed before may be old.
    identity: Effect.sync(() => {
      listed = undefined
      return `${bucket.base}/${bucket.pattern}`
    }),
    partitions: Effect.succeed([{ partition: "objects", first: startAfter, start: startAfter }]),
    plan,
    read: () => Stream.fail(new SourceError({ message: "objects are read by the warehouse" })),
    objects: {
      reference: Effect.fn("ObjectStorage.reference")(function* (range) {
        const found = yield* planned(range)
        const { etag, key, size } = found
        return size > maxBytes
          ? [{ key, etag, _tag: "Refused", reason: `it has ${size} bytes, and at most ${maxBytes} are read` }]
          : [{ key, etag, ...storage.refer(found, options) }]
      }),
      verify: Effect.fn("ObjectStorage.verify")((range) => Effect.asVoid(planned(range)))
    }
  }

  /** The first object, for the discovery of its columns; `undefined` if there is none. */
  const first = Effect.gen(function* () {
    let after = startAfter
    while (true) {
      const { isTruncated, objects } = yield* storage.list(prefix, after)
      const found = objects.find((object) => matches(object.key) && !isFolder(object))
      if (found !== undefined) {
        const referred = storage.refer(found, options)
        return referred._tag === "Read" ? referred.object : yield* new SourceError({ message: referred.reason })
      }
      if (!isTruncated) return undefined
      after = objects.at(-1)?.key ?? after
    }
  })
  /** Lists the bucket once: whether it may be listed. */
  const check = Effect.asVoid(storage.list(prefix, startAfter))
  return { source, first, check }
})

const layer = (options: ObjectStorageOptions): Layer.Layer<Source, SourceError> =>
  Layer.effect(
    Source,
    Effect.map(make(options), ({ source }) => source)
  )

export const ObjectStorage = { make, layer }
