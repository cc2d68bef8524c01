import { assert, it } from "@effect/vitest"
import type { RangeLimits } from "@headgate/mover"
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

const keysOf = Effect.fnUntraced(function* (options: ObjectStorageOptions) {
  const { source } = yield* ObjectStorage.make(options)
  const [partition] = yield* source.partitions
  const keys: Array<string> = []
  let from = partition?.start ?? ""
  while (true) {
    const plan = yield* source.plan("objects", from, limits)
    if (plan._tag !== "Planned") return { keys, end: plan._tag }
    keys.push(plan.to)
    from = plan.to
  }
})

describeStorage("a bucket", (storage) => {
  it.live("ends after its last object, in the order of the bytes of keys, without folders", () =>
    Effect.gen(function* () {
      const bucket = yield* makeBucket(yield* storage)
      // By UTF-16, the last two would be the other way round.
      const keys = ["a", "a b+c%2F#?&=;:@!'()*", "b/", "b/c", "\uffee", "😀"]
      for (const key of keys) yield* bucket.put(key, key.endsWith("/") ? "" : "{}")
      assert.deepStrictEqual(yield* keysOf(options(bucket.base)), {
        keys: keys.filter((key) => key !== "b/"),
        end: "End"
      })
      assert.deepStrictEqual((yield* keysOf(options(bucket.base, { startAfter: "b" }))).keys, ["b/c", "\uffee", "😀"])
      assert.deepStrictEqual((yield* keysOf(options(bucket.base, { url: `${bucket.base}/b/*` }))).keys, ["b/c"])
    })
  )

  it.live("is listed page by page, each object once", () =>
    Effect.gen(function* () {
      const bucket = yield* makeBucket(yield* storage)
      const all = Array.from({ length: 1100 }, (_, index) => `logs/${String(index).padStart(5, "0")}.json`)
      yield* Effect.forEach(all, (key) => bucket.put(key, "{}"), { concurrency: 8, discard: true })
      assert.deepStrictEqual((yield* keysOf(options(bucket.base))).keys, all)
    })
  )

  it.live("counts objects that appear below the position, and those that change after they were read, once each", () =>
    Effect.gen(function* () {
      const bucket = yield* makeBucket(yield* storage)
      for (const key of ["b", "d"]) yield* bucket.put(key, "{}")
      const often = { isContinuous: true, pollEvery: Duration.millis(1) }
      const { source } = yield* ObjectStorage.make(options(bucket.base, often))
      const plan = (from: string) => source.plan("objects", from, limits)
      assert.include(yield* plan(""), { _tag: "Planned", to: "b" })
      assert.include(yield* plan("b"), { _tag: "Planned", to: "d" })
      // From here on it knows what is there.
      assert.deepStrictEqual(yield* plan("d"), { _tag: "Nothing", skipped: 0 })
      for (const key of ["a", "c", "e"]) yield* bucket.put(key, "{}")
      yield* bucket.put("b", "{} ")
      assert.include(yield* plan("d"), { _tag: "Planned", to: "e" })
      assert.deepStrictEqual(yield* plan("e"), { _tag: "Nothing", skipped: 3 })
      assert.deepStrictEqual(yield* plan("e"), { _tag: "Nothing", skipped: 0 })
    })
  )

  it.live("refuses an object that is too large, and says why a bucket cannot be listed", () =>
    Effect.gen(function* () {
      const bucket = yield* makeBucket(yield* storage)
      yield* bucket.put("a", "0123456789")
      const { source } = yield* ObjectStorage.make(options(bucket.base, { maxBytes: 9 }))
      const plan = yield* source.plan("objects", "", limits)
      if (plan._tag !== "Planned" || source.objects === undefined) return assert.fail("nothing was planned")
      assert.strictEqual(plan.bytes, 10)
      const range = { pipeId: "" as never, generation: 1, source: "", partition: "objects", from: "", to: "a" }
      const [found] = yield* source.objects.reference({ ...range, detail: plan.detail ?? "" })
      assert.deepInclude(found, { _tag: "Refused", reason: "it has 10 bytes, and at most 9 are read" })
      const error = yield* Effect.flip(keysOf(options(`${bucket.base}x`)))
      assert.strictEqual(error.message, "the storage 127.0.0.1 refuses to list the bucket: 404 NoSuchBucket")
      assert.deepInclude(error, { _tag: "SourceError", field: "url" })
    })
  )
})
