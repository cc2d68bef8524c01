import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describePostgres, type TestDatabase } from "./support/describePostgres.ts"
import { endText, engine, makePipe, type Pipe, sameRows, until } from "./support/pipes.ts"
import { optionsFor } from "./support/optionsFor.ts"

/** A pipe that follows a table of some rows. */
const follow = Effect.fnUntraced(function* (database: TestDatabase, pipe: Pipe, excludedColumns: string = "") {
  yield* database.run(
    `CREATE TABLE t (id int PRIMARY KEY, n int${excludedColumns}); INSERT INTO t SELECT i, i FROM generate_series(1, 100) i`
  )
  const fiber = yield* Effect.forkChild(pipe.copy(optionsFor(database, ["t"])))
  yield* sameRows(database, pipe, "t", "id,n")
  yield* database.run("INSERT INTO t (id, n) VALUES (1000, 1)")
  yield* sameRows(database, pipe, "t", "id,n")
  return fiber
})

const added =
  'column note of "public"."t" is not copied: its target has no such column. A resync adds it, or says what to run'

describePostgres("a table whose columns change while it is followed", (newDatabase) => {
  it.live("has a new column: a warning, also of the next mover, until a resync copies it", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      const fiber = yield* follow(database, pipe, ", g int GENERATED ALWAYS AS (n + 1) STORED")
      assert.deepStrictEqual(pipe.reports.at(-1)?.warnings, [])
      yield* database.run("ALTER TABLE t ADD COLUMN note text; INSERT INTO t (id, n, note) VALUES (2000, 2, 'x')")
      yield* sameRows(database, pipe, "t", "id,n")
      yield* until(Effect.sync(() => (pipe.reports.at(-1)?.warnings.length ?? 0) > 0))
      const first = pipe.reports.at(-1)
      assert.deepStrictEqual([first?.state, first?.warnings], ["Running", [added]])
      assert.deepStrictEqual(Array.from(first?.unknownFields ?? []), [['"public"."t".note', undefined]])
      yield* Fiber.interrupt(fiber)
      const options = optionsFor(database, ["t"])
      const before = pipe.reports.length
      const next = yield* Effect.forkChild(pipe.copy(options))
      yield* until(Effect.sync(() => pipe.reports.slice(before).some(({ state }) => state === "Running")))
      assert.deepStrictEqual(pipe.reports.at(-1)?.warnings, [added])
      yield* Fiber.interrupt(next)
      yield* pipe.resync(options)
      const again = yield* Effect.forkChild(pipe.copy(options))
      yield* sameRows(database, pipe, "t", "id,n,note")
      assert.deepStrictEqual(pipe.reports.at(-1)?.warnings, [])
      yield* Fiber.interrupt(again)
    }).pipe(Effect.scoped)
  )

  for (const [what, alter, says] of [
    ["lacks a column", "DROP COLUMN n", "column n was dropped or renamed. A resync copies the table as it is now"],
    ["has a renamed column", "RENAME COLUMN n TO m", "column n was dropped or renamed"],
    ["has a column of another type", "ALTER COLUMN n TYPE bigint", "column n has another type"]
  ] as const) {
    it.live(`${what}: the pipe is Failed, and says so`, () =>
      Effect.gen(function* () {
        const database = yield* newDatabase
        const pipe = yield* makePipe(yield* engine)
        const fiber = yield* follow(database, pipe)
        yield* database.run(`ALTER TABLE t ${alter}; INSERT INTO t VALUES (2000)`)
        const end = endText(yield* Fiber.join(fiber))
        assert.match(end, /^Failed: /)
        assert.include(end, says)
      }).pipe(Effect.scoped)
    )
  }

  it.live("no longer has an excluded column: it is followed on, and not copied again under another name", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* database.run(
        "CREATE TABLE t (id int PRIMARY KEY, n int, email text); INSERT INTO t VALUES (1, 1, 'secret')"
      )
      const excluding = (column: string) =>
        optionsFor(database, [{ schema: "public", table: "t", target: "t", excluded: [column] }])
      const first = yield* Effect.forkChild(pipe.copy(excluding("email")))
      yield* sameRows(database, pipe, "t", "id,n")
      yield* database.run("ALTER TABLE t RENAME COLUMN email TO mail; INSERT INTO t VALUES (2, 2, 'secret')")
      yield* sameRows(database, pipe, "t", "id,n")
      yield* Fiber.interrupt(first)
      const next = yield* Effect.forkChild(pipe.copy(excluding("email")))
      yield* database.run("INSERT INTO t VALUES (3, 3, 'secret')")
      yield* sameRows(database, pipe, "t", "id,n")
      yield* Fiber.interrupt(next)

      yield* pipe.resync(excluding("email"))
      const refused = endText(yield* pipe.copy(excluding("email")))
      assert.match(refused, /^Failed: "public"."t": it has no column email, which excludedColumns names/)
      const snapshot = yield* makePipe(yield* engine)
      assert.strictEqual(endText(yield* snapshot.copy({ ...excluding("email"), mode: "snapshot" })), refused)
      const columns = yield* pipe.lines(`SELECT * EXCEPT (_peerdb_synced_at) FROM ${pipe.database}.t`)
      assert.notInclude(columns.join(), "secret")
    }).pipe(Effect.scoped)
  )

  for (const [what, alter, says] of [
    ["of another type", "MODIFY COLUMN n Nullable(Int8)", /^Failed: column n of the table t is Nullable\(Int8\)/],
    ["that is new", "ADD COLUMN w String", /^Failed: the table t has a column w, which .* or added here/]
  ] as const) {
    it.live(`a target with a column ${what}: the pipe is Failed, and no value changes in silence`, () =>
      Effect.gen(function* () {
        const database = yield* newDatabase
        const served = yield* engine
        const pipe = yield* makePipe(served)
        const fiber = yield* follow(database, pipe)
        yield* served.run(`ALTER TABLE ${pipe.database}.t ${alter}`)
        yield* database.run("INSERT INTO t VALUES (2000, 300)")
        assert.match(endText(yield* Fiber.join(fiber)), says)
        const [rows] = yield* pipe.lines(`SELECT count() FROM ${pipe.database}.t WHERE id = 2000`)
        assert.strictEqual(rows, "0")
      }).pipe(Effect.scoped)
    )
  }

  it.live("a target without one of its columns: a warning", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const served = yield* engine
      const pipe = yield* makePipe(served)
      const fiber = yield* follow(database, pipe)
      yield* served.run(`ALTER TABLE ${pipe.database}.t DROP COLUMN n`)
      yield* database.run("INSERT INTO t VALUES (2000, 300)")
      yield* sameRows(database, pipe, "t", "id")
      assert.include(pipe.reports.at(-1)?.warnings[0], "column n of ")
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.scoped)
  )
})
