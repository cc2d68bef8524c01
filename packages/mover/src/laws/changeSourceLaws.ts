import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Change, ChangeSource, CopiedTable, TableSnapshot } from "../port/ChangeSource.ts"
import type { Position } from "../range/Range.ts"
import { baseOf } from "../rule/copyRounds.ts"
import type { LawsOptions } from "./LawsOptions.ts"

/**
 * What the laws do to the table: put a row in the place of the one with its id, give a row another id and text, remove one, remove
 * all, and put a row there that the types of the target cannot hold. Texts are as people write them, not escaped.
 *
 * @example
 * ```ts
 * import type { LawChange } from "@headgate/mover/laws"
 *
 * export const changes: ReadonlyArray<LawChange> = [["put", 1, "Ada"], ["move", 1, 2, "Ada"], ["truncate"]]
 * ```
 */
export type LawChange =
  | readonly ["put", id: number, text: string | null]
  | readonly ["move", from: number, to: number, text: string]
  | readonly ["remove", id: number]
  | readonly ["truncate"]
  | readonly ["rejected", id: number]

/**
 * A source that copies one empty table and follows its changes. The table has the key `id`, a whole number, and the column `text`,
 * which takes NULL, and any others. Its parts have about ten rows.
 */
export interface ChangeSourceUnderTest {
  readonly source: ChangeSource["Service"]
  /** Carries out changes as one transaction. */
  readonly commit: (...changes: ReadonlyArray<LawChange>) => Effect.Effect<unknown, unknown>
  /** Drops the table, and makes it again without rows. */
  readonly remake: Effect.Effect<unknown, unknown>
  /** The identity of another database. */
  readonly otherIdentity: Effect.Effect<string, unknown>
}

// A row from this id on is put to know when everything before it was read. It is no row of the law.
const firstMark = 1_000_000

const texts = ["plain", "", null, "tab \t line \n return \r back \\ N \\N", "ünï 😀 'quoted' \"twice\""]
const fields = ["plain", "", String.raw`\N`, String.raw`tab \t line \n return \r back \\ N \\N`, texts[4] ?? ""]

const puts = (count: number, first = 1, text = "snapshot"): ReadonlyArray<LawChange> =>
  Array.from({ length: count }, (_, index) => ["put", first + index, text])

/** Rows as `id text`, sorted by their text. */
const numbered = (count: number, first = 1, text = "snapshot"): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `${first + index} ${text}`).toSorted()

const isRow = (change: Change) => change._tag === "Row"
const versionOf = (line: string): bigint => BigInt(line.split("\t").at(-1) ?? "")

/**
 * The laws of `ChangeSource`: a snapshot is all rows at one moment, and what is followed from a position is every change after it.
 *
 * @example
 * ```ts
 * import { changeSourceLaws, type LawChange } from "@headgate/mover/laws"
 * import { type MemoryChange, MemoryChangeSource } from "@headgate/mover/memory"
 * import * as Effect from "effect/Effect"
 *
 * const table = "users"
 * const columns = [{ name: "id", type: "Int32" }, { name: "text", type: "Nullable(String)" }]
 * const rejected = { content: new Uint8Array(), reason: "too large" }
 * const changesOf = ([kind, ...values]: LawChange): ReadonlyArray<MemoryChange> => {
 *   const [id = 0, text, moved] = values
 *   // A user of these laws escapes texts as TSV does.
 *   if (kind === "put") return [{ table, put: `${id}\t${text ?? "\\N"}` }]
 *   if (kind === "move") return [{ table, remove: String(id) }, { table, put: `${text}\t${moved}` }]
 *   if (kind === "remove") return [{ table, remove: String(id) }]
 *   return kind === "truncate" ? [{ table, truncate: true }] : [{ table, rejected: String(id), row: rejected }]
 * }
 * const make = Effect.sync(() => {
 *   const { commit, remake, source } = MemoryChangeSource.make({
 *     tables: [{ name: table, target: table, columns, key: ["id"] }],
 *     rowsPerPart: 10
 *   })
 *   return {
 *     source,
 *     commit: (...changes: ReadonlyArray<LawChange>) => commit(...changes.flatMap(changesOf)),
 *     remake: remake(table),
 *     otherIdentity: Effect.succeed("another")
 *   }
 * })
 *
 * // In a test file of Vitest.
 * export const suite = () => changeSourceLaws({ name: "memory", make })
 * ```
 */
export const changeSourceLaws = ({ make, name }: LawsOptions<ChangeSourceUnderTest>): void => {
  const law = (title: string, body: (subject: Subject) => Effect.Effect<void, unknown, Scope.Scope>) =>
    it.live(title, () => Effect.scoped(Effect.flatMap(make, (subject) => Effect.flatMap(subjectOf(subject), body))))

  describe(`${name}: laws of ChangeSource`, () => {
    law("the parts of a table are all rows, each once, also in a snapshot that is taken later", (subject) =>
      Effect.gen(function* () {
        yield* subject.commit(...puts(100, 101))
        const parts = yield* subject.source.split(subject.table)
        assert.isAbove(parts.length, 1)
        assert.deepStrictEqual(yield* subject.readParts(yield* subject.source.snapshot, parts), numbered(100, 101))
        yield* subject.commit(...puts(100, 1), ...puts(100, 201), ["remove", 150])
        const all = numbered(300).filter((row) => row !== "150 snapshot")
        assert.deepStrictEqual(yield* subject.readParts(yield* subject.source.snapshot, parts), all)
      })
    )

    law("a table without rows has a part without rows, which later has rows", (subject) =>
      Effect.gen(function* () {
        const parts = yield* subject.source.split(subject.table)
        assert.deepStrictEqual(yield* subject.readParts(yield* subject.source.snapshot, parts), [])
        yield* subject.commit(...puts(5))
        assert.deepStrictEqual(yield* subject.readParts(yield* subject.source.snapshot, parts), numbered(5))
      })
    )

    law("a snapshot shows one moment, however late its parts are read", (subject) =>
      Effect.gen(function* () {
        yield* subject.commit(...puts(100))
        const parts = yield* subject.source.split(subject.table)
        const snapshot = yield* subject.source.snapshot
        yield* subject.commit(...puts(50, 1, "later"), ...puts(50, 101), ["remove", 100])
        assert.deepStrictEqual(yield* subject.readParts(snapshot, parts), numbered(100))
      })
    )

    law("a snapshot and the changes since `begin`, which came before it, are the rows of the source", (subject) =>
      Effect.gen(function* () {
        yield* subject.commit(...puts(20))
        const start = yield* subject.source.begin
        yield* subject.commit(["put", 1, "before"], ["remove", 2], ["move", 3, 30, "before"], ["put", 31, "before"])
        const rows = yield* subject.copy
        yield* subject.commit(["put", 1, "after"], ["put", 2, "after"], ["move", 30, 3, "after"], ["remove", 4])
        yield* subject.commit(["remove", 5], ["put", 5, "again"], ["put", 40, "gone"], ["remove", 40])
        rows.apply(yield* subject.follow(start))
        const changed = ["1 after", "2 after", "3 after", "31 before", "5 again"]
        assert.deepStrictEqual(rows.found(), [...changed, ...numbered(15, 6)].toSorted())
        yield* subject.commit(["put", 50, "removed"], ["truncate"], ["put", 6, "kept"])
        rows.apply(yield* subject.follow(start))
        assert.deepStrictEqual(rows.found(), ["6 kept"])
      })
    )

    law("the versions of a row grow, above that of its snapshot, in a transaction and after a restart", (subject) =>
      Effect.gen(function* () {
        const start = yield* subject.source.begin
        yield* subject.commit(["put", 1, "a"], ["put", 1, "b"], ["remove", 1], ["truncate"], ["put", 1, "c"])
        yield* subject.commit(["put", 1, "d"])
        const first = yield* subject.follow(start)
        const end = first.findLast(({ _tag }) => _tag === "Commit")
        if (end?._tag !== "Commit") return assert.fail("no commit was told")
        yield* subject.commit(["put", 1, "e"], ["remove", 1])
        const versions = [...first, ...(yield* subject.follow(end.position))].flatMap((change) => {
          if (change._tag === "Truncate") return [change.version]
          return isRow(change) && change.row.startsWith("1\t") ? [versionOf(change.row)] : []
        })
        assert.isAtLeast(versions.length, 8)
        for (const [index, version] of versions.entries()) {
          assert.isTrue(version > (versions[index - 1] ?? subject.table.base), versions.join())
        }
      })
    )

    law("changes are read again from a position, whatever was read since, while it is not confirmed", (subject) =>
      Effect.gen(function* () {
        const start = yield* subject.source.begin
        yield* subject.commit(["put", 1, "a"], ["put", 2, "b"])
        yield* subject.commit(["remove", 2], ["put", 3, "c"])
        const contents = (changes: ReadonlyArray<Change>) =>
          changes.filter(isRow).map(({ row }) => row.slice(0, row.lastIndexOf("\t")))
        const first = contents(yield* subject.follow(start))
        assert.lengthOf(first, 5)
        assert.deepStrictEqual(contents(yield* subject.follow(start)).slice(0, first.length), first)
      })
    )

    law(
      "a commit ends whole transactions, and nothing that follows its position is missed once it is confirmed",
      (subject) =>
        Effect.gen(function* () {
          const start = yield* subject.source.begin
          for (const text of ["a", "b", "c"]) yield* subject.commit(["put", 1, text], ["put", 2, text])
          const rows = subject.makeRows()
          const commits: Array<Position> = []
          for (const change of yield* subject.follow(start)) {
            rows.apply([change])
            if (change._tag !== "Commit") continue
            commits.push(change.position)
            const held = rows.found().map((row) => row.split(" ")[1])
            assert.strictEqual(held[0], held[1])
          }
          const position = commits[0]
          if (position === undefined) return assert.fail("no commit was told")
          yield* subject.confirm(position)
          yield* subject.commit(["put", 3, "later"])
          const after = yield* subject.follow(position)
          const later = subject.makeRows()
          later.apply(after)
          assert.include(later.found(), "3 later")
          assert.includeMembers([...later.found()], commits.length > 1 ? ["1 c", "2 c"] : [])
        })
    )

    law("texts and NULL are fields of TSV, in a snapshot and in changes", (subject) =>
      Effect.gen(function* () {
        const all = texts.map((text, id): LawChange => ["put", id, text])
        const start = yield* subject.source.begin
        yield* subject.commit(...all)
        const expected = fields.map((field, id) => `${id} ${field}`).toSorted()
        assert.deepStrictEqual((yield* subject.copy).found(), expected)
        const rows = subject.makeRows()
        rows.apply(yield* subject.follow(start))
        assert.deepStrictEqual(rows.found(), expected)
      })
    )

    law("columns that the target lacks are left out", (subject) =>
      Effect.gen(function* () {
        const table = { ...subject.table, columns: subject.table.columns.filter(({ name }) => name === "id") }
        const start = yield* subject.source.begin
        yield* subject.commit(["put", 1, "a"])
        const parts = yield* subject.source.split(table)
        const snapshot = yield* subject.source.snapshot
        const read = yield* Effect.forEach(parts, (part) =>
          Stream.mkString(Stream.decodeText(snapshot.read(table, part)))
        )
        assert.strictEqual(read.join(""), `1\t0\t${table.base}\n`)
        const changed = (yield* subject.follow(start, table)).filter(isRow).map(({ row }) => row.split("\t"))
        assert.deepStrictEqual(changed[0]?.slice(0, -1), ["1", "0"])
      })
    )

    law("a row that does not fit is kept apart, and no version of it is a row", (subject) =>
      Effect.gen(function* () {
        yield* subject.commit(["put", 1, "a"], ["rejected", 2], ["put", 3, "b"])
        const start = yield* subject.source.begin
        const parts = yield* subject.source.split(subject.table)
        const snapshot = yield* subject.source.snapshot
        const rows = yield* subject.copy
        assert.deepStrictEqual(rows.found(), ["1 a", "3 b"])
        assert.deepStrictEqual(yield* subject.readParts(snapshot, parts), rows.found())
        const rejected = yield* Effect.forEach(parts, (part) =>
          Stream.runCollect(snapshot.readRejected(subject.table, part))
        )
        assert.lengthOf(rejected.flat(), 1)
        for (const { content, reason } of rejected.flat()) assert.isTrue(content.length > 0 && reason !== "")
        yield* subject.commit(["rejected", 1], ["put", 2, "fits"])
        const changes = yield* subject.follow(start)
        assert.lengthOf(
          changes.filter(({ _tag }) => _tag === "Rejected"),
          1
        )
        rows.apply(changes)
        assert.deepStrictEqual(rows.found(), ["2 fits", "3 b"])
      })
    )

    law("a position whose changes were forgotten is refused, and so is one of before another `begin`", (subject) =>
      Effect.gen(function* () {
        const start = yield* subject.source.begin
        yield* subject.source.resume(start, subject.names)
        yield* subject.commit(["put", 1, "a"])
        const again = yield* subject.source.begin
        const { _tag } = yield* Effect.flip(subject.source.resume(start, subject.names))
        assert.include(["PositionLost", "CannotContinue"], _tag)
        yield* subject.commit(["put", 2, "b"])
        const rows = subject.makeRows()
        rows.apply(yield* subject.follow(again))
        assert.deepStrictEqual(rows.found(), ["2 b"])
      })
    )

    law("a table that was copied and is another one now is refused until all begins again", (subject) =>
      Effect.gen(function* () {
        const start = yield* subject.source.begin
        yield* subject.source.resume(start, subject.names)
        yield* subject.remake
        yield* subject.source.tables
        assert.strictEqual((yield* Effect.flip(subject.source.resume(start, subject.names)))._tag, "CannotContinue")
        // It is not made to fit: it is refused again.
        assert.strictEqual((yield* Effect.flip(subject.source.resume(start, subject.names)))._tag, "CannotContinue")
        yield* subject.source.resume(yield* subject.source.begin, subject.names)
      })
    )

    law("a table is compared with what was recorded of it, and one of which nothing was is refused", (subject) =>
      Effect.gen(function* () {
        const { source } = subject
        const copied = Effect.map(source.tables, (tables) =>
          tables.map(({ definition = "", ...table }) => ({ ...table, base: 0n, copiedDefinition: definition }))
        )
        const first = yield* copied
        assert.deepStrictEqual(yield* source.check(first), [])
        yield* subject.commit(["put", 1, "a"])
        assert.deepStrictEqual(yield* source.check(first), [])
        const unknown = (yield* source.tables).map((table) => ({ ...table, base: 0n }))
        assert.strictEqual((yield* Effect.flip(source.check(unknown)))._tag, "CannotContinue")
        yield* subject.remake
        const again = yield* copied
        assert.strictEqual((yield* Effect.flip(source.check(first)))._tag, "CannotContinue")
        assert.deepStrictEqual(yield* source.check(again), [])
      })
    )

    law("a table that was not copied yet may be another one", (subject) =>
      Effect.gen(function* () {
        const start = yield* subject.source.begin
        yield* subject.remake
        yield* subject.source.tables
        yield* subject.source.resume(start, new Set())
        yield* subject.source.resume(start, subject.names)
      })
    )

    law("a database has one identity, and another database another one", ({ otherIdentity, source }) =>
      Effect.gen(function* () {
        const identity = yield* source.identity
        assert.strictEqual(yield* source.identity, identity)
        assert.notStrictEqual(yield* otherIdentity, identity)
      })
    )
  })
}

const subjectOf = Effect.fnUntraced(function* (subject: ChangeSourceUnderTest) {
  const { commit, source } = subject
  const [found, ...more] = yield* source.tables
  if (found === undefined || more.length > 0) return assert.fail("the laws need a source with one table")
  // Not the first round, whose snapshot has the version 0.
  const table: CopiedTable = { ...found, base: baseOf(1) }
  const names = new Set([table.name])
  const [id, text] = ["id", "text"].map((name) => found.columns.findIndex((column) => column.name === name))

  const shown = (line: string): string => {
    const values = line.split("\t")
    return `${values[id ?? 0]} ${values[text ?? 0]}`
  }

  /** Rows as a target has them: the last version of each counts. */
  const makeRows = () => {
    const rows = new Map<string, { readonly shown: string; readonly isDeleted: boolean; readonly version: bigint }>()
    const put = (line: string): void => {
      const [key = "", isDeleted] = [line.split("\t")[id ?? 0], line.split("\t").at(-2) === "1"]
      const version = versionOf(line)
      if ((rows.get(key)?.version ?? 0n) <= version) rows.set(key, { shown: shown(line), isDeleted, version })
    }
    return {
      put,
      apply: (changes: ReadonlyArray<Change>): void => {
        for (const change of changes) {
          if (change._tag === "Row") put(change.row)
          if (change._tag !== "Truncate") continue
          for (const [key, row] of rows) if (row.version < change.version) rows.delete(key)
        }
      },
      /** Sorted, without the marks. */
      found: (): ReadonlyArray<string> =>
        Array.from(rows.values())
          .flatMap(({ isDeleted, shown }) => (isDeleted || Number.parseInt(shown) >= firstMark ? [] : [shown]))
          .toSorted()
    }
  }

  const read = (snapshot: TableSnapshot, part: string) => Stream.decodeText(snapshot.read(table, part))

  let marks = 0
  /** The changes of the table since a position, up to now and the commit that follows. */
  const follow = Effect.fnUntraced(function* (position: Position, followed: CopiedTable = table) {
    const mark = firstMark + (marks += 1)
    yield* commit(["put", mark, "mark"])
    yield* source.resume(position, names)
    const feed = yield* source.follow(position, [followed])
    const changes: Array<Change> = []
    let isMarked = false
    const isOver = (more: ReadonlyArray<Change>): boolean => {
      changes.push(...more)
      isMarked ||= more.some((change) => isRow(change) && change.row.startsWith(`${mark}\t`))
      return isMarked && changes.at(-1)?._tag === "Commit"
    }
    yield* Stream.runDrain(Stream.takeUntil(feed.changes, isOver))
    return changes
  }, Effect.scoped)

  return {
    ...subject,
    table,
    names,
    makeRows,
    follow,
    /** The rows of these parts, sorted. */
    readParts: (snapshot: TableSnapshot, parts: ReadonlyArray<string>) =>
      Effect.map(
        Effect.forEach(parts, (part) => Stream.runCollect(Stream.splitLines(read(snapshot, part))), { concurrency: 4 }),
        (lines) => lines.flat().map(shown).toSorted()
      ),
    /** The rows of a snapshot that is taken now, as a target has them. */
    copy: Effect.gen(function* () {
      const rows = makeRows()
      const snapshot = yield* source.snapshot
      for (const part of yield* source.split(table)) {
        yield* Stream.runForEach(Stream.splitLines(read(snapshot, part)), (line) => Effect.sync(() => rows.put(line)))
      }
      return rows
    }).pipe(Effect.scoped),
    /** Confirms a position. */
    confirm: (position: Position) =>
      Effect.scoped(Effect.flatMap(source.follow(position, [table]), (feed) => feed.confirm(position)))
  }
})
type Subject = Effect.Success<ReturnType<typeof subjectOf>>
