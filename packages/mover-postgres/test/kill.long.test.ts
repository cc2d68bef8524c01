import { assert, it } from "@effect/vitest"
import { makeRandom, type Random } from "@headgate/harness/Random"
import { lawPipeId } from "@headgate/mover/laws"
import { SqlAdapter } from "@headgate/sql-adapter"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { env, execPath } from "node:process"
import { startServer } from "../../mover-clickhouse/test/support/chdb.ts"
import { insertPipes } from "../../sql-adapter/test/support/ledgers.ts"
import { describePostgres, type TestDatabase } from "./support/describePostgres.ts"
import { engine, makePipe, sameRows, until } from "./support/pipes.ts"
import type { ProcessOptions } from "./support/optionsFor.ts"

const rounds = Number(env["HEADGATE_KILL_ROUNDS"] ?? "8")
const seed = Number(env["HEADGATE_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

const script = join(import.meta.dirname, "processes", "copyForever.ts")

/** A process that copies. It is killed with the scope, if it was not before. */
const startCopy = (options: ProcessOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(execPath, [script, JSON.stringify(options)], { stdio: ["ignore", "pipe", "inherit"] })),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill("SIGKILL")
        await once(child, "exit")
      })
  )

/** One transaction of a user: rows are inserted, changed, moved to other keys and deleted; now and then all of them go. */
const transaction = (random: Random): string => {
  const id = () => random.between(1, 6000)
  const one = () =>
    random.pick([
      `INSERT INTO t VALUES (${id()}, 'inserted', ${id()}) ON CONFLICT (id) DO UPDATE SET n = excluded.n`,
      `UPDATE t SET v = 'changed ${id()}' WHERE id BETWEEN ${id()} AND ${id()} AND id % 7 = 0`,
      `UPDATE t SET n = n + 1 WHERE id = ${id()}`,
      `UPDATE t SET id = id + 100000 WHERE id = ${id()} AND NOT EXISTS (SELECT FROM t x WHERE x.id = t.id + 100000)`,
      `DELETE FROM t WHERE id BETWEEN ${id()} AND ${id()} AND id % 11 = 0`,
      ...(random.between(1, 4) > 1 ? [] : [`UPDATE big SET n = n + 1 WHERE id % 5 = ${random.between(0, 4)}`]),
      ...(random.between(1, 40) === 1
        ? ["TRUNCATE t; INSERT INTO t SELECT i, 'after', i FROM generate_series(1, 500) i"]
        : [])
    ])
  const statements = Array.from({ length: random.between(1, 4) }, one).join("; ")
  return `BEGIN; ${statements}; ${random.between(1, 8) === 1 ? "ROLLBACK" : "COMMIT"}`
}

/** What Postgres does to one of two transactions that overlap: a deadlock, or a key that the other one has inserted. */
const isRolledBack = (defect: unknown): boolean =>
  Predicate.hasProperty(defect, "code") && (defect.code === "40P01" || defect.code === "23505")

/** A user who changes the tables for ever. */
const changeForever = (database: TestDatabase, random: Random) =>
  Effect.suspend(() => database.run(transaction(random))).pipe(
    Effect.catchDefect((defect) => (isRolledBack(defect) ? Effect.void : Effect.die(defect))),
    Effect.andThen(Effect.sleep("15 millis")),
    Effect.forever
  )

describePostgres("a mover that is killed", (newDatabase) => {
  it.live(
    `leaves tables that equal the source's, row by row, after ${rounds} kills (HEADGATE_SEED=${seed})`,
    () =>
      Effect.gen(function* () {
        const database = yield* newDatabase
        const pipe = yield* makePipe(yield* engine)
        const front = yield* startServer()
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "headgate-copy-"))),
          (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
        )
        const ledger = join(folder, "ledger.db")
        yield* Effect.provide(insertPipes(lawPipeId), SqlAdapter.layerSqlite({ filename: ledger }))
        yield* database.run(`CREATE TABLE t (id int PRIMARY KEY, v text, n int); CREATE TABLE big (id int PRIMARY KEY, large text, n int);
        INSERT INTO t SELECT i, 'row ' || i, i FROM generate_series(1, 6000) i; ANALYZE t;
        INSERT INTO big SELECT i, (SELECT string_agg(md5(i::text || j), '') FROM generate_series(1, 100) j), i FROM generate_series(1, 200) i`)
        const { name, port, socket } = database
        const options = {
          source: { name, port, socket },
          tables: ["t", "big"],
          url: front.url,
          target: pipe.database,
          ledger
        }
        const users = yield* Effect.forEach([1, 2], (user) =>
          Effect.forkChild(changeForever(database, makeRandom(seed + user)))
        )
        const random = makeRandom(seed)
        const lastVersion = pipe.lines(`SELECT max(_peerdb_version) FROM ${pipe.database}.t`).pipe(
          Effect.map(([version = "0"]) => Number(version)),
          // The first ones may be killed before they create the table.
          Effect.catchCause(() => Effect.succeed(0))
        )
        // The first ones are killed wherever they are, on a slow machine all of them in the snapshot. The last three come to the changes.
        for (let round = 0; round < rounds + 3; round += 1) {
          const life = Effect.gen(function* () {
            const before = yield* lastVersion
            const child = yield* startCopy(options)
            yield* Effect.promise(() => once(child.stdout, "data"))
            child.stdout.resume()
            if (round >= rounds)
              yield* until(Effect.map(lastVersion, (version) => version > before || child.exitCode !== null))
            yield* Effect.sleep(random.between(0, 1500))
            assert.strictEqual(child.exitCode, null, "it ended before it was killed")
          })
          yield* Effect.scoped(life)
        }
        for (const user of users) assert.strictEqual(user.pollUnsafe(), undefined, "a user has stopped")
        yield* Fiber.interruptAll(users)
        const last = yield* startCopy(options)
        last.stdout.resume()
        yield* sameRows(database, pipe, "t", "id,v,n")
        yield* sameRows(database, pipe, "big", "id,large,n")
        assert.strictEqual(last.exitCode, null)
      }).pipe(Effect.scoped),
    // It starts a dozen processes one after another.
    600_000
  )
})
