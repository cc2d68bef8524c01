import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Ledger, Owner } from "../port/Ledger.ts"
import type { DoneObject } from "../range/DoneObject.ts"
import { lawPipeId, otherPipeId, rangeOf } from "./lawPipes.ts"
import type { LawsOptions } from "./LawsOptions.ts"

/** A ledger under test, which is empty, and what the laws must do to it. */
export interface LedgerUnderTest {
  readonly ledger: Ledger["Service"]
  /** Makes a backup, and returns what restores it. */
  readonly backup: Effect.Effect<Effect.Effect<void, unknown>, unknown>
}

const first = { generation: 1, source: "topic", starts: new Map<string, string>() }

/** A time, so many days after the first one of the laws. */
const day = (days: number) => DateTime.addDuration(DateTime.makeUnsafe("2026-01-01T00:00:00Z"), Duration.days(days))
const objectOf = (key: string, etag = `etag of ${key}`): DoneObject => ({ key, etag })
/** What a range has delivered, where a law is not about it. */
const one = { rows: 1, rejected: 0, bytes: 1 }

const nothing = { rows: 0, rejected: 0, bytes: 0 }
const large = { rows: 2 ** 40, rejected: 3, bytes: 2 ** 50 }

const staged = {
  staging: "staging 'a'",
  parts: [
    { part: "ünï'1", rows: 3 },
    { part: "2", rows: 2_000_000_000 }
  ]
}

/**
 * The laws of `Ledger`: one owner, one range after the other, none forgotten.
 *
 * @example
 * ```ts
 * import { ledgerLaws } from "@headgate/mover/laws"
 * import { MemoryLedger } from "@headgate/mover/memory"
 * import * as Effect from "effect/Effect"
 *
 * // In a test file of Vitest.
 * export const suite = () => ledgerLaws({ name: "memory", make: Effect.sync(MemoryLedger.make) })
 * ```
 */
export const ledgerLaws = ({ make, name }: LawsOptions<LedgerUnderTest>): void => {
  const law = (
    title: string,
    body: (ledger: Ledger["Service"], owner: Owner, backup: LedgerUnderTest["backup"]) => Effect.Effect<void, unknown>
  ) =>
    it.live(title, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { backup, ledger } = yield* make
          const owner = yield* ledger.take(lawPipeId)
          yield* ledger.begin(owner, first)
          yield* body(ledger, owner, backup)
        })
      )
    )
  const failsWith = (tag: string) => (write: Effect.Effect<void, { readonly _tag: string }>) =>
    Effect.map(Effect.flip(write), ({ _tag }) => {
      assert.strictEqual(_tag, tag)
    })
  const isLost = failsWith("OwnershipLost")
  const isChanged = failsWith("LedgerChanged")
  const isKnown = Effect.fnUntraced(function* (
    ledger: Ledger["Service"],
    owner: Owner,
    objects: ReadonlyArray<DoneObject>,
    expected: Readonly<Record<string, "same" | "another">>
  ) {
    const list = yield* ledger.beginList(owner, day(0))
    assert.deepStrictEqual(Object.fromEntries(yield* ledger.doneObjects(owner, list, objects)), expected)
  })
  const pendingOf = (ledger: Ledger["Service"]) =>
    Effect.map(ledger.state(lawPipeId), ({ pending }) => pending.map(({ range }) => range))

  describe(`${name}: laws of Ledger`, () => {
    law("a pipe that nobody has begun has no generation and no ranges", (ledger) =>
      Effect.gen(function* () {
        const state = yield* ledger.state(otherPipeId)
        assert.isUndefined(state.current)
        assert.deepStrictEqual([state.recorded.size, state.done.size, state.pending.length], [0, 0, 0])
        assert.isTrue(Duration.isZero(state.failingFor))
      })
    )

    law("the tables that were opened are kept, over generations, until one begins anew", (ledger, owner) =>
      Effect.gen(function* () {
        const tables = Effect.map(ledger.state(lawPipeId), ({ tables }) => tables)
        assert.deepStrictEqual(yield* tables, new Map())
        const recorded = new Map([
          ["__proto__", ""],
          ["ünï'1", '"a" \\ b']
        ])
        yield* ledger.recordTables(owner, new Map([["other", "1"]]))
        yield* ledger.recordTables(owner, recorded)
        assert.deepStrictEqual(yield* tables, recorded)
        const next = yield* ledger.take(lawPipeId)
        yield* isLost(ledger.recordTables(owner, new Map()))
        yield* ledger.begin(next, { ...first, generation: 2 })
        assert.deepStrictEqual(yield* tables, recorded)
        yield* ledger.begin(next, { ...first, generation: 3 }, { anew: true })
        assert.deepStrictEqual(yield* tables, new Map())
      })
    )

    law("what was delivered is read for many pipes at once, without those that have not begun", (ledger, owner) =>
      Effect.gen(function* () {
        const all = [otherPipeId, lawPipeId]
        yield* ledger.record(owner, rangeOf(0, 5))
        yield* ledger.markDone(owner, rangeOf(0, 5), { rows: 5, rejected: 2, bytes: 50 })
        const other = yield* ledger.take(otherPipeId)
        assert.deepStrictEqual(
          yield* ledger.delivered(all),
          new Map([[lawPipeId, { rows: 5, rejected: 2, bytes: 50 }]])
        )
        yield* ledger.begin(other, first)
        const delivered = yield* ledger.delivered(all)
        assert.deepStrictEqual([delivered.size, delivered.get(otherPipeId)], [2, nothing])
        assert.deepStrictEqual(yield* ledger.delivered([]), new Map())
      })
    )

    law("what ranges deliver is counted once, over generations, until one begins anew", (ledger, owner, backup) =>
      Effect.gen(function* () {
        const delivered = Effect.map(ledger.state(lawPipeId), ({ delivered }) => delivered)
        assert.deepStrictEqual(yield* delivered, nothing)
        const [range, after] = [rangeOf(0, 5, { bytes: 17 }), rangeOf(5, 9)]
        yield* ledger.record(owner, range)
        yield* ledger.record(owner, after)
        // A repeat, after an answer that was lost.
        for (const _ of [1, 2]) yield* ledger.markDone(owner, range, large)
        assert.deepStrictEqual(yield* delivered, large)
        const restore = yield* backup
        yield* ledger.markDone(owner, after, { rows: 7, rejected: 2, bytes: 70 })
        const all = { rows: 2 ** 40 + 7, rejected: 5, bytes: 2 ** 50 + 70 }
        assert.deepStrictEqual(yield* delivered, all)
        yield* isChanged(ledger.markDone(owner, rangeOf(9, 12), one))
        const next = yield* ledger.take(lawPipeId)
        yield* isLost(ledger.markDone(owner, after, one))
        yield* ledger.begin(next, { ...first, generation: 2 })
        assert.deepStrictEqual(yield* delivered, all)
        yield* ledger.begin(next, { ...first, generation: 3 }, { anew: true })
        assert.deepStrictEqual(yield* delivered, nothing)
        yield* restore
        assert.deepStrictEqual(yield* delivered, large)
      })
    )

    law("a recorded range is pending, whole, until it is done", (ledger, owner) =>
      Effect.gen(function* () {
        const ranges = [
          rangeOf(0, 5, { detail: `{"etag":"a"}` }),
          rangeOf(5, 9, { insertsBefore: 2 ** 40, rows: 2 ** 40, bytes: 2 ** 50 }),
          rangeOf(0, 2, { partition: "ünï'1" })
        ]
        for (const range of ranges) yield* ledger.record(owner, range)
        assert.deepStrictEqual(yield* pendingOf(ledger), ranges)
        for (const range of ranges.slice(0, 1)) {
          yield* ledger.markDone(owner, range, one)
          yield* ledger.markDone(owner, range, one)
        }
        const state = yield* ledger.state(lawPipeId)
        assert.deepStrictEqual(yield* pendingOf(ledger), ranges.slice(1))
        assert.deepStrictEqual(state.done, new Map([["0", "5"]]))
        assert.deepStrictEqual(
          state.recorded,
          new Map([
            ["0", "9"],
            ["ünï'1", "2"]
          ])
        )
        assert.isTrue(state.pending.every(({ age }) => Duration.isLessThan(age, Duration.hours(1))))
      })
    )

    law("the detail of the last done range of a partition is kept, and goes with the next one", (ledger, owner) =>
      Effect.gen(function* () {
        const detailed = [
          rangeOf(0, 5, { detail: "first" }),
          rangeOf(5, 5, { detail: `{"it's":"ünï"}` }),
          rangeOf(0, 2, { partition: "1", detail: "of 1" }),
          rangeOf(0, 2, { partition: "2" })
        ]
        for (const range of detailed) yield* ledger.record(owner, range)
        const detailOf = Effect.map(ledger.state(lawPipeId), ({ doneDetail }) => doneDetail)
        assert.strictEqual((yield* detailOf).size, 0)
        for (const range of detailed) yield* ledger.markDone(owner, range, one)
        const kept = new Map([
          ["0", `{"it's":"ünï"}`],
          ["1", "of 1"]
        ])
        assert.deepStrictEqual(yield* detailOf, kept)
        // The repeat of a mover whose answer was lost, and a mover that takes the pipe.
        yield* ledger.markDone(owner, rangeOf(5, 5), one)
        const next = yield* ledger.take(lawPipeId)
        assert.deepStrictEqual(yield* detailOf, kept)
        yield* ledger.record(next, rangeOf(5, 9))
        assert.deepStrictEqual(yield* detailOf, kept)
        yield* ledger.markDone(next, rangeOf(5, 9), one)
        assert.deepStrictEqual(yield* detailOf, new Map([["1", "of 1"]]))
        yield* ledger.begin(next, { ...first, generation: 2 })
        assert.strictEqual((yield* detailOf).size, 0)
      })
    )

    law("a range that does not follow the last recorded one of its partition is refused", (ledger, owner) =>
      Effect.gen(function* () {
        yield* ledger.record(owner, rangeOf(0, 5))
        const others = [rangeOf(5, 9, { source: "other topic" }), rangeOf(5, 9, { generation: 2 })]
        for (const range of [rangeOf(0, 5), rangeOf(4, 9), rangeOf(6, 9), rangeOf(0, 3), ...others]) {
          yield* isChanged(ledger.record(owner, range))
        }
        yield* ledger.markDone(owner, rangeOf(0, 5), one)
        yield* isChanged(ledger.record(owner, rangeOf(0, 5)))
        assert.deepStrictEqual(yield* pendingOf(ledger), [])
        yield* ledger.record(owner, rangeOf(5, 9))
      })
    )

    law("ranges of a partition are done in the order in which they were recorded", (ledger, owner) =>
      Effect.gen(function* () {
        const [first, second, third] = [rangeOf(0, 5), rangeOf(5, 9), rangeOf(9, 12)] as const
        for (const range of [first, second, rangeOf(0, 7, { partition: "1" })]) yield* ledger.record(owner, range)
        yield* isChanged(ledger.markDone(owner, second, one))
        yield* isChanged(ledger.markDone(owner, third, one))
        yield* isChanged(ledger.markDone(owner, rangeOf(0, 4), one))
        assert.strictEqual((yield* ledger.state(lawPipeId)).done.size, 0)
        yield* ledger.markDone(owner, first, one)
        yield* ledger.markDone(owner, second, one)
        assert.deepStrictEqual((yield* ledger.state(lawPipeId)).done, new Map([["0", "9"]]))
        yield* isChanged(ledger.markDone(owner, third, one))
        assert.deepStrictEqual(yield* pendingOf(ledger), [rangeOf(0, 7, { partition: "1" })])
      })
    )

    law("of ranges that are written at the same time, one that is refused refuses no other", (ledger, owner) =>
      Effect.gen(function* () {
        const other = yield* ledger.take(otherPipeId)
        yield* ledger.begin(other, first)
        const [lost, next] = [owner, yield* ledger.take(lawPipeId)]
        const of = (partition: string, from: number, to: number) => rangeOf(from, to, { partition })
        for (const partition of ["0", "1", "2", "3", "4"]) yield* ledger.record(next, of(partition, 0, 5))
        for (const partition of ["0", "1", "2"]) yield* ledger.markDone(next, of(partition, 0, 5), one)
        const writes = [
          ledger.record(next, of("0", 5, 9)),
          ledger.record(next, of("1", 4, 9)),
          ledger.record(next, { ...of("2", 5, 9), generation: 2 }),
          ledger.record(lost, of("2", 5, 9)),
          ledger.record(other, rangeOf(0, 7, { pipeId: otherPipeId })),
          ledger.record(next, of("5", 0, 3)),
          ledger.markDone(next, of("3", 0, 5), large),
          ledger.markDone(next, of("4", 0, 4), large),
          // A repeat, after an answer that was lost.
          ledger.markDone(next, of("1", 0, 5), large)
        ]
        const results = yield* Effect.forEach(writes, Effect.result, { concurrency: "unbounded" })
        const tags = results.map((result) => (result._tag === "Failure" ? result.failure._tag : "Written"))
        const refused = ["Written", "LedgerChanged", "LedgerChanged", "OwnershipLost", "Written", "Written"]
        assert.deepStrictEqual(tags, [...refused, "Written", "LedgerChanged", "Written"])
        const { delivered, done, pending } = yield* ledger.state(lawPipeId)
        assert.deepStrictEqual(
          pending.map(({ range }) => range).toSorted((a, b) => Number(a.partition) - Number(b.partition)),
          [of("0", 5, 9), of("4", 0, 5), of("5", 0, 3)]
        )
        assert.deepStrictEqual(Array.from(done.keys()).toSorted(), ["0", "1", "2", "3"])
        assert.deepStrictEqual(delivered, { rows: 2 ** 40 + 3, rejected: 3, bytes: 2 ** 50 + 3 })
        assert.lengthOf((yield* ledger.state(otherPipeId)).pending, 1)
      })
    )

    law("an earlier owner can write nothing", (ledger, owner) =>
      Effect.gen(function* () {
        yield* ledger.record(owner, rangeOf(0, 5))
        yield* ledger.check(owner)
        const next = yield* ledger.take(lawPipeId)
        assert.isAbove(next.epoch, owner.epoch)
        yield* isLost(ledger.check(owner))
        yield* isLost(ledger.record(owner, rangeOf(5, 9)))
        yield* isLost(ledger.markDone(owner, rangeOf(0, 5), one))
        yield* isLost(ledger.begin(owner, { ...first, generation: 2 }))
        yield* isLost(ledger.markFailing(owner, Duration.minutes(1)))
        assert.deepStrictEqual(yield* pendingOf(ledger), [rangeOf(0, 5)])
        yield* ledger.check(next)
        yield* ledger.record(next, rangeOf(5, 9))
      })
    )

    law("of movers that take a pipe and record a range at the same time, one records it", (ledger) =>
      Effect.gen(function* () {
        const race = Effect.gen(function* () {
          const owner = yield* ledger.take(lawPipeId)
          yield* ledger.record(owner, rangeOf(0, 5))
        })
        const results = yield* Effect.all(
          Array.from({ length: 8 }, () => Effect.result(race)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          results.filter(({ _tag }) => _tag === "Success"),
          1
        )
        assert.lengthOf(yield* pendingOf(ledger), 1)
      })
    )

    law("a generation begins above the last one, and forgets its ranges", (ledger, owner) =>
      Effect.gen(function* () {
        yield* ledger.record(owner, rangeOf(0, 5))
        yield* isChanged(ledger.begin(owner, first))
        const second = { generation: 2, source: "other topic", starts: new Map([["0", "40"]]) }
        yield* ledger.begin(owner, second)
        const state = yield* ledger.state(lawPipeId)
        assert.deepStrictEqual(state.current, second)
        assert.deepStrictEqual([state.recorded.size, state.done.size, state.pending.length], [0, 0, 0])
        yield* isChanged(ledger.record(owner, rangeOf(0, 5)))
        const ofSecond = { generation: 2, source: "other topic" }
        yield* isChanged(ledger.record(owner, rangeOf(0, 5, ofSecond)))
        yield* ledger.record(owner, rangeOf(40, 45, ofSecond))
        yield* isChanged(ledger.markDone(owner, rangeOf(40, 45), one))
      })
    )

    law("a mover finds that the ledger was restored, and nobody who takes the pipe then looks like it", (...all) =>
      Effect.gen(function* () {
        const [ledger, , backup] = all
        const restore = yield* backup
        const lost = yield* ledger.take(lawPipeId)
        yield* ledger.record(lost, rangeOf(0, 5))
        yield* restore
        yield* isChanged(ledger.check(lost))
        yield* isChanged(ledger.record(lost, rangeOf(5, 9)))
        const next = yield* ledger.take(lawPipeId)
        assert.strictEqual(next.epoch, lost.epoch)
        assert.notStrictEqual(next.id, lost.id)
        yield* isLost(ledger.check(lost))
        yield* isLost(ledger.record(lost, rangeOf(0, 5)))
        yield* ledger.record(next, rangeOf(0, 5))
      })
    )

    law("what follows a range that a restored ledger lacks is LedgerChanged, for its owner too", (...all) =>
      Effect.gen(function* () {
        const [ledger, owner, backup] = all
        yield* ledger.record(owner, rangeOf(0, 5))
        yield* ledger.markDone(owner, rangeOf(0, 5), one)
        const restore = yield* backup
        yield* ledger.record(owner, rangeOf(5, 9))
        yield* restore
        yield* ledger.check(owner)
        yield* isChanged(ledger.markDone(owner, rangeOf(5, 9), one))
        yield* isChanged(ledger.record(owner, rangeOf(9, 12)))
        yield* ledger.record(owner, rangeOf(5, 12))
      })
    )

    law("the rejected rows of a range are pending with it, and may become more", (ledger, owner) =>
      Effect.gen(function* () {
        const [range, after] = [rangeOf(0, 200_000), rangeOf(200_000, 200_009)]
        yield* ledger.record(owner, range)
        yield* ledger.record(owner, after)
        const rejectedOf = Effect.map(ledger.state(lawPipeId), ({ pending }) => pending.map(({ rejected }) => rejected))
        assert.deepStrictEqual(yield* rejectedOf, [undefined, undefined])
        const everyOther = Array.from({ length: 100_000 }, (_, index) => index * 2)
        for (const rows of [[0], [0, 7, 199_999], [0, 7, 300, 70_000, 199_999], everyOther.concat(200_001)]) {
          const rejected = { rows, checkedBy: `columns ${rows.length > 9 ? "'b'" : "ünï"}` }
          yield* ledger.recordRejected(owner, range, rejected)
          // The repeat of a mover whose answer was lost.
          yield* ledger.recordRejected(owner, range, rejected)
          assert.deepStrictEqual(yield* rejectedOf, [rejected, undefined])
        }
        yield* ledger.recordRejected(owner, after, { rows: [8], checkedBy: "columns" })
        yield* ledger.markDone(owner, range, one)
        assert.deepStrictEqual(yield* rejectedOf, [{ rows: [8], checkedBy: "columns" }])
        yield* ledger.markDone(owner, after, one)
        yield* ledger.record(owner, rangeOf(200_009, 200_010))
        assert.deepStrictEqual(yield* rejectedOf, [undefined])
      })
    )

    law(
      "rejected rows are of a pending range, none is taken back by the same check, nobody else records them",
      (...all) =>
        Effect.gen(function* () {
          const [ledger, owner] = all
          const range = rangeOf(0, 5)
          const rejected = { rows: [1, 3], checkedBy: "columns" }
          yield* isChanged(ledger.recordRejected(owner, range, rejected))
          yield* ledger.record(owner, range)
          yield* isChanged(ledger.recordRejected(owner, rangeOf(0, 4), rejected))
          yield* isChanged(ledger.recordRejected(owner, rangeOf(0, 5, { generation: 2 }), rejected))
          yield* ledger.recordRejected(owner, range, rejected)
          yield* isChanged(ledger.recordRejected(owner, range, { ...rejected, rows: [1, 2] }))
          const next = yield* ledger.take(lawPipeId)
          yield* isLost(ledger.recordRejected(owner, range, { ...rejected, rows: [1, 3, 4] }))
          const [pending] = (yield* ledger.state(lawPipeId)).pending
          assert.deepStrictEqual(pending?.rejected, rejected)
          yield* ledger.recordRejected(next, range, { rows: [2], checkedBy: "columns of another type" })
          yield* ledger.markDone(next, range, one)
          yield* isChanged(ledger.recordRejected(next, range, rejected))
        })
    )

    law("a staged range is pending with its staging, and with the parts that are moving and moved", (ledger, owner) =>
      Effect.gen(function* () {
        const range = rangeOf(0, 5)
        yield* ledger.record(owner, range)
        yield* ledger.recordStaged(owner, range, staged)
        yield* ledger.markMoving(owner, range, "ünï'1", "before 'it'")
        yield* ledger.markMoved(owner, range, "ünï'1")
        yield* ledger.markMoving(owner, range, "2", "17")
        // The repeats of a mover whose answers were lost.
        yield* ledger.recordStaged(owner, range, staged)
        yield* ledger.markMoved(owner, range, "ünï'1")
        yield* ledger.markMoving(owner, range, "2", "17")
        const [pending, ...more] = (yield* ledger.state(lawPipeId)).pending
        assert.deepStrictEqual([pending?.range, more.length], [range, 0])
        const moving = new Map([
          ["ünï'1", "before 'it'"],
          ["2", "17"]
        ])
        assert.deepStrictEqual(pending?.staged, { ...staged, moved: new Set(["ünï'1"]), moving })
        yield* ledger.markMoved(owner, range, "2")
        yield* ledger.markDone(owner, range, one)
        assert.deepStrictEqual(yield* pendingOf(ledger), [])
        yield* ledger.record(owner, rangeOf(5, 9))
        assert.isUndefined((yield* ledger.state(lawPipeId)).pending[0]?.staged)
      })
    )

    law("a range is staged in one place, its parts are moved after that, and nobody else marks them", (ledger, owner) =>
      Effect.gen(function* () {
        const range = rangeOf(0, 5)
        yield* isChanged(ledger.recordStaged(owner, range, staged))
        yield* ledger.record(owner, range)
        yield* isChanged(ledger.markMoved(owner, range, "2"))
        yield* isChanged(ledger.markMoving(owner, range, "2", "17"))
        yield* isChanged(ledger.recordStaged(owner, rangeOf(0, 4), staged))
        yield* ledger.recordStaged(owner, range, staged)
        yield* isChanged(ledger.recordStaged(owner, range, { ...staged, staging: "another" }))
        yield* isChanged(ledger.markMoved(owner, range, "3"))
        const next = yield* ledger.take(lawPipeId)
        yield* isLost(ledger.recordStaged(owner, range, staged))
        yield* isLost(ledger.markMoved(owner, range, "2"))
        yield* isLost(ledger.markMoving(owner, range, "2", "17"))
        yield* ledger.markMoved(next, range, "2")
      })
    )

    law(
      "the objects of done ranges are recorded with their versions, until a generation begins without them",
      (...all) =>
        Effect.gen(function* () {
          const [ledger, owner] = all
          const objects = [objectOf("ünï'/1"), objectOf("b", "it's another")]
          yield* ledger.record(owner, rangeOf(0, 1))
          yield* isKnown(ledger, owner, objects, {})
          yield* ledger.markDone(owner, rangeOf(0, 1), { ...one, objects })
          yield* ledger.markDone(owner, rangeOf(0, 1), { ...one, objects })
          const asked = [objectOf("ünï'/1"), objectOf("b"), objectOf("c")]
          yield* isKnown(ledger, owner, asked, { "ünï'/1": "same", b: "another" })
          const many = Array.from({ length: 2500 }, (_, index) => objectOf(`many/${index}`))
          yield* ledger.record(owner, rangeOf(1, 2))
          yield* ledger.markDone(owner, rangeOf(1, 2), { ...one, objects: many })
          const list = yield* ledger.beginList(owner, day(0))
          assert.strictEqual((yield* ledger.doneObjects(owner, list, many)).size, 2500)
          const other = yield* ledger.take(otherPipeId)
          yield* isKnown(ledger, other, objects, {})
          const second = { generation: 2, source: "topic", starts: first.starts, objectsSince: 1 }
          yield* ledger.begin(owner, second)
          assert.deepStrictEqual((yield* ledger.state(lawPipeId)).current, second)
          yield* isKnown(ledger, owner, objects, { "ünï'/1": "same", b: "same" })
          yield* ledger.begin(owner, { ...first, generation: 3 })
          assert.deepStrictEqual((yield* ledger.state(lawPipeId)).current, { ...first, generation: 3 })
          yield* isKnown(ledger, owner, objects, {})
        })
    )

    law("a generation that begins with restored objects has those alone", (ledger, owner) =>
      Effect.gen(function* () {
        yield* ledger.record(owner, rangeOf(0, 1))
        yield* ledger.markDone(owner, rangeOf(0, 1), { ...one, objects: ["a", "b"].map((key) => objectOf(key)) })
        for (const key of ["b", "c"]) yield* ledger.restoreObjects(owner, 2, [objectOf(key, "restored")])
        // What is not begun has changed nothing of the current generation but what is known in addition.
        yield* isKnown(
          ledger,
          owner,
          ["a", "b", "c"].map((key) => objectOf(key, "restored")),
          {
            a: "another",
            b: "same",
            c: "same"
          }
        )
        yield* ledger.begin(owner, { ...first, generation: 2, objectsSince: 1 }, { objects: "restored" })
        yield* isKnown(
          ledger,
          owner,
          ["a", "b", "c"].map((key) => objectOf(key, "restored")),
          { b: "same", c: "same" }
        )
        const next = yield* ledger.take(lawPipeId)
        yield* isLost(ledger.restoreObjects(owner, 3, []))
        yield* isLost(Effect.asVoid(ledger.beginList(owner, day(0))))
        yield* ledger.restoreObjects(next, 3, [])
      })
    )

    law("an object is forgotten after two whole lists without it that are 15 days apart, and no sooner", (...all) =>
      Effect.gen(function* () {
        const [ledger, owner] = all
        const [stays, goes] = [objectOf("stays"), objectOf("goes")]
        const list = Effect.fnUntraced(function* (at: number, ...had: ReadonlyArray<DoneObject>) {
          const begun = yield* ledger.beginList(owner, day(at))
          const known = yield* ledger.doneObjects(owner, begun, had)
          return { begun, known: Array.from(known.keys()) }
        })
        const whole = Effect.fnUntraced(function* (at: number, ...had: ReadonlyArray<DoneObject>) {
          const { begun, known } = yield* list(at, ...had)
          yield* ledger.endList(owner, begun)
          return known
        })
        yield* whole(0)
        yield* ledger.record(owner, rangeOf(0, 1))
        yield* ledger.markDone(owner, rangeOf(0, 1), { ...one, objects: [stays, goes] })
        yield* whole(15, stays, goes)
        // Many lists without it within 15 days, and lists that were cut, are none.
        yield* whole(30, stays)
        for (const at of [31, 40, 44.9]) yield* whole(at, stays)
        yield* list(46, stays)
        yield* list(100, stays)
        assert.deepStrictEqual(yield* whole(44.9, goes), ["goes"])
        // It was put again, so it begins anew.
        yield* whole(45, stays)
        assert.deepStrictEqual(yield* whole(50, goes), ["goes"])
        yield* whole(60, stays)
        assert.deepStrictEqual((yield* list(60, stays)).known, ["stays"])
        yield* whole(75, stays)
        assert.deepStrictEqual(yield* whole(76, stays, goes), ["stays"])
      })
    )

    law("a pending range goes on with another detail while it is not staged", (ledger, owner) =>
      Effect.gen(function* () {
        const [range, after] = [rangeOf(0, 1, { detail: "a, b" }), rangeOf(1, 2, { detail: "c, d" })]
        yield* isChanged(ledger.recordNarrowed(owner, range, "a"))
        for (const one of [range, after]) yield* ledger.record(owner, one)
        yield* ledger.recordNarrowed(owner, after, `it's "d"`)
        yield* ledger.recordStaged(owner, range, staged)
        yield* isChanged(ledger.recordNarrowed(owner, range, "a"))
        assert.deepStrictEqual(yield* pendingOf(ledger), [range, { ...after, detail: `it's "d"` }])
        yield* ledger.take(lawPipeId)
        yield* isLost(ledger.recordNarrowed(owner, after, ""))
      })
    )

    law("how long a pipe has failed outlives its mover", (ledger, owner) =>
      Effect.gen(function* () {
        yield* ledger.markFailing(owner, Duration.minutes(10))
        const next = yield* ledger.take(lawPipeId)
        assert.strictEqual(Duration.toMinutes((yield* ledger.state(lawPipeId)).failingFor), 10)
        yield* ledger.markFailing(next, Duration.zero)
        assert.isTrue(Duration.isZero((yield* ledger.state(lawPipeId)).failingFor))
      })
    )

    law("pipes do not see one another", (ledger, owner) =>
      Effect.gen(function* () {
        const other = yield* ledger.take(otherPipeId)
        yield* ledger.begin(other, first)
        yield* ledger.record(other, rangeOf(0, 5, { pipeId: otherPipeId }))
        assert.deepStrictEqual(yield* pendingOf(ledger), [])
        yield* ledger.record(owner, rangeOf(0, 7))
        yield* ledger.check(owner)
      })
    )
  })
}
