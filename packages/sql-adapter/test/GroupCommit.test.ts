import { assert, describe, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot } from "@headgate/conformance/fixtures"
import { ApiKeys, Pipes, Snapshots } from "@headgate/core"
import { OrganizationDashboards, Tokens } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { statSync } from "node:fs"
import { join } from "node:path"
import { execPath } from "node:process"
import { DatabaseSync } from "node:sqlite"
import { NodeSqlite, type NodeSqliteOptions, SqlAdapter } from "../src/index.ts"
import { writeStatement, writeTransaction } from "../src/internal/transaction.ts"
import { temporaryFilename } from "./temporaryDatabase.ts"

const openOther = (filename: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(filename)),
    (db) => Effect.sync(() => db.close())
  )

/** A new database file with an empty table, opened by the client under test and by another connection. */
const open = Effect.fnUntraced(function* (groupCommit: NodeSqliteOptions["groupCommit"] = {}) {
  const filename = yield* temporaryFilename
  const built = yield* Layer.build(Layer.fresh(NodeSqlite.layer({ filename, groupCommit })))
  const sql = yield* Effect.provide(SqlClient, built)
  yield* sql`CREATE TABLE item (id TEXT PRIMARY KEY, parent TEXT REFERENCES item (id) DEFERRABLE INITIALLY DEFERRED)`
  const other = yield* openOther(filename)
  const select = other.prepare("SELECT id FROM item ORDER BY rowid")
  return {
    filename,
    sql,
    /** The ids that another connection sees. */
    committed: () => select.all().map(({ id }) => id),
    insert: (id: string, parent?: string) => sql`INSERT INTO item (id, parent) VALUES (${id}, ${parent})`
  }
})

const ids = (count: number) => Array.from({ length: count }, (_, n) => `item ${n}`)

const unbounded = { concurrency: "unbounded" } as const

/** How many pages were written to the write-ahead log: at least one a commit. */
const pagesInLog = (filename: string) => (statSync(`${filename}-wal`).size - 32) / (4096 + 24)

describe("a group of writes", () => {
  it.live("is one transaction, of at most maxWrites, and no other connection sees it before its commit", () =>
    Effect.gen(function* () {
      const { committed, insert, sql } = yield* open({ maxWrites: 4 })
      const seen = yield* Effect.forEach(
        ids(10),
        (id) =>
          writeTransaction(sql)(
            Effect.map(insert(id), () => {
              assert.isTrue(!committed().includes(id))
              return committed().length
            })
          ),
        unbounded
      )
      assert.deepStrictEqual(seen, [0, 0, 0, 0, 4, 4, 4, 4, 8, 8])
    })
  )

  it.live("is written to the log once, and not once for each write", () =>
    Effect.gen(function* () {
      const grouped = yield* open()
      const single = yield* open({ maxWrites: 1 })
      for (const { filename, insert, sql } of [grouped, single]) {
        const before = pagesInLog(filename)
        yield* Effect.forEach(ids(64), (id) => writeStatement(sql)(insert(id)), unbounded)
        const pages = pagesInLog(filename) - before
        if (sql === grouped.sql) assert.isBelow(pages, 10)
        else assert.isAtLeast(pages, 64)
      }
    })
  )

  it.live("acknowledges no write before its commit", () =>
    Effect.gen(function* () {
      const { committed, insert, sql } = yield* open()
      const seen = yield* Effect.forEach(
        ids(10),
        (id) => Effect.map(writeStatement(sql)(insert(id)), () => committed().length),
        unbounded
      )
      assert.deepStrictEqual(
        seen,
        ids(10).map(() => 10)
      )
    })
  )

  it.live("loses a write that fails, and no other", () =>
    Effect.gen(function* () {
      const { committed, insert, sql } = yield* open()
      const write = writeTransaction(sql)
      const exits = yield* Effect.all(
        [
          write(insert("first")),
          write(Effect.andThen(insert("undone"), insert("first"))),
          write(Effect.andThen(insert("undone, too"), Effect.fail("no"))),
          write(Effect.andThen(insert("undone as well"), Effect.die("a bug"))),
          write(insert("last"))
        ].map((each) => Effect.exit(each)),
        unbounded
      )
      assert.deepStrictEqual(
        exits.map((exit) => Exit.isSuccess(exit)),
        [true, false, false, false, true]
      )
      assert.deepStrictEqual(exits[2], Exit.fail("no"))
      assert.deepStrictEqual(exits[3], Exit.die("a bug"))
      assert.deepStrictEqual(committed(), ["first", "last"])
    })
  )

  it.live("fails as a whole when its COMMIT fails, and the next group is committed", () =>
    Effect.gen(function* () {
      const { committed, insert, sql } = yield* open()
      const errors = yield* Effect.all(
        [insert("first"), insert("orphan", "nobody"), insert("last")].map((each) =>
          Effect.flip(writeStatement(sql)(each))
        ),
        unbounded
      )
      for (const error of errors) assert.strictEqual(error.reason._tag, "ConstraintError")
      assert.deepStrictEqual(committed(), [])
      yield* writeStatement(sql)(insert("later"))
      assert.deepStrictEqual(committed(), ["later"])
    })
  )

  it.live("fails as a whole when SQLite rolls its transaction back, and the next group is committed", () =>
    Effect.gen(function* () {
      const { committed, insert, sql } = yield* open()
      yield* sql`PRAGMA max_page_count = 20`
      const errors = yield* Effect.all(
        [insert("first"), insert("x".repeat(1_000_000)), insert("last")].map((each) =>
          Effect.flip(writeStatement(sql)(each))
        ),
        unbounded
      )
      for (const error of errors) assert.include(String(error.reason.cause), "database or disk is full")
      assert.deepStrictEqual(committed(), [])
      yield* writeStatement(sql)(insert("later"))
      assert.deepStrictEqual(committed(), ["later"])
    })
  )

  it.live("is collected while reads run", () =>
    Effect.gen(function* () {
      const { insert, sql } = yield* open()
      const log: Array<string> = []
      const write = Effect.map(writeStatement(sql)(insert("first")), () => log.push("written"))
      const read = Effect.map(sql`SELECT * FROM item`, (rows) => log.push(`${rows.length} rows read`))
      yield* Effect.all([write, read], unbounded)
      assert.deepStrictEqual(log, ["0 rows read", "written"])
    })
  )

  it.live("closes after maxDelay though more writes arrive", () =>
    Effect.gen(function* () {
      const { insert, sql } = yield* open({ maxWrites: 1_000_000 })
      let acknowledged = 0
      const endsAt = performance.now() + 2000
      const acknowledgedInTime = yield* Effect.promise(
        () =>
          new Promise<number>((resolve) => {
            // One write in each turn of the event loop.
            const writeInNextTurn = (turn: number) => {
              if (acknowledged > 0 || performance.now() > endsAt) return resolve(acknowledged)
              setImmediate(() => writeInNextTurn(turn + 1))
              Effect.runFork(Effect.map(writeStatement(sql)(insert(`item ${turn}`)), () => acknowledged++))
            }
            writeInNextTurn(0)
          })
      )
      assert.isAbove(acknowledgedInTime, 0)
    })
  )

  it.live("does not make a single writer wait for maxDelay", () =>
    Effect.gen(function* () {
      const { committed, insert, sql } = yield* open({ maxDelay: "1 hour" })
      yield* Effect.forEach(ids(10), (id) => writeStatement(sql)(insert(id)))
      assert.lengthOf(committed(), 10)
    })
  )

  it.live("drops a write whose caller is interrupted before the group begins", () =>
    Effect.gen(function* () {
      const { committed, insert, sql } = yield* open()
      const dropped = yield* Effect.forkChild(writeStatement(sql)(insert("dropped")), { startImmediately: true })
      const kept = yield* Effect.forkChild(writeStatement(sql)(insert("kept")), { startImmediately: true })
      yield* Fiber.interrupt(dropped)
      yield* Fiber.join(kept)
      assert.deepStrictEqual(committed(), ["kept"])
    })
  )

  it.live("is not joined by a write within the caller's own transaction", () =>
    Effect.gen(function* () {
      const { committed, insert, sql } = yield* open()
      const failure = Effect.andThen(writeStatement(sql)(insert("undone")), Effect.fail("no"))
      assert.strictEqual(yield* Effect.flip(sql.withTransaction(failure)), "no")
      yield* sql.withTransaction(writeTransaction(sql)(insert("kept")))
      assert.deepStrictEqual(committed(), ["kept"])
    })
  )

  it.live("waits for another transaction of the client", () =>
    Effect.gen(function* () {
      const { committed, insert, sql } = yield* open()
      const transaction = Effect.andThen(insert("first"), Effect.andThen(Effect.sleep("20 millis"), insert("second")))
      yield* Effect.all([sql.withTransaction(transaction), writeStatement(sql)(insert("third"))], unbounded)
      assert.deepStrictEqual(committed(), ["first", "second", "third"])
    })
  )
})

describe("the ports", () => {
  it.live("commit writes of every kind in one group", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      const { organizations, pipes, services } = fixtureIds
      yield* Effect.gen(function* () {
        yield* Snapshots.use((snapshots) => Effect.flatMap(fixtureSnapshot, snapshots.import))
        const dashboards = yield* OrganizationDashboards
        const keys = yield* ApiKeys
        const tokens = yield* Tokens
        const created = yield* keys.create({ organizationId: organizations.acme }, { name: "deleted" })
        const token = yield* tokens.create(organizations.acme, "revoked")
        const before = pagesInLog(filename)
        yield* Effect.all(
          [
            Pipes.use((each) =>
              each.delete({ organizationId: organizations.acme, serviceId: services.ingest, pipeId: pipes.kafka })
            ),
            keys.update({ organizationId: organizations.acme, keyId: fixtureIds.keys.admin }, { state: "disabled" }),
            keys.delete({ organizationId: organizations.acme, keyId: created.key.id }),
            tokens.revoke(organizations.acme, token.token.id),
            ...ids(20).flatMap((name) => [
              keys.create({ organizationId: organizations.acme }, { name }),
              tokens.create(organizations.acme, name),
              dashboards.of(organizations.acme).create({ name })
            ])
          ],
          unbounded
        )
        // 64 writes, each of which changes at least two pages.
        assert.isBelow(pagesInLog(filename) - before, 64)
      }).pipe(Effect.provide(SqlAdapter.layerSqlite({ filename })))
    })
  )

  it.live("lose no acknowledged write when the process is killed", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      const acknowledged = yield* Effect.promise(async () => {
        const script = join(import.meta.dirname, "processes", "createKeysForever.ts")
        const child = spawn(execPath, [script, filename], { stdio: ["ignore", "pipe", "inherit"] })
        let printed = ""
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          printed += text
          if (printed.length > 300 * 37) child.kill("SIGKILL")
        })
        await once(child, "close")
        assert.strictEqual(child.signalCode, "SIGKILL")
        return printed.split("\n").slice(0, -1)
      })
      const other = yield* openOther(filename)
      const stored = new Set(
        other
          .prepare("SELECT id FROM api_key")
          .all()
          .map(({ id }) => id)
      )
      assert.isAtLeast(acknowledged.length, 300)
      assert.deepStrictEqual(
        acknowledged.filter((id) => !stored.has(id)),
        []
      )
    })
  )
})
