import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Warehouse } from "../port/Warehouse.ts"
import { type Range, tokenOf } from "../range/Range.ts"
import { deduplicationWindow } from "../rule/deduplicationWindow.ts"
import { lawPipeId, logIsKept, otherPipeId, rangeOf } from "./lawPipes.ts"

/** A warehouse under test, with an empty table, and what the laws must do to it and see of it. */
export interface WarehouseUnderTest {
  readonly warehouse: Warehouse["Service"]
  /** A row that the table takes, different for each number, and one that it cannot read. */
  readonly row: (number: number) => string
  readonly badRow: string
  /** The rows in the table, in any order, as `row` makes them. */
  readonly rows: Effect.Effect<ReadonlyArray<string>, unknown>
  /** The rows in the error table. */
  readonly badRows: Effect.Effect<ReadonlyArray<string>, unknown>
  /** Deletes all rows of the table. */
  readonly empty: Effect.Effect<void, unknown>
  /** Breaks the connection of the next insert when it has sent so many rows. */
  readonly breakNextInsert: (rows: number) => Effect.Effect<void, unknown>
}

/** What {@link warehouseLaws} need: `make` is called for each law, and makes an empty table. */
export interface WarehouseLawsOptions {
  readonly name: string
  readonly make: Effect.Effect<WarehouseUnderTest, unknown, Scope.Scope>
}

const window = deduplicationWindow({ inFlight: 1, partsPerInsert: 1, pipesOnTable: 1 })
const encoder = new TextEncoder()

/**
 * The laws of `Warehouse`: what the mover's delivery exactly once stands on.
 *
 * @example
 * ```ts
 * import { warehouseLaws, type WarehouseUnderTest } from "@headgate/mover/laws"
 * import type * as Effect from "effect/Effect"
 * import type * as Scope from "effect/Scope"
 *
 * // In a test file of Vitest; `make` makes an empty table.
 * export const suite = (make: Effect.Effect<WarehouseUnderTest, unknown, Scope.Scope>) =>
 *   warehouseLaws({ name: "my warehouse", make })
 * ```
 */
export const warehouseLaws = ({ make, name }: WarehouseLawsOptions): void => {
  const law = (title: string, body: (subject: Subject) => Effect.Effect<void, unknown>) =>
    it.live(title, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const subject = subjectOf(yield* make)
          yield* subject.warehouse.open(lawPipeId, window)
          yield* body(subject)
        })
      )
    )

  describe(`${name}: laws of Warehouse`, () => {
    law("opening a table again changes nothing", (subject) =>
      Effect.gen(function* () {
        yield* subject.insert(rangeOf(0, 10))
        yield* subject.warehouse.open(lawPipeId, window)
        yield* subject.holds(subject.texts(0, 10))
      })
    )

    law("a range that is inserted again under its token is in the table once", (subject) =>
      Effect.gen(function* () {
        yield* subject.insert(rangeOf(0, 10))
        yield* subject.insert(rangeOf(10, 20))
        yield* subject.insert(rangeOf(0, 10))
        yield* subject.holds(subject.texts(0, 20))
      })
    )

    law("an insert without rows changes nothing", (subject) =>
      Effect.gen(function* () {
        yield* subject.insert(rangeOf(0, 10))
        yield* subject.insert(rangeOf(10, 10))
        yield* subject.holds(subject.texts(0, 10))
      })
    )

    law("an insert that breaks off in the middle leaves nothing, and its replay is whole", (subject) =>
      Effect.gen(function* () {
        yield* subject.breakNextInsert(1500)
        const { _tag } = yield* Effect.flip(subject.insert(rangeOf(0, 2000)))
        assert.strictEqual(_tag, "WarehouseError")
        yield* subject.insert(rangeOf(0, 2000))
        yield* subject.holds(subject.texts(0, 2000))
      })
    )

    law("a token stays used when its rows are deleted, and the next generation's is another one", (subject) =>
      Effect.gen(function* () {
        yield* subject.insert(rangeOf(0, 10))
        yield* subject.empty
        yield* subject.insert(rangeOf(0, 10))
        yield* subject.holds([])
        yield* subject.insert(rangeOf(0, 10, { generation: 2 }))
        yield* subject.holds(subject.texts(0, 10))
      })
    )

    law("the same rows under other tokens are other rows", (subject) =>
      Effect.gen(function* () {
        yield* subject.insert(rangeOf(0, 10))
        yield* subject.insert(rangeOf(0, 10, { partition: "1" }))
        yield* subject.holds([...subject.texts(0, 10), ...subject.texts(0, 10)])
      })
    )

    law("a token is remembered for as many inserts as a pipe may have pending", (subject) =>
      Effect.gen(function* () {
        for (let from = 0; from < 60; from += 1) yield* subject.insert(rangeOf(from, from + 1))
        yield* subject.insert(rangeOf(0, 1))
        yield* subject.holds(subject.texts(0, 60))
      })
    )

    law("two inserts of one range at the same time leave it once", (subject) =>
      Effect.gen(function* () {
        yield* Effect.all([subject.insert(rangeOf(0, 10)), subject.insert(rangeOf(0, 10))], { concurrency: 2 })
        yield* subject.holds(subject.texts(0, 10))
      })
    )

    law("a row that it cannot read is named, nothing is inserted, and the token is not used", (subject) =>
      Effect.gen(function* () {
        const texts = [...subject.texts(0, 3), subject.badRow, ...subject.texts(4, 6)]
        for (const _ of ["first", "again"]) {
          const error = yield* Effect.flip(subject.insert(rangeOf(0, 6), texts))
          if (error._tag !== "RowsRejected") return assert.fail(`expected RowsRejected, and it was ${error._tag}`)
          assert.strictEqual(error.rows[0].row, 3)
          assert.isNotEmpty(error.rows[0].reason)
        }
        yield* subject.holds([])
        yield* subject.insert(rangeOf(0, 6), subject.texts(0, 6))
        yield* subject.holds(subject.texts(0, 6))
      })
    )

    law("a bad row is named although the token was used, so that a replay finds it again", (subject) =>
      Effect.gen(function* () {
        yield* subject.insert(rangeOf(0, 3))
        const error = yield* Effect.flip(subject.insert(rangeOf(0, 3), [...subject.texts(0, 3), subject.badRow]))
        assert.strictEqual(error._tag, "RowsRejected")
      })
    )

    law("bad rows are in the error table once for each token", (subject) =>
      Effect.gen(function* () {
        const range = rangeOf(0, 3)
        const bad = Stream.make({ row: 1, content: encoder.encode(subject.badRow), reason: "cannot parse" })
        yield* subject.warehouse.insertBad(range, "first", bad)
        yield* subject.warehouse.insertBad(range, "first", bad)
        assert.deepStrictEqual(yield* subject.badRows, [subject.badRow])
        yield* subject.warehouse.insertBad(range, "second", bad)
        assert.lengthOf(yield* subject.badRows, 2)
      })
    )

    law("the table counts its inserts, of all pipes, so that a token that may be forgotten is known", (subject) =>
      Effect.gen(function* () {
        const count = Effect.map(subject.warehouse.logged(lawPipeId), ({ inserts = Number.NaN }) => inserts)
        const before = yield* count
        for (let from = 0; from < 6; from += 1) yield* subject.insert(rangeOf(from, from + 1, { pipeId: otherPipeId }))
        const counted = (yield* count) - before
        assert.isAtLeast(counted, 6)
        // One that counts far too many asks for decisions that nobody needs to take.
        assert.isBelow(counted, 60)
      })
    )

    law("the log holds the last position of each partition of the last generation, for each pipe", ({ warehouse }) =>
      logIsKept(warehouse)
    )
  })
}

const subjectOf = (subject: WarehouseUnderTest) => {
  const texts = (from: number, to: number): ReadonlyArray<string> =>
    Array.from({ length: to - from }, (_, index) => subject.row(from + index))
  return {
    ...subject,
    texts,
    /** Inserts a range whose rows are the numbers from `from` to `to`, or these. */
    insert: (range: Range, rows = texts(Number(range.from), Number(range.to))) =>
      subject.warehouse.insert(range, tokenOf(range), Stream.fromArray(rows.map((row) => encoder.encode(row)))),
    holds: (expected: ReadonlyArray<string>) =>
      Effect.map(subject.rows, (rows) => {
        assert.deepStrictEqual(rows.toSorted(), expected.toSorted())
      })
  }
}
type Subject = ReturnType<typeof subjectOf>
