import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { ObjectRecord, RangeLimits, Source } from "../port/Source.ts"
import { onePartition } from "./lawPipes.ts"
import type { LawsOptions } from "./LawsOptions.ts"

/** A source of objects under test, without any, and what the laws must do to it. It waits for more objects. */
export interface ObjectSourceUnderTest {
  readonly source: Source["Service"]
  /** Writes an object, in the place of one that has its key. */
  readonly put: (key: string, rows: ReadonlyArray<string>) => Effect.Effect<void, unknown>
  readonly remove: (key: string) => Effect.Effect<void, unknown>
  /** Lets pass the time after which the source looks for new objects. */
  readonly wait: Effect.Effect<void, unknown>
}

const limits: RangeLimits = { rows: 100, bytes: 100_000, wait: Duration.millis(20) }

/**
 * The laws of a `Source` whose ranges the warehouse reads: each object is planned that the record lacks, and one that has changed is
 * found.
 *
 * @example
 * ```ts
 * import { objectSourceLaws } from "@headgate/mover/laws"
 * import { MemoryObjects } from "@headgate/mover/memory"
 * import * as Effect from "effect/Effect"
 *
 * const make = Effect.sync(() => {
 *   const memory = MemoryObjects.make()
 *   return {
 *     source: memory.source,
 *     put: (key: string, rows: ReadonlyArray<string>) => memory.put(key, ...rows),
 *     remove: memory.remove,
 *     wait: Effect.void
 *   }
 * })
 *
 * // In a test file of Vitest.
 * export const suite = () => objectSourceLaws({ name: "memory", make })
 * ```
 */
export const objectSourceLaws = ({ make, name }: LawsOptions<ObjectSourceUnderTest>): void => {
  const law = (title: string, body: (subject: Subject) => Effect.Effect<void, unknown>) =>
    it.live(title, () => Effect.scoped(Effect.flatMap(make, (subject) => Effect.flatMap(subjectOf(subject), body))))

  describe(`${name}: laws of Source for objects`, () => {
    law("each object is in one range, and what was read is in none", (subject) =>
      Effect.gen(function* () {
        const keys = ["logs/b.json", "logs/a.json", "logs/c ü+%.json"]
        for (const key of keys) yield* subject.put(key, ['{"n":1}'])
        const ranges = yield* subject.planAll(limits)
        const found = (yield* Effect.forEach(ranges, subject.objects.reference)).flat()
        assert.deepStrictEqual(found.map(({ key }) => key).toSorted(), keys.toSorted())
        assert.deepStrictEqual(
          found.map((one) => (one._tag === "Read" ? one.object.key : undefined)),
          found.map(({ key }) => key)
        )
        for (const range of ranges) assert.strictEqual((yield* subject.objects.changed(range)).size, 0)
        yield* subject.wait
        assert.deepStrictEqual(yield* subject.planAll(limits, ranges.at(-1)?.to), [])
      })
    )

    law("positions are the numbers of ranges, and a range holds at most as many objects as it may", (subject) =>
      Effect.gen(function* () {
        for (const key of ["logs/b.json", "logs/a.json", "logs/c.json"]) yield* subject.put(key, ['{"n":1}'])
        const ranges = yield* subject.planAll({ ...limits, objects: 1 })
        assert.deepStrictEqual(
          ranges.map(({ from, to }) => [from, to]),
          [
            ["0", "1"],
            ["1", "2"],
            ["2", "3"]
          ]
        )
      })
    )

    law("an object that arrives later is planned, whatever its key is", (subject) =>
      Effect.gen(function* () {
        yield* subject.put("logs/b.json", ['{"n":1}'])
        const [range] = yield* subject.planAll(limits)
        if (range === undefined) return assert.fail("nothing was planned")
        yield* subject.put("logs/a.json", ['{"n":2}'])
        yield* subject.put("logs/c.json", ['{"n":3}'])
        yield* subject.wait
        const later = yield* Effect.forEach(yield* subject.planAll(limits, range.to), subject.objects.reference)
        assert.deepStrictEqual(
          later
            .flat()
            .map(({ key }) => key)
            .toSorted(),
          ["logs/a.json", "logs/c.json"]
        )
      })
    )

    law("an object that has changed after it was planned, or is gone, is named, and can leave its range", (subject) =>
      Effect.gen(function* () {
        for (const key of ["logs/a.json", "logs/b.json", "logs/c.json"]) yield* subject.put(key, ['{"n":1}'])
        const ranges = yield* subject.planAll(limits)
        yield* subject.put("logs/a.json", ['{"n":2}'])
        yield* subject.remove("logs/b.json")
        const changed = yield* Effect.forEach(ranges, subject.objects.changed)
        assert.deepStrictEqual(changed.flatMap((keys) => [...keys]).toSorted(), ["logs/a.json", "logs/b.json"])
        for (const [index, range] of ranges.entries()) {
          const detail = yield* subject.objects.leave(range, changed[index] ?? new Set(), false)
          const kept = yield* subject.objects.reference({ ...range, detail })
          assert.isTrue(kept.every(({ key }) => key === "logs/c.json"))
          assert.strictEqual((yield* subject.objects.changed({ ...range, detail })).size, 0)
        }
        // The new version is planned after that, once.
        subject.leave(["logs/a.json", "logs/b.json"])
        yield* subject.wait
        const again = yield* Effect.forEach(
          yield* subject.planAll(limits, ranges.at(-1)?.to),
          subject.objects.reference
        )
        assert.deepStrictEqual(
          again.flat().map(({ key }) => key),
          ["logs/a.json"]
        )
      })
    )

    law("an object that is planned alone is in a range of its own", (subject) =>
      Effect.gen(function* () {
        for (const key of ["logs/a.json", "logs/b.json", "logs/c.json"]) yield* subject.put(key, ['{"n":1}'])
        const [range] = yield* subject.planAll(limits)
        if (range === undefined) return assert.fail("nothing was planned")
        const [first] = yield* subject.objects.reference(range)
        if (first === undefined) return assert.fail("the range is empty")
        yield* subject.objects.leave(range, new Set([first.key]), true)
        subject.leave([first.key])
        yield* subject.put("logs/d.json", ['{"n":1}'])
        yield* subject.wait
        const again = yield* Effect.forEach(yield* subject.planAll(limits, "9"), subject.objects.reference)
        assert.deepStrictEqual(
          again.map((objects) => objects.map(({ key }) => key)).toSorted(),
          [[first.key], ["logs/d.json"]].toSorted()
        )
      })
    )

    law("a plan without objects finds nothing, and waits for them", (subject) =>
      Effect.gen(function* () {
        const [time, plan] = yield* Effect.timed(subject.source.plan(subject.partition, subject.start, limits))
        assert.strictEqual(plan._tag, "Nothing")
        assert.isAtLeast(Duration.toMillis(time), 15)
      })
    )
  })
}

const subjectOf = Effect.fnUntraced(function* (subject: ObjectSourceUnderTest) {
  const { objects } = subject.source
  if (objects === undefined) return assert.fail("the source has no objects")
  const read = new Map<string, string>()
  const record: ObjectRecord = {
    begin: Effect.void,
    find: (asked) =>
      Effect.sync(
        () =>
          new Map(
            asked.flatMap(({ etag, key }) => {
              const known = read.get(key)
              return known === undefined ? [] : [[key, known === etag ? "same" : "another"] as const]
            })
          )
      ),
    end: Effect.void
  }
  const source: Source["Service"] = {
    ...subject.source,
    plan: (partition, from, limits) =>
      Effect.tap(subject.source.plan(partition, from, limits, record), (plan) =>
        Effect.sync(() => {
          if (plan._tag === "Planned") for (const { etag, key } of plan.objects ?? []) read.set(key, etag)
        })
      )
  }
  return {
    ...subject,
    objects,
    /** Takes objects out of the record: they have left their range. */
    leave: (keys: ReadonlyArray<string>) => {
      for (const key of keys) read.delete(key)
    },
    ...(yield* onePartition(source))
  }
})
type Subject = Effect.Success<ReturnType<typeof subjectOf>>
