import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describePostgres, type TestDatabase } from "./support/describePostgres.ts"
import { optionsFor } from "./support/optionsFor.ts"
import { endText, engine, makePipe, sameRows } from "./support/pipes.ts"

const swap = `CREATE TABLE t_new (id int PRIMARY KEY, n int); INSERT INTO t_new VALUES (1, 10), (4, 40);
  ALTER TABLE t RENAME TO t_old; ALTER TABLE t_new RENAME TO t; INSERT INTO t VALUES (100, 1)`

const changes: ReadonlyArray<readonly [what: string, sql: (database: TestDatabase) => string]> = [
  ["is swapped by RENAME", () => swap],
  [
    "is dropped and made again",
    () => "DROP TABLE t; CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 10), (100, 1)"
  ],
  [
    "is taken out of the publication",
    ({ name }) =>
      `ALTER PUBLICATION pub_${name} DROP TABLE t; UPDATE t SET n = 10 WHERE id = 1; DELETE FROM t WHERE id = 2`
  ]
]

const says = /^Failed: "public"\."t" is no longer the table that was copied: .* A resync copies it as it is now/

/** A pipe that has copied a table and follows it. */
const follow = Effect.fnUntraced(function* (database: TestDatabase) {
  const pipe = yield* makePipe(yield* engine)
  const options = optionsFor(database, ["t"])
  yield* database.run(
    "CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t SELECT i, i FROM generate_series(1, 3) i"
  )
  const fiber = yield* Effect.forkChild(pipe.copy(options))
  yield* sameRows(database, pipe, "t", "id,n")
  yield* database.run("INSERT INTO t VALUES (1000, 1)")
  yield* sameRows(database, pipe, "t", "id,n")
  const resync = Effect.gen(function* () {
    yield* pipe.resync(options)
    const again = yield* Effect.forkChild(pipe.copy(options))
    yield* sameRows(database, pipe, "t", "id,n")
    yield* database.run("INSERT INTO t VALUES (2000, 1)")
    yield* sameRows(database, pipe, "t", "id,n")
    yield* Fiber.interrupt(again)
  })
  return { fiber, options, pipe, resync }
})

describePostgres("a copied table that is another one now", (newDatabase) => {
  it.live(
    "while it is followed: the pipe is Failed within about a minute, and a resync copies it",
    () =>
      Effect.forEach(
        changes,
        ([, sql]) =>
          Effect.gen(function* () {
            const database = yield* newDatabase
            const { fiber, options, pipe, resync } = yield* follow(database)
            yield* database.run(sql(database))
            assert.match(endText(yield* Fiber.join(fiber)), says)
            assert.match(endText(yield* pipe.copy(options)), says)
            yield* resync
          }),
        { concurrency: "unbounded", discard: true }
      ).pipe(Effect.scoped),
    300_000
  )

  for (const [what, sql] of changes) {
    it.live(`${what} while the pipe is stopped: the start is Failed, and a resync copies it`, () =>
      Effect.gen(function* () {
        const database = yield* newDatabase
        const { fiber, options, pipe, resync } = yield* follow(database)
        yield* Fiber.interrupt(fiber)
        yield* database.run(sql(database))
        assert.match(endText(yield* pipe.copy(options)), says)
        yield* resync
      }).pipe(Effect.scoped)
    )
  }

  it.live("is renamed and back again before a resync: nothing is lost", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const { fiber, options, pipe } = yield* follow(database)
      yield* database.run("ALTER TABLE t RENAME TO t_away; INSERT INTO t_away VALUES (5000, 1)")
      yield* Fiber.interrupt(fiber)
      assert.match(endText(yield* pipe.copy(options)), /^Failed: there is no table "public"."t"/)
      yield* database.run(
        "INSERT INTO t_away VALUES (5001, 1); ALTER TABLE t_away RENAME TO t; INSERT INTO t VALUES (5002, 1)"
      )
      const again = yield* Effect.forkChild(pipe.copy(options))
      yield* sameRows(database, pipe, "t", "id,n")
      yield* Fiber.interrupt(again)
    }).pipe(Effect.scoped)
  )

  it.live("has a target that was made again: the start is Failed, and a resync copies it", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const { fiber, options, pipe, resync } = yield* follow(database)
      yield* Fiber.interrupt(fiber)
      const { database: into } = pipe
      yield* pipe.run(`CREATE TABLE ${into}.again AS ${into}.t`)
      const [comment] = yield* pipe.lines(`SELECT comment FROM system.tables WHERE database = '${into}' AND name = 't'`)
      yield* pipe.run(`ALTER TABLE ${into}.again MODIFY COMMENT '${comment ?? ""}'`)
      yield* pipe.run(`DROP TABLE ${into}.t SYNC`)
      yield* pipe.run(`RENAME TABLE ${into}.again TO ${into}.t`)
      const end = endText(yield* pipe.copy(options))
      assert.match(end, /^Failed: .*another/)
      yield* resync
    }).pipe(Effect.scoped)
  )

  it.live("of the user's own publication: the pipe is Failed, and says what to run", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* database.run(`CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 1);
        CREATE PUBLICATION mine FOR TABLE t WITH (publish_via_partition_root = true)`)
      const options = optionsFor(database, ["t"], { publication: { name: "mine", isOwn: false } })
      const fiber = yield* Effect.forkChild(pipe.copy(options))
      yield* sameRows(database, pipe, "t", "id,n")
      yield* Fiber.interrupt(fiber)
      yield* database.run(swap)
      assert.match(endText(yield* pipe.copy(options)), says)
      yield* pipe.resync(options)
      const add = 'ALTER PUBLICATION "mine" ADD TABLE "public"."t"'
      assert.include(endText(yield* pipe.copy(options)), `the publication "mine" lacks "public"."t". Run: ${add}`)
      yield* database.run(add)
      const again = yield* Effect.forkChild(pipe.copy(options))
      yield* sameRows(database, pipe, "t", "id,n")
      yield* Fiber.interrupt(again)
    }).pipe(Effect.scoped)
  )
})
