import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { endText, engine, makePipe, sameRows, until } from "./support/pipes.ts"
import { describePostgres, type TestDatabase } from "./support/describePostgres.ts"
import { optionsFor } from "./support/optionsFor.ts"

const numbers = (database: TestDatabase, count: number) =>
  database.run(`CREATE TABLE t (id int PRIMARY KEY, v text, n bigint);
    INSERT INTO t SELECT i, 'row ' || i, i FROM generate_series(1, ${count}) i; ANALYZE t`)

describePostgres("a copied database", (newDatabase) => {
  it.live("has the rows of the source after a snapshot and concurrent changes", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* numbers(database, 5000)
      const fiber = yield* Effect.forkChild(pipe.copy(optionsFor(database, ["t"])))
      for (let round = 0; round < 20; round += 1) {
        yield* database.run(`UPDATE t SET v = 'changed ' || ${round} WHERE id % 20 = ${round};
          DELETE FROM t WHERE id % 50 = ${round}; INSERT INTO t VALUES (${10_000 + round}, NULL, ${round});
          UPDATE t SET id = id + 100000 WHERE id = ${round * 50 + 21}`)
      }
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(pipe.reports.at(-1)?.state, "Running")
    }).pipe(Effect.scoped)
  )

  it.live("goes on where it was stopped, also in the middle of the snapshot, and reads no part twice", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* numbers(database, 20_000)
      const options = optionsFor(database, ["t"])
      for (const pause of [150, 300, 50, 400]) {
        const fiber = yield* Effect.forkChild(pipe.copy(options))
        yield* Effect.sleep(pause)
        yield* Fiber.interrupt(fiber)
        yield* database.run(
          `UPDATE t SET n = -${pause} WHERE id % 100 = ${pause % 100}; DELETE FROM t WHERE id = ${pause}`
        )
      }
      const fiber = yield* Effect.forkChild(pipe.copy(options))
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* Fiber.interrupt(fiber)
      // Every key from the snapshot once, unless a mover was stopped in the middle of its part.
      const [parts] = yield* pipe.lines(
        `SELECT uniqExact(partition) FROM ${pipe.database}.headgate_pipe_log WHERE partition LIKE 'part %'`
      )
      assert.strictEqual(Number(parts), 20)
    }).pipe(Effect.scoped)
  )

  it.live("follows truncates, and rows that have the keys of removed ones", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* numbers(database, 1000)
      const fiber = yield* Effect.forkChild(pipe.copy(optionsFor(database, ["t"])))
      yield* until(
        Effect.map(pipe.rows("t", "id"), ({ length }) => length === 1000).pipe(
          Effect.catchCause(() => Effect.succeed(false))
        )
      )
      yield* database.run("INSERT INTO t VALUES (2000, 'before', 0)")
      yield* database.run("TRUNCATE t; INSERT INTO t VALUES (1, 'after', 0), (2, 'moves', 0)")
      yield* database.run("UPDATE t SET id = 3 WHERE id = 2; INSERT INTO t VALUES (2, 'another', 1)")
      yield* database.run("BEGIN; DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (2, 'again', 2); COMMIT")
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.scoped)
  )

  it.live("keeps the order of changes in a transaction during which others commit, also after a restart", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* numbers(database, 10)
      yield* database.run("CREATE TABLE u (id int PRIMARY KEY, v text)")
      const options = optionsFor(database, ["t", "u"])
      const first = yield* Effect.forkChild(pipe.copy(options, { rows: 100 }))
      yield* sameRows(database, pipe, "t", "id,v,n")
      const commits = database.run("INSERT INTO u SELECT coalesce(max(id), 0) + 1, 'other' FROM u")
      yield* database.transaction(
        Effect.fnUntraced(function* (run) {
          yield* run("INSERT INTO t VALUES (20, 'truncated', 0); TRUNCATE t; INSERT INTO t VALUES (21, 'inserted', 0)")
          yield* run(
            "UPDATE t SET v = 'updated' WHERE id = 21; INSERT INTO t VALUES (22, 'gone', 0); DELETE FROM t WHERE id = 22"
          )
          // More changes than the log has bytes between the commits.
          yield* run(
            "INSERT INTO t SELECT i, 'many', 0 FROM generate_series(100, 2000) i; UPDATE t SET n = 1 WHERE id = 21"
          )
          yield* commits
        })
      )
      yield* sameRows(database, pipe, "u", "id,v")
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* Fiber.interrupt(first)
      yield* database.run("UPDATE t SET v = 'later' WHERE id IN (21, 1999)")
      const second = yield* Effect.forkChild(pipe.copy(options))
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* Fiber.interrupt(second)
    }).pipe(Effect.scoped)
  )

  it.live("reads back large values that an update left as they were", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      const large = "(SELECT string_agg(md5(i::text || 'x'), '') FROM generate_series(1, 400) i)"
      yield* database.run(`CREATE TABLE t (id char(5), part int, large text, n int, PRIMARY KEY (id, part));
        CREATE TABLE f (id int PRIMARY KEY, large text, n int); ALTER TABLE f REPLICA IDENTITY FULL;
        INSERT INTO t SELECT i::text, i, ${large} || i, i FROM generate_series(1, 50) i;
        INSERT INTO f SELECT i, ${large} || i, i FROM generate_series(1, 50) i`)
      const fiber = yield* Effect.forkChild(pipe.copy(optionsFor(database, ["t", "f"])))
      yield* until(Effect.sync(() => (pipe.reports.at(-1)?.rows ?? 0) >= 100))
      for (const table of ["t", "f"]) {
        yield* database.run(`UPDATE ${table} SET n = n + 100; UPDATE ${table} SET n = -n WHERE n > 130`)
      }
      yield* database.run(
        "UPDATE t SET part = part + 1000 WHERE part < 5; UPDATE t SET large = 'small' WHERE part = 7; DELETE FROM t WHERE part = 8"
      )
      yield* sameRows(database, pipe, "t", "part,large,n")
      yield* sameRows(database, pipe, "f", "id,large,n")
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.scoped)
  )

  it.live("adds and removes tables while it is stopped, and copies a table anew that comes back", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* numbers(database, 500)
      yield* database.run(
        "CREATE TABLE u (id int PRIMARY KEY, v text); INSERT INTO u SELECT i, 'u' FROM generate_series(1, 100) i"
      )
      const run = Effect.fnUntraced(function* (tables: ReadonlyArray<string>) {
        const fiber = yield* Effect.forkChild(pipe.copy(optionsFor(database, tables)))
        for (const table of tables) yield* sameRows(database, pipe, table, "id,v")
        yield* Fiber.interrupt(fiber)
      })
      yield* run(["t"])
      yield* database.run("UPDATE u SET v = 'before it was added' WHERE id < 10; DELETE FROM t WHERE id < 10")
      yield* run(["t", "u"])
      yield* database.run("UPDATE u SET v = 'followed'; DELETE FROM t WHERE id < 20")
      yield* run(["t", "u"])
      yield* run(["t"])
      yield* database.run(
        "DELETE FROM u WHERE id % 2 = 0; UPDATE u SET v = 'while it was away'; DELETE FROM t WHERE id < 30"
      )
      yield* run(["t"])
      yield* run(["u", "t"])
      yield* database.run("UPDATE u SET v = 'followed again' WHERE id < 40")
      yield* run(["u", "t"])
    }).pipe(Effect.scoped)
  )

  it.live("is Failed when its slot is dropped, and a resync has the rows of the source again", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* numbers(database, 500)
      const options = optionsFor(database, ["t"])
      const fiber = yield* Effect.forkChild(pipe.copy(options))
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* database.run("UPDATE t SET v = 'followed' WHERE id < 100")
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* Fiber.interrupt(fiber)
      yield* database.run(`SELECT pg_drop_replication_slot('slot_${database.name}')`)
      yield* database.run("DELETE FROM t WHERE id % 2 = 0; UPDATE t SET v = 'unseen' WHERE id < 50")
      const end = yield* pipe.copy(options)
      assert.include(endText(end), "is gone: changes are lost. A resync copies the tables again")
      // A slot of that name that somebody made begins too late.
      yield* database.run(`SELECT pg_create_logical_replication_slot('slot_${database.name}', 'pgoutput')`)
      assert.match(endText(yield* pipe.copy(options)), /^Failed: the replication slot .* begins at/)
      yield* pipe.resync(options)
      const again = yield* Effect.forkChild(pipe.copy(options))
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* database.run("INSERT INTO t VALUES (2, 'new', 0); DELETE FROM t WHERE id = 1")
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* Fiber.interrupt(again)
    }).pipe(Effect.scoped)
  )

  it.live("is Failed when its target holds rows of an earlier pipe, until a resync replaces them", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const server = yield* engine
      const earlier = yield* makePipe(server)
      yield* numbers(database, 500)
      const options = optionsFor(database, ["t"])
      const first = yield* Effect.forkChild(earlier.copy(options))
      yield* sameRows(database, earlier, "t", "id,v,n")
      yield* database.run("UPDATE t SET v = 'followed' WHERE id < 100")
      yield* sameRows(database, earlier, "t", "id,v,n")
      yield* Fiber.interrupt(first)
      yield* database.run("DELETE FROM t WHERE id < 50; UPDATE t SET v = 'while no pipe' WHERE id < 100")
      // Another server's log may be ahead of this one's.
      const [ahead, row] = [2n ** 62n, "(60, 'of another server', 0, 0,"]
      yield* earlier.run(
        `INSERT INTO ${earlier.database}.t (id, v, n, _peerdb_is_deleted, _peerdb_version) VALUES ${row} ${ahead})`
      )
      const pipe = yield* makePipe(server, earlier.database)
      assert.include(endText(yield* pipe.copy(options)), "Failed: the table t holds rows from before this pipe.")
      assert.include((yield* pipe.rows("t", "id,v")).join(), "60|of another server")
      yield* pipe.resync(options)
      const second = yield* Effect.forkChild(pipe.copy(options))
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* database.run("UPDATE t SET v = 'followed again' WHERE id < 70; DELETE FROM t WHERE id > 400")
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* Fiber.interrupt(second)
    }).pipe(Effect.scoped)
  )

  it.live("copies a table again whose mapping names another target", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* numbers(database, 500)
      const run = Effect.fnUntraced(function* (target: string) {
        const options = optionsFor(database, [{ schema: "public", table: "t", target, excluded: [] }])
        const fiber = yield* Effect.forkChild(pipe.copy(options))
        yield* sameRows(database, pipe, "t", "id,v,n", target)
        yield* database.run(`UPDATE t SET v = 'into ${target}' WHERE id < 100; DELETE FROM t WHERE id % 7 = 0`)
        yield* sameRows(database, pipe, "t", "id,v,n", target)
        yield* Fiber.interrupt(fiber)
      })
      yield* run("one")
      yield* run("the other")
      yield* run("the other")
      const before = yield* pipe.rows("one", "id,v,n")
      const options = optionsFor(database, [{ schema: "public", table: "t", target: "one", excluded: [] }])
      assert.include(endText(yield* pipe.copy(options)), "Failed: the table one holds rows from before this pipe.")
      assert.deepStrictEqual(yield* pipe.rows("one", "id,v,n"), before)
    }).pipe(Effect.scoped)
  )

  it.live("is Failed when a target is dropped, and a resync copies its table again", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* numbers(database, 500)
      const options = optionsFor(database, ["t"])
      const first = yield* Effect.forkChild(pipe.copy(options))
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* pipe.run(`DROP TABLE ${pipe.database}.t SYNC`)
      yield* database.run("UPDATE t SET v = 'after' WHERE id < 10")
      assert.include(endText(yield* Fiber.join(first)), "Failed: the table t is gone")
      assert.deepStrictEqual(yield* pipe.rows("t", "id"), [])
      yield* pipe.resync(options)
      const second = yield* Effect.forkChild(pipe.copy(options))
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* Fiber.interrupt(second)
    }).pipe(Effect.scoped)
  )

  it.live("streams a transaction that is larger than a batch, and confirms it after its commit", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* numbers(database, 10)
      const fiber = yield* Effect.forkChild(pipe.copy(optionsFor(database, ["t"]), { rows: 500 }))
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* database.run(
        "BEGIN; INSERT INTO t SELECT i, 'large', i FROM generate_series(100, 20000) i; UPDATE t SET n = 1 WHERE id % 3 = 0; DELETE FROM t WHERE id % 7 = 0; COMMIT"
      )
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.scoped)
  )

  it.live("survives that the server is stopped and started", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* numbers(database, 100)
      const fiber = yield* Effect.forkChild(pipe.copy(optionsFor(database, ["t"])))
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* database.run("UPDATE t SET n = n + 1")
      yield* database.whileStopped(until(Effect.sync(() => pipe.reports.at(-1)?.state === "Degraded")))
      yield* database.run("DELETE FROM t WHERE id < 50")
      yield* sameRows(database, pipe, "t", "id,v,n")
      yield* until(Effect.sync(() => pipe.reports.at(-1)?.state === "Running"))
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.scoped)
  )

  it.live("copies once and is Completed, or follows changes alone", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* numbers(database, 3000)
      const end = yield* pipe.copy(optionsFor(database, ["t"], { mode: "snapshot" }))
      assert.strictEqual(end._tag, "Completed")
      yield* sameRows(database, pipe, "t", "id,v,n")
      const other = yield* makePipe(yield* engine)
      const fiber = yield* Effect.forkChild(other.copy(optionsFor(database, ["t"], { mode: "changes" })))
      yield* until(Effect.sync(() => other.reports.at(-1)?.state === "Running"))
      yield* database.run("INSERT INTO t VALUES (9999, 'only this', 1)")
      yield* until(Effect.map(other.rows("t", "id,v"), (rows) => rows.join() === "9999|only this"))
      yield* Fiber.interrupt(fiber)
      // What somebody else has copied stays.
      const after = yield* makePipe(yield* engine, pipe.database)
      const following = yield* Effect.forkChild(after.copy(optionsFor(database, ["t"], { mode: "changes" })))
      yield* until(Effect.sync(() => after.reports.at(-1)?.state === "Running"))
      yield* database.run("UPDATE t SET v = 'changed' WHERE id = 1; DELETE FROM t WHERE id IN (2, 9999)")
      yield* sameRows(database, after, "t", "id,v,n")
      yield* Fiber.interrupt(following)
    }).pipe(Effect.scoped)
  )
})
