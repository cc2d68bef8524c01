import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { RangeLimits, Source } from "../port/Source.ts"
import type { ObjectAddress } from "../range/ObjectReference.ts"
import { onePartition } from "./lawPipes.ts"

/** A source of objects under test, without any, and what the laws must do to it. It waits for more objects. */
export interface ObjectSourceUnderTest {
  readonly source: Source["Service"]
  /** Writes an object, in the place of one that has its key. */
  readonly put: (key: string, rows: ReadonlyArray<string>) => Effect.Effect<void, unknown>
  readonly remove: (key: string) => Effect.Effect<void, unknown>
  /** Lets pass the time after which the source looks for new objects. */
  readonly wait: Effect.Effect<void, unknown>
}

/** What {@link objectSourceLaws} need: `make` is called for each law. */
export interface ObjectSourceLawsOptions {
  readonly name: string
  readonly make: Effect.Effect<ObjectSourceUnderTest, unknown, Scope.Scope>
}

const limits: RangeLimits = { rows: 100, bytes: 100_000, wait: Duration.millis(20) }

/**
 * The laws of a `Source` whose ranges the warehouse reads: each range is one object, in the order of keys, and an object that
 * has changed is found.
 *
 * @example
 * ```ts
 * import { objectSourceLaws } from "@headgate/mover/laws"
 * import { MemoryObjects } from "@headgate/mover/memory"
 * import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
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
export const objectSourceLaws = ({ make, name }: ObjectSourceLawsOptions): void => {
  const law = (title: string, body: (subject: Subject) => Effect.Effect<void, unknown>) =>
    it.live(title, () => Effect.scoped(Effect.flatMap(make, (subject) => Effect.flatMap(subjectOf(subject), body))))

  describe(`${name}: laws of Source for objects`, () => {
    law("each range is one object, in the order of keys, each once", (subject) =>
      Effect.gen(function* () {
        for (const key of ["logs/b.json", "logs/a.json", "logs/c ü+%.json"]) yield* subject.put(key, ['{"n":1}'])
        const ranges = yield* subject.planAll(limits)
        assert.deepStrictEqual(
          ranges.map(({ to }) => to),
          ["logs/a.json", "logs/b.json", "logs/c ü+%.json"]
        )
        const addresses = new Set<string>()
        for (const range of ranges) {
          for (const found of yield* subject.objects.reference(range)) {
            if (found._tag === "Read") addresses.add(urlOf(yield* found.object.address))
          }
          yield* subject.objects.verify(range)
        }
        assert.strictEqual(addresses.size, 3)
      })
    )

    law("an object that arrives later is planned if its key sorts above the last one", (subject) =>
      Effect.gen(function* () {
        yield* subject.put("logs/b.json", ['{"n":1}'])
        const [range] = yield* subject.planAll(limits)
        if (range === undefined) return assert.fail("nothing was planned")
        yield* subject.put("logs/a.json", ['{"n":2}'])
        yield* subject.put("logs/c.json", ['{"n":3}'])
        yield* subject.wait
        assert.deepStrictEqual(
          (yield* subject.planAll(limits, range.to)).map(({ to }) => to),
          ["logs/c.json"]
        )
      })
    )

    law("an object that was planned and has changed, or is gone, is RangeChanged", (subject) =>
      Effect.gen(function* () {
        for (const key of ["logs/a.json", "logs/b.json", "logs/c.json"]) yield* subject.put(key, ['{"n":1}'])
        const [changed, removed, same] = yield* subject.planAll(limits)
        if (changed === undefined || removed === undefined || same === undefined) return assert.fail("not all planned")
        yield* subject.put("logs/a.json", ['{"n":2}'])
        yield* subject.remove("logs/b.json")
        for (const range of [changed, removed]) {
          assert.strictEqual((yield* Effect.flip(subject.objects.verify(range)))._tag, "RangeChanged")
          assert.strictEqual((yield* Effect.flip(subject.objects.reference(range)))._tag, "RangeChanged")
        }
        yield* subject.objects.verify(same)
        const [again] = yield* subject.planAll(limits)
        assert.strictEqual(again?.to, "logs/a.json")
        if (again !== undefined) yield* subject.objects.verify(again)
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

/** The address of an object, as a text. */
const urlOf = (address: ObjectAddress): string => (address._tag === "Url" ? Redacted.value(address.url) : address.url)

const subjectOf = Effect.fnUntraced(function* (subject: ObjectSourceUnderTest) {
  const { objects } = subject.source
  if (objects === undefined) return assert.fail("the source has no objects")
  return { ...subject, objects, ...(yield* onePartition(subject.source)) }
})
type Subject = Effect.Success<ReturnType<typeof subjectOf>>
