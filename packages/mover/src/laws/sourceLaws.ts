import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RangeLimits, Source } from "../port/Source.ts"
import type { MoveError } from "../range/MoveError.ts"
import type { Range } from "../range/Range.ts"
import { onePartition } from "./lawPipes.ts"
import type { LawsOptions } from "./LawsOptions.ts"

/** A source under test, with one partition and no rows, and what the laws must do to it. */
export interface SourceUnderTest {
  readonly source: Source["Service"]
  readonly append: (rows: ReadonlyArray<string>) => Effect.Effect<void, unknown>
  /** Loses the first rows, as retention does. Absent: the source keeps its rows. */
  readonly loseFirst?: (rows: number) => Effect.Effect<void, unknown>
  /** Makes it another source of the same name, without rows. */
  readonly replace: Effect.Effect<void, unknown>
}

const limits: RangeLimits = { rows: 100, bytes: 100_000, wait: Duration.millis(50) }
const rowsOf = (count: number, first = 0): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `{"n":${first + index}}`)
const decoder = new TextDecoder()

/**
 * The laws of `Source`: ranges follow one another, and are read the same each time.
 *
 * @example
 * ```ts
 * import { sourceLaws } from "@headgate/mover/laws"
 * import { MemorySource } from "@headgate/mover/memory"
 * import * as Effect from "effect/Effect"
 *
 * const make = Effect.sync(() => {
 *   const memory = MemorySource.make()
 *   return {
 *     source: memory.source,
 *     append: (rows: ReadonlyArray<string>) => memory.append("0", ...rows),
 *     replace: memory.replace("another topic")
 *   }
 * })
 *
 * // In a test file of Vitest.
 * export const suite = () => sourceLaws({ name: "memory", make })
 * ```
 */
export const sourceLaws = ({ make, name }: LawsOptions<SourceUnderTest>): void => {
  const law = (title: string, body: (subject: Subject) => Effect.Effect<void, unknown>) =>
    it.live(title, () => Effect.scoped(Effect.flatMap(make, (subject) => Effect.flatMap(subjectOf(subject), body))))

  describe(`${name}: laws of Source`, () => {
    law("ranges hold all rows, in order, each once", (subject) =>
      Effect.gen(function* () {
        yield* subject.append(rowsOf(25))
        const ranges = yield* subject.planAll({ ...limits, rows: 10 })
        const texts = yield* Effect.forEach(ranges, subject.read)
        assert.deepStrictEqual(texts.flat(), rowsOf(25))
        assert.isTrue(texts.every(({ length }) => length <= 10))
      })
    )

    law("a range ends at the limit of bytes, and holds one row at least", (subject) =>
      Effect.gen(function* () {
        yield* subject.append(rowsOf(6))
        for (const [bytes, count] of [
          [rowsOf(2).join("").length, 3],
          [1, 6]
        ] as const) {
          const ranges = yield* subject.planAll({ ...limits, bytes })
          assert.lengthOf(ranges, count)
          assert.deepStrictEqual((yield* Effect.forEach(ranges, subject.read)).flat(), rowsOf(6))
        }
      })
    )

    law("a range is read the same again, while rows arrive and after other ranges", (subject) =>
      Effect.gen(function* () {
        yield* subject.append(rowsOf(5))
        const [range] = yield* subject.planAll(limits)
        assert.isDefined(range)
        if (range === undefined) return
        yield* subject.append(rowsOf(5, 5))
        const [later] = yield* subject.planAll(limits, range.to)
        if (later !== undefined) assert.deepStrictEqual(yield* subject.read(later), rowsOf(5, 5))
        assert.deepStrictEqual(yield* subject.read(range), rowsOf(5))
        assert.deepStrictEqual(yield* subject.read(range), rowsOf(5))
      })
    )

    law("the first position of a partition is not after the one where a pipe begins", (subject) =>
      Effect.gen(function* () {
        yield* subject.append(rowsOf(5))
        const [fromStart, fromFirst] = [yield* subject.planAll(limits), yield* subject.planAll(limits, subject.first)]
        const [rows, all] = [
          yield* Effect.forEach(fromStart, subject.read),
          yield* Effect.forEach(fromFirst, subject.read)
        ]
        assert.includeMembers(all.flat(), rows.flat())
      })
    )

    law("a plan without rows finds nothing, and waits for them", (subject) =>
      Effect.gen(function* () {
        const waiting = subject.source.plan(subject.partition, subject.start, limits)
        const [time, plan] = yield* Effect.timed(waiting)
        assert.notStrictEqual(plan._tag, "Planned")
        if (plan._tag === "Nothing") assert.isAtLeast(Duration.toMillis(time), 45)
      })
    )

    law("another source of the same name has another identity, and does not answer for the first one", (subject) =>
      Effect.gen(function* () {
        yield* subject.append(rowsOf(5))
        const [range] = yield* subject.planAll(limits)
        if (range === undefined) return assert.fail("nothing was planned")
        const before = yield* subject.source.identity
        assert.strictEqual(yield* subject.source.identity, before)
        yield* subject.replace
        yield* subject.append(rowsOf(5, 100))
        assert.notStrictEqual(yield* subject.source.identity, before)
        const error = yield* Effect.flip(subject.read(range))
        assert.include(["RangeChanged", "PositionLost"], error._tag)
      })
    )

    law("a position that the source no longer holds is PositionLost, with the first one that it holds", (subject) =>
      Effect.gen(function* () {
        if (subject.loseFirst === undefined) return
        yield* subject.append(rowsOf(20))
        const [range] = yield* subject.planAll({ ...limits, rows: 10 })
        if (range === undefined) return assert.fail("nothing was planned")
        yield* subject.loseFirst(12)
        const calls: ReadonlyArray<Effect.Effect<void, MoveError>> = [
          Effect.asVoid(subject.source.plan(subject.partition, range.to, limits)),
          Effect.asVoid(subject.read(range))
        ]
        for (const call of calls) {
          const error = yield* Effect.flip(call)
          if (error._tag !== "PositionLost") return assert.fail(`expected PositionLost, and it was ${error._tag}`)
          const rest = yield* subject.planAll(limits, error.first)
          assert.deepStrictEqual((yield* Effect.forEach(rest, subject.read)).flat(), rowsOf(8, 12))
        }
      })
    )
  })
}

const subjectOf = Effect.fnUntraced(function* (subject: SourceUnderTest) {
  const { source } = subject
  return {
    ...subject,
    ...(yield* onePartition(source)),
    read: (range: Range) =>
      Effect.map(Stream.runCollect(source.read(range)), (rows) => rows.map((row) => decoder.decode(row)))
  }
})
type Subject = Effect.Success<ReturnType<typeof subjectOf>>
