import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RejectionRecord, Warehouse } from "../port/Warehouse.ts"
import { RejectionChanged } from "../range/MoveError.ts"
import { Range, type RejectedRows } from "../range/Range.ts"
import { deduplicationWindow } from "../rule/deduplicationWindow.ts"
import { lawPipeId, logIsKept, otherPipeId, ownerOf, rangeOf } from "./lawPipes.ts"
import type { LawsOptions } from "./LawsOptions.ts"

/** A warehouse under test, with an empty table, and what the laws must do to it and see of it. */
export interface WarehouseUnderTest {
  readonly warehouse: Warehouse["Service"]
  /** A row that the table takes, different for each number, and one that it cannot read. */
  readonly row: (number: number) => string
  readonly rejectedRow: string
  /** The rows in the table, in any order, as `row` makes them. */
  readonly rows: Effect.Effect<ReadonlyArray<string>, unknown>
  /** The rows in the error table. */
  readonly rejectedRows: Effect.Effect<ReadonlyArray<string>, unknown>
  /** Deletes all rows of the table. */
  readonly empty: Effect.Effect<void, unknown>
  /** Breaks the connection of the next insert when it has sent so many rows. */
  readonly breakNextInsert: (rows: number) => Effect.Effect<void, unknown>
}

const window = deduplicationWindow({ inFlight: 1, partsPerInsert: 1, pipesOnTable: 1 })
const encoder = new TextEncoder()

/**
 * The laws of `Warehouse`: what the mover's delivery exactly once stands on.
 *
 * @example
 * ```ts
 * import { type LawsOptions, warehouseLaws, type WarehouseUnderTest } from "@headgate/mover/laws"
 *
 * // In a test file of Vitest; `make` makes an empty table.
 * export const suite = (make: LawsOptions<WarehouseUnderTest>["make"]) => warehouseLaws({ name: "my warehouse", make })
 * ```
 */
export const warehouseLaws = ({ make, name }: LawsOptions<WarehouseUnderTest>): void => {
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

    law("rows that it cannot take are recorded before any other is there, and left out", (subject) =>
      Effect.gen(function* () {
        const good = subject.texts(0, 6)
        const texts = [
          subject.rejectedRow,
          ...good.slice(0, 2),
          subject.rejectedRow,
          subject.rejectedRow,
          ...good.slice(2),
          subject.rejectedRow
        ]
        const before = yield* subject.rows
        const found: Array<RejectedRows> = []
        const record = (rejected: RejectedRows) =>
          Effect.gen(function* () {
            found.push(rejected)
            assert.deepStrictEqual(yield* Effect.orDie(subject.rows), before)
          })
        const { rejected } = yield* subject.insert(rangeOf(0, 10), texts, { record })
        assert.deepStrictEqual(
          rejected.map(({ row }) => row),
          [0, 3, 4, 9]
        )
        assert.isTrue(rejected.every(({ reason }) => reason !== ""))
        assert.deepStrictEqual(found.at(-1)?.rows, [0, 3, 4, 9])
        yield* subject.holds(good)
        const [recorded] = found.slice(-1)
        if (recorded === undefined) return
        // A replay finds them again, although the token was used, and records nothing more.
        const replayed = yield* subject.insert(rangeOf(0, 10), texts, {
          record: () => Effect.die("recorded again"),
          recorded
        })
        assert.deepStrictEqual(
          replayed.rejected.map(({ row }) => row),
          [0, 3, 4, 9]
        )
        yield* subject.holds(good)
      })
    )

    law("nothing is inserted if the rejected rows cannot be recorded, and the token is not used", (subject) =>
      Effect.gen(function* () {
        const texts = [...subject.texts(0, 3), subject.rejectedRow]
        const failed = subject.insert(rangeOf(0, 4), texts, { record: () => Effect.fail("no ledger") })
        assert.strictEqual(yield* Effect.flip(failed), "no ledger")
        yield* subject.holds([])
        yield* subject.insert(rangeOf(0, 4), texts)
        yield* subject.holds(subject.texts(0, 3))
      })
    )

    law("an insert of which all rows are rejected records them, and inserts nothing", (subject) =>
      Effect.gen(function* () {
        const found: Array<RejectedRows> = []
        const record = (rejected: RejectedRows) => Effect.sync(() => void found.push(rejected))
        yield* subject.insert(rangeOf(0, 2), [subject.rejectedRow, subject.rejectedRow], { record })
        assert.deepStrictEqual(found.at(-1)?.rows, [0, 1])
        yield* subject.holds([])
      })
    )

    law("rows that were recorded as rejected are left out although they could be read", (subject) =>
      Effect.gen(function* () {
        const recorded = { rows: [1, 2], checkedBy: "the columns of before" }
        const { rejected } = yield* subject.insert(rangeOf(0, 4), subject.texts(0, 4), {
          record: () => Effect.die("recorded again"),
          recorded
        })
        assert.deepStrictEqual(
          rejected.map(({ row }) => row),
          [1, 2]
        )
        yield* subject.holds([subject.row(0), subject.row(3)])
      })
    )

    law("rows that another check has taken and that are rejected now need a decision", (subject) =>
      Effect.gen(function* () {
        const texts = [...subject.texts(0, 3), subject.rejectedRow]
        const recorded = { rows: [1], checkedBy: "the columns of before" }
        const insert = subject.insert(rangeOf(0, 4), texts, { record: () => Effect.die("recorded again"), recorded })
        const error = yield* Effect.flip(insert)
        assert.isTrue(error instanceof RejectionChanged)
        yield* subject.holds([])
      })
    )

    law("rejected rows are in the error table once for each token", (subject) =>
      Effect.gen(function* () {
        const range = rangeOf(0, 3)
        const rejected = Stream.make({ row: 1, content: encoder.encode(subject.rejectedRow), reason: "cannot parse" })
        yield* subject.warehouse.insertRejected(range, "first", rejected)
        yield* subject.warehouse.insertRejected(range, "first", rejected)
        assert.deepStrictEqual(yield* subject.rejectedRows, [subject.rejectedRow])
        yield* subject.warehouse.insertRejected(range, "second", rejected)
        assert.lengthOf(yield* subject.rejectedRows, 2)
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
    insert: <E = never>(
      range: Range,
      rows = texts(Number(range.from), Number(range.to)),
      rejections: RejectionRecord<E> = { record: () => Effect.void }
    ) =>
      subject.warehouse.insert(
        ownerOf(1),
        range,
        Range.tokenOf(range),
        Stream.fromArray(rows.map((row) => encoder.encode(row))),
        rejections
      ),
    holds: (expected: ReadonlyArray<string>) =>
      Effect.map(subject.rows, (rows) => {
        assert.deepStrictEqual(rows.toSorted(), expected.toSorted())
      })
  }
}
type Subject = ReturnType<typeof subjectOf>
