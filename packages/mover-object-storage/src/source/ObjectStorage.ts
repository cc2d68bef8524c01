import { type RangeObject, Source, SourceError } from "@headgate/mover"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type Bucket, bucketOf } from "../key/Bucket.ts"
import { keyMatcher, prefixOf } from "../key/keyPattern.ts"
import type { ObjectStorageOptions } from "../options/ObjectStorageOptions.ts"
import type { StoredObject } from "../storage/objectReference.ts"
import { makeStorage } from "../storage/Storage.ts"
import { decodeDetail, encodeDetail } from "./detail.ts"
import { findChanged } from "./findChanged.ts"
import { makePlanner } from "./makePlanner.ts"

const defaultPoll = Duration.seconds(30)
/** Before a source that is read once is listed again, for objects that changed while they were read. */
const pauseOnce = Duration.seconds(1)
const defaultMaxBytes = 10_000_000_000
/** Storages show folders as empty objects. */
const isFolder = ({ key, size }: StoredObject): boolean => size === 0 && key.endsWith("/")

const openBucket = (url: string): Effect.Effect<Bucket, SourceError> => {
  const bucket = bucketOf(url)
  return "refused" in bucket
    ? Effect.fail(new SourceError({ message: `the URL of the files: ${bucket.refused}` }))
    : Effect.succeed(bucket)
}

/**
 * Objects of a bucket as a `Source`. Each range is a large object, or a group of small ones, which the warehouse reads. Fails if the URL
 * is none of a bucket, or is link-local.
 */
const make = Effect.fnUntraced(function* (options: ObjectStorageOptions) {
  const { isContinuous, maxBytes = defaultMaxBytes, startAfter = "" } = options
  const bucket = yield* openBucket(options.url)
  const storage = makeStorage(bucket, options)
  const matches = keyMatcher(bucket.pattern)
  const prefix = prefixOf(bucket.pattern)
  const pause = isContinuous ? (options.pollEvery ?? defaultPoll) : pauseOnce
  const isRead = (object: StoredObject) => matches(object.key) && !isFolder(object)
  const planner = makePlanner({ storage, prefix, startAfter, isRead, pause, isContinuous })

  const source: Source["Service"] = {
    // It is asked for when a pipe begins to move, or begins again: what was listed before may be old.
    identity: Effect.sync(() => {
      planner.reset()
      return `${bucket.base}/${bucket.pattern}`
    }),
    partitions: Effect.succeed([{ partition: "objects", first: "0", start: "0" }]),
    plan: planner.plan,
    read: () => Stream.fail(new SourceError({ message: "objects are read by the warehouse" })),
    objects: {
      reference: Effect.fn("ObjectStorage.reference")(function* (range) {
        return (yield* decodeDetail(range)).map((found): RangeObject => {
          const { etag, key, size } = found
          const reason = `it has ${size} bytes, and at most ${maxBytes} are read`
          return size > maxBytes
            ? { key, etag, size, _tag: "Refused", reason }
            : { key, etag, size, ...storage.refer(found, options) }
        })
      }),
      changed: Effect.fn("ObjectStorage.changed")(function* (range) {
        return yield* findChanged(storage, prefix, yield* decodeDetail(range))
      }),
      leave: Effect.fn("ObjectStorage.leave")(function* (range, keys, alone) {
        const objects = yield* decodeDetail(range)
        if (alone) planner.planAlone(objects.filter(({ key }) => keys.has(key)))
        return encodeDetail(objects.filter(({ key }) => !keys.has(key)))
      })
    }
  }

  /** The first object, for the discovery of its columns; `undefined` if there is none. */
  const first = Effect.gen(function* () {
    let after = startAfter
    while (true) {
      const { isTruncated, objects } = yield* storage.list(prefix, after)
      const found = objects.find(isRead)
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
  /** How the warehouse reads an object of the bucket, which need not be there. */
  const any = Effect.suspend(() => {
    const referred = storage.refer({ key: "a", etag: "a", size: 0 }, options)
    return referred._tag === "Read"
      ? Effect.succeed(referred.object)
      : Effect.fail(new SourceError({ message: referred.reason }))
  })
  return { source, first, any, check }
})

const layer = (options: ObjectStorageOptions): Layer.Layer<Source, SourceError> =>
  Layer.effect(
    Source,
    Effect.map(make(options), ({ source }) => source)
  )

export const ObjectStorage = { make, layer }
