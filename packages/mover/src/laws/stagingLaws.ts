import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Warehouse } from "../port/Warehouse.ts"
import type { ObjectReference } from "../range/ObjectReference.ts"
import type { Range } from "../range/Range.ts"
import { deduplicationWindow } from "../rule/deduplicationWindow.ts"
import { lawPipeId, otherPipeId, ownerOf, rangeOf } from "./lawPipes.ts"
import type { LawsOptions } from "./LawsOptions.ts"

/** A warehouse under test, with an empty table of several partitions, and what the laws must do to it and see of it. */
export interface StagingUnderTest {
  readonly warehouse: Warehouse["Service"]
  /** Writes an object with these rows, and says how the warehouse reads it. */
  readonly put: (rows: ReadonlyArray<string>) => Effect.Effect<ObjectReference, unknown>
  /** A row that the table takes, different for each number, and one that it cannot read. Not all are in one partition. */
  readonly row: (number: number) => string
  readonly rejectedRow: string
  /** A row that it can read, with values that the table does not take. Absent: there is none such. */
  readonly badValues?: string
  /** The rows in the table, in any order, as `row` makes them. */
  readonly rows: Effect.Effect<ReadonlyArray<string>, unknown>
  /** The rows in the error table: which line of the object each was, and the line. */
  readonly rejected: Effect.Effect<ReadonlyArray<readonly [number, string]>, unknown>
  /** The names of what is staged and not deleted. */
  readonly stagings: Effect.Effect<ReadonlyArray<string>, unknown>
  /**
   * Copies the rows of a staging into the table, as a server that was killed in the middle of a move, and removes what would prove
   * that they came from there.
   */
  readonly interruptMove: (staging: string) => Effect.Effect<void, unknown>
}

const window = deduplicationWindow({ inFlight: 1, partsPerInsert: 1, pipesOnTable: 1 })
const none: ReadonlySet<string> = new Set()

/**
 * The laws of `Warehouse` for objects that it reads by itself: what is staged is moved once, and nobody moves what another
 * owner has deleted.
 *
 * @example
 * ```ts
 * import { type LawsOptions, stagingLaws, type StagingUnderTest } from "@headgate/mover/laws"
 *
 * // In a test file of Vitest; `make` makes an empty table.
 * export const suite = (make: LawsOptions<StagingUnderTest>["make"]) => stagingLaws({ name: "my warehouse", make })
 * ```
 */
export const stagingLaws = ({ make, name }: LawsOptions<StagingUnderTest>): void => {
  const law = (title: string, body: (subject: Subject) => Effect.Effect<void, unknown>) =>
    it.live(title, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const subject = subjectOf(yield* make)
          yield* subject.warehouse.open(lawPipeId, window)
          yield* subject.warehouse.takeOver(ownerOf(5), none)
          yield* body(subject)
        })
      )
    )

  describe(`${name}: laws of staging`, () => {
    law("staged rows are counted by parts, and are in the table when those are moved", (subject) =>
      Effect.gen(function* () {
        const staged = yield* subject.stage(rangeOf(0, 20))
        assert.isAbove(staged.parts.length, 1)
        assert.strictEqual(
          staged.parts.reduce((sum, { rows }) => sum + rows, 0),
          20
        )
        yield* subject.holds([])
        const [first, ...more] = staged.parts
        if (first === undefined) return assert.fail("nothing was staged")
        yield* subject.warehouse.movePart(staged.staging, first)
        assert.lengthOf(yield* subject.rows, first.rows)
        for (const part of more) yield* subject.warehouse.movePart(staged.staging, part)
        yield* subject.warehouse.discard(staged.staging)
        yield* subject.holds(subject.texts(0, 20))
      })
    )

    law("objects without a row are named, alone and among others, of which each row is staged once", (subject) =>
      Effect.gen(function* () {
        const [some, none, more, nothing] = [
          yield* subject.put(subject.texts(0, 3)),
          yield* subject.put([]),
          yield* subject.put(subject.texts(3, 6)),
          yield* subject.put([])
        ]
        const keysOf = (...objects: ReadonlyArray<ObjectReference>) => objects.map(({ key }) => key)
        const staged = yield* subject.warehouse.stage(ownerOf(5), rangeOf(0, 6), [none, some, nothing, more])
        assert.deepStrictEqual(staged.empty, keysOf(none, nothing))
        yield* subject.move(staged)
        yield* subject.holds(subject.texts(0, 6))
        const full = yield* subject.warehouse.stage(ownerOf(5), rangeOf(6, 12), [some, more])
        assert.deepStrictEqual(full.empty ?? [], [])
        const alone = yield* subject.warehouse.stage(ownerOf(5), rangeOf(12, 12), [nothing])
        assert.deepStrictEqual([alone.empty, alone.parts], [keysOf(nothing), []])
        const allEmpty = yield* subject.warehouse.stage(ownerOf(5), rangeOf(12, 13), [none, nothing])
        assert.deepStrictEqual([allEmpty.empty, allEmpty.parts], [keysOf(none, nothing), []])
      })
    )

    law("a part that was moved is not moved again", (subject) =>
      Effect.gen(function* () {
        const staged = yield* subject.stage(rangeOf(0, 20))
        yield* subject.move(staged)
        yield* subject.move(staged)
        yield* subject.holds(subject.texts(0, 20))
      })
    )

    law("a move that may have been interrupted is made, if nothing of it has arrived", (subject) =>
      Effect.gen(function* () {
        yield* subject.move(yield* subject.stage(rangeOf(0, 10)))
        const staged = yield* subject.stage(rangeOf(10, 20))
        const before = yield* subject.before(staged)
        yield* subject.moveAgain(staged, before)
        yield* subject.moveAgain(staged, before)
        yield* subject.holds(subject.texts(0, 20))
      })
    )

    law(
      "a move that was interrupted without a trace is not made again: it cannot continue, and leaves the rows once",
      (subject) =>
        Effect.gen(function* () {
          yield* subject.move(yield* subject.stage(rangeOf(0, 10)))
          const staged = yield* subject.stage(rangeOf(10, 20))
          const before = yield* subject.before(staged)
          yield* subject.interruptMove(staged.staging)
          for (const part of staged.parts) {
            const error = yield* Effect.flip(subject.warehouse.movePart(staged.staging, part, before.get(part.part)))
            assert.strictEqual(error._tag, "CannotContinue")
          }
          yield* subject.holds(subject.texts(0, 20))
        })
    )

    law("two moves of one part at the same time leave its rows once", (subject) =>
      Effect.gen(function* () {
        const staged = yield* subject.stage(rangeOf(0, 20))
        // One of them may fail, and is tried again.
        const move = Effect.retry(subject.move(staged), { times: 20 })
        yield* Effect.all([move, move], { concurrency: 2 })
        yield* subject.holds(subject.texts(0, 20))
      })
    )

    law("two objects are staged at the same time, while a third one is moved", (subject) =>
      Effect.gen(function* () {
        const first = yield* subject.stage(rangeOf(0, 10))
        const stages = [subject.stage(rangeOf(10, 20)), subject.stage(rangeOf(20, 30))] as const
        const [[second, third]] = yield* Effect.all([Effect.all(stages, { concurrency: 2 }), subject.move(first)], {
          concurrency: 2
        })
        yield* subject.holds(subject.texts(0, 10))
        for (const staged of [second, third]) yield* subject.move(staged)
        yield* subject.holds(subject.texts(0, 30))
      })
    )

    law("the same rows in another range are other rows", (subject) =>
      Effect.gen(function* () {
        for (const range of [rangeOf(0, 10), rangeOf(0, 10, { partition: "1" }), rangeOf(0, 10, { generation: 2 })]) {
          yield* subject.move(yield* subject.stage(range))
        }
        yield* subject.holds(Array.from({ length: 3 }, () => subject.texts(0, 10)).flat())
      })
    )

    law("what is staged again begins empty", (subject) =>
      Effect.gen(function* () {
        yield* subject.stage(rangeOf(0, 10))
        yield* subject.move(yield* subject.stage(rangeOf(0, 10)))
        yield* subject.holds(subject.texts(0, 10))
      })
    )

    law(
      "a part of a staging that was deleted cannot be moved, and the move says that the pipe cannot continue",
      (subject) =>
        Effect.gen(function* () {
          const staged = yield* subject.stage(rangeOf(0, 10))
          yield* subject.warehouse.discard(staged.staging)
          yield* subject.warehouse.discard(staged.staging)
          const error = yield* Effect.flip(subject.move(staged))
          assert.strictEqual(error._tag, "CannotContinue")
          yield* subject.holds([])
          assert.deepStrictEqual(yield* subject.stagings, [])
        })
    )

    law("an object that it cannot read is rejected with the reason, and leaves nothing", (subject) =>
      Effect.gen(function* () {
        const object = yield* subject.put([...subject.texts(0, 10), subject.rejectedRow, ...subject.texts(10, 20)])
        const error = yield* Effect.flip(subject.warehouse.stage(ownerOf(5), rangeOf(0, 20), [object]))
        if (error._tag !== "ObjectRejected") return assert.fail(`expected ObjectRejected, and it was ${error._tag}`)
        assert.isNotEmpty(error.reason)
        yield* subject.holds([])
        assert.deepStrictEqual(yield* subject.stagings, [])
      })
    )

    law("the rows of an object that it rejects are staged without those that it cannot read", (subject) =>
      Effect.gen(function* () {
        const { rejectedRow, badValues } = subject
        const lines = [
          ...subject.texts(0, 10),
          rejectedRow,
          ...subject.texts(10, 20),
          ...(badValues === undefined ? [] : [badValues])
        ]
        const object = yield* subject.put(lines)
        const range = rangeOf(0, 20)
        const staged = yield* subject.warehouse.stageRows(ownerOf(5), range, object)
        yield* subject.holds([])
        assert.deepStrictEqual(yield* subject.rejected, [])
        // The ledger has it now: another owner goes on.
        yield* subject.warehouse.takeOver(ownerOf(6), new Set([staged.staging]))
        const rejected = lines.flatMap((line, row) =>
          line === rejectedRow || line === badValues ? [[row, line] as const] : []
        )
        for (const _ of [1, 2]) {
          assert.strictEqual(yield* subject.warehouse.copyRejected(range, staged.staging), rejected.length)
          assert.deepStrictEqual(yield* subject.rejected, rejected)
        }
        yield* subject.move(staged)
        yield* subject.warehouse.discard(staged.staging)
        yield* subject.holds(subject.texts(0, 20))
        assert.deepStrictEqual(yield* subject.stagings, [])
      })
    )

    law("what is staged of an object without rejected rows has none to copy", (subject) =>
      Effect.gen(function* () {
        const staged = yield* subject.stage(rangeOf(0, 20))
        assert.strictEqual(yield* subject.warehouse.copyRejected(rangeOf(0, 20), staged.staging), 0)
        assert.deepStrictEqual(yield* subject.rejected, [])
      })
    )

    law("an owner deletes the rows that earlier ones have copied", (subject) =>
      Effect.gen(function* () {
        const object = yield* subject.put([subject.rejectedRow, ...subject.texts(0, 10)])
        yield* subject.warehouse.stageRows(ownerOf(5), rangeOf(0, 10), object)
        yield* subject.warehouse.takeOver(ownerOf(6), none)
        assert.deepStrictEqual(yield* subject.stagings, [])
      })
    )

    law("objects of one range are staged together, or none of them", (subject) =>
      Effect.gen(function* () {
        const [first, second] = [yield* subject.put(subject.texts(0, 10)), yield* subject.put(subject.texts(10, 15))]
        const rejected = yield* subject.put([subject.rejectedRow])
        const error = yield* Effect.flip(subject.warehouse.stage(ownerOf(5), rangeOf(0, 20), [first, rejected, second]))
        assert.strictEqual(error._tag, "ObjectRejected")
        assert.deepStrictEqual(yield* subject.stagings, [])
        const staged = yield* subject.warehouse.stage(ownerOf(5), rangeOf(0, 20), [
          first,
          yield* subject.put([]),
          second
        ])
        yield* subject.move(staged)
        yield* subject.holds(subject.texts(0, 15))
      })
    )

    law("the objects that were logged are read in the order of their keys, those of the last start alone", (subject) =>
      Effect.gen(function* () {
        const { warehouse } = subject
        const objectsOf = (...keys: ReadonlyArray<string>) => keys.map((key) => ({ key, etag: `etag of '${key}'` }))
        const loggedOf = Effect.fnUntraced(function* (pipeId = lawPipeId) {
          let [after, since] = ["", 0]
          const keys: Array<string> = []
          while (true) {
            const read = yield* warehouse.loggedObjects(pipeId, after)
            since = read.since
            for (const { etag, key } of read.objects) keys.push(`${key} ${etag}`)
            const last = read.objects.at(-1)
            if (last === undefined) return { since, keys }
            after = last.key
          }
        })
        const of = (since: number, ...keys: ReadonlyArray<string>) => ({
          since,
          keys: objectsOf(...keys).map(({ etag, key }) => `${key} ${etag}`)
        })
        assert.deepStrictEqual(yield* loggedOf(), of(0))
        yield* warehouse.log(rangeOf(0, 1), { since: 1, objects: objectsOf("m", "it's\n\\ü", "z") })
        yield* warehouse.log(rangeOf(0, 1), { since: 1, objects: objectsOf("m", "it's\n\\ü", "z") })
        yield* warehouse.log(rangeOf(1, 2, { generation: 2 }), { since: 1, objects: objectsOf("a", "n") })
        yield* warehouse.log(rangeOf(2, 3, { generation: 2 }), { since: 1, objects: [] })
        assert.deepStrictEqual(yield* loggedOf(), of(1, "a", "it's\n\\ü", "m", "n", "z"))
        assert.deepStrictEqual(yield* loggedOf(otherPipeId), of(0))
        yield* warehouse.log(rangeOf(0, 1, { generation: 3 }), { since: 3, objects: objectsOf("m") })
        // A mover that was frozen.
        yield* warehouse.log(rangeOf(3, 4, { generation: 2 }), { since: 1, objects: objectsOf("b") })
        assert.deepStrictEqual(yield* loggedOf(), of(3, "m"))
      })
    )

    law("an object without rows has no parts", (subject) =>
      Effect.gen(function* () {
        const staged = yield* subject.warehouse.stage(ownerOf(5), rangeOf(0, 1), [yield* subject.put([])])
        assert.deepStrictEqual(staged.parts, [])
        yield* subject.warehouse.discard(staged.staging)
      })
    )

    law("an owner deletes what earlier ones have staged, and goes on with what it keeps", (subject) =>
      Effect.gen(function* () {
        const kept = yield* subject.stage(rangeOf(0, 10))
        const left = yield* subject.stage(rangeOf(10, 20))
        const other = yield* subject.stage(rangeOf(20, 30, { pipeId: otherPipeId }), ownerOf(1, otherPipeId))
        yield* subject.warehouse.takeOver(ownerOf(6), new Set([kept.staging]))
        assert.deepStrictEqual((yield* subject.stagings).toSorted(), [kept.staging, other.staging].toSorted())
        assert.strictEqual((yield* Effect.flip(subject.move(left)))._tag, "CannotContinue")
        yield* subject.move(kept)
        yield* subject.holds(subject.texts(0, 10))
      })
    )

    law("an owner that was frozen deletes nothing of a later one, and stages in another place", (subject) =>
      Effect.gen(function* () {
        const later = yield* subject.stage(rangeOf(0, 10), ownerOf(6))
        const frozen = yield* subject.stage(rangeOf(0, 10), ownerOf(5))
        assert.notStrictEqual(frozen.staging, later.staging)
        yield* subject.warehouse.takeOver(ownerOf(5), none)
        assert.deepStrictEqual(yield* subject.stagings, [later.staging])
        yield* subject.move(later)
        yield* subject.holds(subject.texts(0, 10))
      })
    )
  })
}

const subjectOf = (subject: StagingUnderTest) => {
  const texts = (from: number, to: number): ReadonlyArray<string> =>
    Array.from({ length: to - from }, (_, index) => subject.row(from + index))
  type Staged = Effect.Success<ReturnType<Warehouse["Service"]["stage"]>>
  return {
    ...subject,
    texts,
    /** Stages an object whose rows are the numbers of the range. */
    stage: Effect.fnUntraced(function* (range: Range, owner = ownerOf(5)) {
      const object = yield* subject.put(texts(Number(range.from), Number(range.to)))
      return yield* subject.warehouse.stage(owner, range, [object])
    }),
    move: ({ parts, staging }: Pick<Staged, "parts" | "staging">) =>
      Effect.forEach(parts, (part) => subject.warehouse.movePart(staging, part), { discard: true }),
    /** What the warehouse says of each part before it is moved. */
    before: ({ parts }: Pick<Staged, "parts">) =>
      Effect.map(
        Effect.forEach(parts, (part) =>
          Effect.map(subject.warehouse.beforeMove(part), (before) => [part.part, before] as const)
        ),
        (all) => new Map(all)
      ),
    moveAgain: ({ parts, staging }: Pick<Staged, "parts" | "staging">, before: ReadonlyMap<string, string>) =>
      Effect.forEach(parts, (part) => subject.warehouse.movePart(staging, part, before.get(part.part)), {
        discard: true
      }),
    holds: (expected: ReadonlyArray<string>) =>
      Effect.map(subject.rows, (rows) => {
        assert.deepStrictEqual(rows.toSorted(), expected.toSorted())
      })
  }
}
type Subject = ReturnType<typeof subjectOf>
