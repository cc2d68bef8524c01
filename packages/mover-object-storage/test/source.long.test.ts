import { assert, it } from "@effect/vitest"
import type { ObjectListing, ObjectRecord, RangeLimits, Source } from "@headgate/mover"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { ObjectStorage, type ObjectStorageOptions } from "../src/index.ts"
import { describeStorage, makeBucket } from "./support/storage.ts"

const limits: RangeLimits = { rows: 1000, bytes: 1_000_000, wait: Duration.millis(50) }

const options = (base: string, change: Partial<ObjectStorageOptions> = {}): ObjectStorageOptions => ({
  url: `${base}/**`,
  format: "JSONEachRow",
  compression: "auto",
  isContinuous: false,
  ...change
})

/** The keys of each range up to where nothing is planned. */
const rangesOf = Effect.fnUntraced(function* (
  { plan }: Source["Service"],
  read: Map<string, string>,
  within: RangeLimits = limits
) {
  const record: ObjectRecord = {
    begin: Effect.void,
    find: (objects) =>
      Effect.sync(() => {
        const known = objects.filter(({ key }) => read.has(key))
        return new Map(known.map(({ etag, key }) => [key, read.get(key) === etag ? "same" : "another"] as const))
      }),
    end: Effect.sync(() => void (ends += 1))
  }
  let ends = 0
  let listing: ObjectListing | undefined
  const ranges: Array<ReadonlyArray<string>> = []
  while (true) {
    const found = yield* plan("objects", String(ranges.length), within, record)
    listing = found.listing ?? listing
    if (found._tag !== "Planned") return { ranges, end: found._tag, listing, ends }
    const { objects = [] } = found
    for (const { etag, key } of objects) read.set(key, etag)
    ranges.push(objects.map(({ key }) => key))
  }
})

const keysOf = Effect.fnUntraced(function* (options: ObjectStorageOptions) {
  const { source } = yield* ObjectStorage.make(options)
  const { end, ranges } = yield* rangesOf(source, new Map())
  return { keys: ranges.flat(), end }
})

describeStorage("a bucket", (storage) => {
  it.live("ends after its last object, without folders", () =>
    Effect.gen(function* () {
      const bucket = yield* makeBucket(yield* storage)
      // By UTF-16, the last two would be the other way round.
      const keys = ["a", "a b+c%2F#?&=;:@!'()*", "b/", "b/c", "\uffee", "😀"]
      for (const key of keys) yield* bucket.put(key, key.endsWith("/") ? "" : "{}")
      const { end, keys: found } = yield* keysOf(options(bucket.base))
      assert.deepStrictEqual([found.toSorted(), end], [keys.filter((key) => key !== "b/").toSorted(), "End"])
      const after = (yield* keysOf(options(bucket.base, { startAfter: "b" }))).keys
      assert.deepStrictEqual(after.toSorted(), ["b/c", "\uffee", "😀"].toSorted())
      assert.deepStrictEqual((yield* keysOf(options(bucket.base, { url: `${bucket.base}/b/*` }))).keys, ["b/c"])
    })
  )

  it.live("is listed page by page, each object once", () =>
    Effect.gen(function* () {
      const bucket = yield* makeBucket(yield* storage)
      const all = Array.from({ length: 1100 }, (_, index) => `logs/${String(index).padStart(5, "0")}.json`)
      yield* Effect.forEach(all, (key) => bucket.put(key, "{}"), { concurrency: 8, discard: true })
      assert.deepStrictEqual((yield* keysOf(options(bucket.base))).keys.toSorted(), all)
    })
  )

  it.live("is listed again, so that each new key is read whatever its name is, and what has changed is counted", () =>
    Effect.gen(function* () {
      const bucket = yield* makeBucket(yield* storage)
      for (const key of ["b", "d"]) yield* bucket.put(key, "{}")
      const often = { isContinuous: true, pollEvery: Duration.millis(1) }
      const { source } = yield* ObjectStorage.make(options(bucket.base, often))
      const read = new Map<string, string>()
      const first = yield* rangesOf(source, read)
      assert.deepStrictEqual(first.ranges, [["b", "d"]])
      for (const key of ["a", "c", "e"]) yield* bucket.put(key, "{}")
      yield* bucket.put("b", "{} ")
      // The list after the first one begins ten times its duration later, however long that was.
      yield* Effect.sleep(Duration.times(first.listing?.duration ?? Duration.seconds(1), 12))
      const { listing, ranges } = yield* rangesOf(source, read)
      assert.deepStrictEqual(ranges.flat().toSorted(), ["a", "c", "e"])
      assert.deepInclude(listing, { changed: 1, example: "b" })
      assert.isTrue(Duration.isGreaterThan(listing?.duration ?? Duration.zero, Duration.zero))
    })
  )

  it.live("has small objects read together, up to 32 MB and as many as asked for, and large ones alone", () =>
    Effect.gen(function* () {
      const bucket = yield* makeBucket(yield* storage)
      const large = new Uint8Array(20_000_000)
      for (const key of ["a", "b", "c"]) yield* bucket.put(key, key === "c" ? "{}" : large)
      const { source } = yield* ObjectStorage.make(options(bucket.base))
      const { end, ranges } = yield* rangesOf(source, new Map())
      assert.deepStrictEqual([ranges.map(({ length }) => length), end], [[1, 2], "End"])
      const one = yield* ObjectStorage.make(options(bucket.base))
      assert.lengthOf((yield* rangesOf(one.source, new Map(), { ...limits, objects: 1 })).ranges, 3)
    })
  )

  it.live("is compared by one list with many objects of a range, of which some have changed or are gone", () =>
    Effect.gen(function* () {
      const bucket = yield* makeBucket(yield* storage)
      const keys = Array.from({ length: 30 }, (_, index) => `${index % 7}-${index}`)
      for (const key of keys) yield* bucket.put(key, "{}")
      const { source } = yield* ObjectStorage.make(options(bucket.base))
      const plan = yield* source.plan("objects", "0", limits)
      if (plan._tag !== "Planned" || source.objects === undefined) return assert.fail("nothing was planned")
      const range = {
        pipeId: "" as never,
        generation: 1,
        source: "",
        partition: "objects",
        from: "0",
        to: "1",
        detail: plan.detail ?? ""
      }
      assert.strictEqual((yield* source.objects.changed(range)).size, 0)
      for (const key of ["0-0", "3-10"]) yield* bucket.put(key, "{ }")
      yield* bucket.remove("6-27")
      const changed = yield* source.objects.changed(range)
      assert.deepStrictEqual([...changed].toSorted(), ["0-0", "3-10", "6-27"])
    })
  )

  it.live("refuses an object that is too large, and says why a bucket cannot be listed", () =>
    Effect.gen(function* () {
      const bucket = yield* makeBucket(yield* storage)
      yield* bucket.put("a", "0123456789")
      const { source } = yield* ObjectStorage.make(options(bucket.base, { maxBytes: 9 }))
      const plan = yield* source.plan("objects", "0", limits)
      if (plan._tag !== "Planned" || source.objects === undefined) return assert.fail("nothing was planned")
      assert.strictEqual(plan.bytes, 10)
      const range = { pipeId: "" as never, generation: 1, source: "", partition: "objects", from: "0", to: "1" }
      const [found] = yield* source.objects.reference({ ...range, detail: plan.detail ?? "" })
      assert.deepInclude(found, { _tag: "Refused", reason: "it has 10 bytes, and at most 9 are read" })
      const error = yield* Effect.flip(keysOf(options(`${bucket.base}x`)))
      assert.strictEqual(error.message, "the storage 127.0.0.1 refuses to list the bucket: 404 NoSuchBucket")
      assert.deepInclude(error, { _tag: "SourceError", field: "url" })
    })
  )
})
