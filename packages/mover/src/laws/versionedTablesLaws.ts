import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RejectedRow } from "../port/Warehouse.ts"
import type { VersionedTables } from "../port/VersionedTables.ts"
import { lawPipeId, logIsKept, rangeOf } from "./lawPipes.ts"
import type { LawsOptions } from "./LawsOptions.ts"

/** Tables, and what a reader finds in them. */
export interface VersionedTablesUnderTest {
  readonly tables: VersionedTables["Service"]
  /** The rows of a target that are not deleted: the columns of the source, as lines of TSV. */
  readonly rows: (target: string) => Effect.Effect<ReadonlyArray<string>, unknown>
  /** The rows of the error table of a target. */
  readonly rejected: (target: string) => Effect.Effect<ReadonlyArray<RejectedRow>, unknown>
}

const table = {
  name: '"public"."users"',
  target: "users",
  columns: [
    { name: "id", type: "Int32" },
    { name: "text", type: "Nullable(String)" }
  ],
  key: ["id"]
}

/** A row of the table: its columns, whether it is deleted, its version. */
type Row = readonly [id: number, text: string, isDeleted: 0 | 1, version: number]

const encoder = new TextEncoder()

/**
 * The laws of `VersionedTables`: the last version of a row counts, however often and in whatever order versions are inserted.
 *
 * @example
 * ```ts
 * import { versionedTablesLaws } from "@headgate/mover/laws"
 * import { MemoryVersionedTables } from "@headgate/mover/memory"
 * import * as Effect from "effect/Effect"
 *
 * // In a test file of Vitest.
 * export const suite = () => versionedTablesLaws({ name: "mine", make: Effect.sync(MemoryVersionedTables.make) })
 * ```
 */
export const versionedTablesLaws = ({ make, name }: LawsOptions<VersionedTablesUnderTest>): void => {
  const law = (
    title: string,
    body: (subject: {
      readonly tables: VersionedTables["Service"]
      readonly insert: (...rows: ReadonlyArray<Row>) => Effect.Effect<void, unknown>
      readonly has: (...rows: ReadonlyArray<string>) => Effect.Effect<void, unknown>
      readonly rejected: Effect.Effect<ReadonlyArray<RejectedRow>, unknown>
    }) => Effect.Effect<void, unknown>
  ) =>
    it.live(title, () =>
      Effect.gen(function* () {
        const { rows: found, tables, rejected } = yield* make
        yield* tables.open(lawPipeId, [{ ...table, isNew: true }])
        yield* body({
          tables,
          rejected: rejected(table.target),
          insert: (...rows) =>
            tables.insert(table, Stream.fromArray(rows.map((row) => encoder.encode(`${row.join("\t")}\n`)))),
          has: (...rows) =>
            Effect.map(found(table.target), (all) => assert.deepStrictEqual(all.toSorted(), rows.toSorted()))
        })
      }).pipe(Effect.scoped)
    )

  describe(`${name}: laws of VersionedTables`, () => {
    law("the last version of a row counts, whatever the order of the inserts", ({ has, insert }) =>
      Effect.gen(function* () {
        yield* insert([1, "snapshot", 0, 0], [2, "snapshot", 0, 0])
        yield* insert([1, "third", 0, 3])
        yield* insert([1, "second", 0, 2], [2, "second", 0, 2])
        yield* insert([1, "snapshot", 0, 0], [2, "snapshot", 0, 0])
        yield* has("1\tthird", "2\tsecond")
      })
    )

    law("a row that is deleted is gone, until a higher version brings it back", ({ has, insert }) =>
      Effect.gen(function* () {
        yield* insert([1, "a", 0, 0], [2, "b", 0, 0])
        yield* insert([1, String.raw`\N`, 1, 5])
        yield* insert([1, "late", 0, 4])
        yield* has("2\tb")
        yield* insert([1, "again", 0, 6])
        yield* has("1\tagain", "2\tb")
      })
    )

    law("a truncate removes the rows of lower versions, also of those that come late", ({ has, insert, tables }) =>
      Effect.gen(function* () {
        yield* insert([1, "a", 0, 0], [2, "b", 0, 4], [3, "c", 0, 6])
        yield* tables.deleteBelow(table, 5n)
        yield* has("3\tc")
        yield* tables.deleteBelow(table, 5n)
        yield* insert([1, "a", 0, 0], [2, "b", 0, 4])
        yield* has("3\tc")
        yield* insert([2, "after", 0, 7])
        yield* has("2\tafter", "3\tc")
      })
    )

    law("NULL and escaped characters are what they were", ({ has, insert }) =>
      Effect.gen(function* () {
        yield* insert([1, String.raw`\N`, 0, 1], [2, "", 0, 1], [3, String.raw`a\tb\nc\\`, 0, 1], [4, "ünï 😀", 0, 1])
        yield* has(String.raw`1${"\t"}\N`, "2\t", `3\t${String.raw`a\tb\nc\\`}`, "4\tünï 😀")
      })
    )

    law(
      "`open` returns the highest version that the target of a new table holds, deleted or not",
      ({ insert, tables }) =>
        Effect.gen(function* () {
          const lastVersion = (isNew: boolean) =>
            Effect.map(tables.open(lawPipeId, [{ ...table, isNew }]), ([opened]) => opened?.lastVersion)
          assert.isUndefined(yield* lastVersion(true))
          yield* insert([1, "a", 0, 7], [2, String.raw`\N`, 1, 9], [3, "b", 0, 8])
          assert.strictEqual(yield* lastVersion(true), 9n)
        })
    )

    law("a target that is gone is created again for no table but a new one", ({ tables }) =>
      Effect.gen(function* () {
        const gone = { ...table, target: "gone" }
        const error = yield* Effect.flip(tables.open(lawPipeId, [{ ...gone, isNew: false }]))
        assert.strictEqual(error._tag, "WarehouseRefused")
        yield* tables.open(lawPipeId, [{ ...gone, isNew: true }])
        yield* tables.open(lawPipeId, [{ ...gone, isNew: false }])
      })
    )

    law("two tables with one target are refused", ({ tables }) =>
      Effect.gen(function* () {
        const other = { ...table, name: '"public"."others"', isNew: true }
        const error = yield* Effect.flip(tables.open(lawPipeId, [{ ...table, isNew: true }, other]))
        assert.strictEqual(error._tag, "WarehouseRefused")
      })
    )

    law(
      "a row that does not fit is in the error table as it was sent, with its reason, and not in the table",
      (subject) =>
        Effect.gen(function* () {
          const { has, insert, tables, rejected } = subject
          yield* insert([1, "a", 0, 0])
          const rows = [
            { content: encoder.encode('{"id":2,"text":"ünï 😀"}'), reason: "column text: the value is a 'text'" },
            { content: new Uint8Array([0, 255, 9, 10, 92]), reason: "" }
          ]
          const sent = (found: ReadonlyArray<RejectedRow>) =>
            found.map(({ content, reason }) => `${Array.from(content).join()} ${reason}`).toSorted()
          yield* tables.insertRejected(rangeOf(0, 5), table, rows)
          assert.deepStrictEqual(sent(yield* rejected), sent(rows))
          yield* tables.insertRejected(rangeOf(0, 5), table, rows)
          assert.deepStrictEqual(new Set(sent(yield* rejected)), new Set(sent(rows)))
          yield* has("1\ta")
        })
    )

    law("the log holds the last position of each partition of the last generation, for each pipe", ({ tables }) =>
      logIsKept(tables)
    )
  })
}
