import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as Stream from "effect/Stream"
import { SafeIntegers, SqlClient } from "effect/sql/SqlClient"
import { DatabaseSync } from "node:sqlite"
import { NodeSqlite } from "../src/index.ts"
import { temporaryFilename } from "./temporaryDatabase.ts"

/** Over an open database with one empty table. */
const withTable = <A, E, R>(body: Effect.Effect<A, E, R>, filename = ":memory:") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`CREATE TABLE parent (id TEXT PRIMARY KEY, name TEXT UNIQUE, age INTEGER NOT NULL DEFAULT 0)`
    yield* sql`CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id TEXT NOT NULL REFERENCES parent (id), data BLOB)`
    return yield* body
  }).pipe(Effect.provide(NodeSqlite.layer({ filename })))

const names = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly name: string }>`SELECT name FROM parent ORDER BY name`
  return rows.map(({ name }) => name)
})

const insert = (name: string) => SqlClient.use((sql) => sql`INSERT INTO parent ${sql.insert({ id: name, name })}`)

describe("errors", () => {
  it.effect.each([
    ["a primary key", "INSERT INTO parent (id, name) VALUES ('1', 'other')", "UniqueViolation", "parent.id"],
    ["a unique column", "INSERT INTO parent (id, name) VALUES ('2', 'one')", "UniqueViolation", "parent.name"],
    ["a row id", "INSERT INTO child (id, parent_id) VALUES (1, '1')", "UniqueViolation", "child.id"],
    ["a null", "INSERT INTO parent (id, age) VALUES ('3', NULL)", "ConstraintError", undefined],
    ["a foreign key", "INSERT INTO child (id, parent_id) VALUES (2, 'none')", "ConstraintError", undefined],
    ["a syntax error", "INSERT INTO nowhere", "UnknownError", undefined]
  ] as const)("%s", ([, text, tag, constraint]) =>
    withTable(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`INSERT INTO parent (id, name) VALUES ('1', 'one')`
        yield* sql`INSERT INTO child (id, parent_id) VALUES (1, '1')`
        const { reason } = yield* Effect.flip(sql.unsafe(text))
        assert.strictEqual(reason._tag, tag)
        assert.strictEqual(reason._tag === "UniqueViolation" ? reason.constraint : undefined, constraint)
        assert.strictEqual(reason.operation, "execute")
      })
    )
  )

  it.live("a lock that another connection holds too long", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      const hasBegun = yield* Deferred.make<void>()
      const writer = yield* withTable(
        SqlClient.use((sql) =>
          sql.withTransaction(Effect.andThen(Deferred.succeed(hasBegun, undefined), Effect.never))
        ),
        filename
      ).pipe(Effect.forkChild)
      yield* Deferred.await(hasBegun)
      const { reason } = yield* insert("late").pipe(
        Effect.provide(NodeSqlite.layer({ filename, busyTimeout: "20 millis" })),
        Effect.flip
      )
      assert.strictEqual(reason._tag, "LockTimeoutError")
      yield* Fiber.interrupt(writer)
    })
  )

  it.effect("a file where the folder should be", () =>
    Effect.gen(function* () {
      const fileSystem = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const file = yield* fileSystem.makeTempFileScoped()
      const { reason } = yield* names.pipe(
        Effect.provide(NodeSqlite.layer({ filename: path.join(file, "headgate.db") })),
        Effect.flip
      )
      assert.strictEqual(reason._tag, "ConnectionError")
      assert.match(reason.message ?? "", /^cannot create the database .*: E(EXIST|NOTDIR): /)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("a file that is no database", () =>
    Effect.gen(function* () {
      const fileSystem = yield* FileSystem.FileSystem
      const filename = yield* fileSystem.makeTempFileScoped()
      yield* fileSystem.writeFileString(filename, "this is no database ".repeat(100))
      const { reason } = yield* names.pipe(Effect.provide(NodeSqlite.layer({ filename })), Effect.flip)
      assert.strictEqual(reason.operation, "configure")
      assert.strictEqual(reason.message, "cannot configure the database: file is not a database")
      assert.strictEqual(yield* fileSystem.readFileString(filename), "this is no database ".repeat(100))
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("transactions", () => {
  it.effect("a failure undoes all of it", () =>
    withTable(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* insert("before")
        const error = yield* Effect.andThen(insert("in between"), Effect.fail("no")).pipe(
          sql.withTransaction,
          Effect.flip
        )
        assert.strictEqual(error, "no")
        assert.deepStrictEqual(yield* names, ["before"])
        yield* sql.withTransaction(insert("after"))
        assert.deepStrictEqual(yield* names, ["after", "before"])
      })
    )
  )

  it.effect("an interruption undoes all of it", () =>
    withTable(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const isInside = yield* Deferred.make<void>()
        const fiber = yield* insert("in between").pipe(
          Effect.andThen(Deferred.succeed(isInside, undefined)),
          Effect.andThen(Effect.never),
          sql.withTransaction,
          Effect.forkChild
        )
        yield* Deferred.await(isInside)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* names, [])
      })
    )
  )

  it.effect("a nested failure undoes the nested part", () =>
    withTable(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* insert("outer")
            yield* Effect.andThen(insert("inner"), Effect.fail("no")).pipe(sql.withTransaction, Effect.flip)
            yield* sql.withTransaction(insert("second inner"))
          })
        )
        assert.deepStrictEqual(yield* names, ["outer", "second inner"])
      })
    )
  )

  it.effect("another fiber's statement waits until the transaction has ended", () =>
    withTable(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const isInside = yield* Deferred.make<void>()
        const mayEnd = yield* Deferred.make<void>()
        const transaction = yield* insert("inside").pipe(
          Effect.andThen(Deferred.succeed(isInside, undefined)),
          Effect.andThen(Deferred.await(mayEnd)),
          Effect.andThen(Effect.fail("no")),
          sql.withTransaction,
          Effect.flip,
          Effect.forkChild
        )
        yield* Deferred.await(isInside)
        const outside = yield* Effect.forkChild(insert("outside"))
        yield* Effect.yieldNow
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.join(transaction)
        yield* Fiber.join(outside)
        assert.deepStrictEqual(yield* names, ["outside"])
      })
    )
  )
})

describe("statements", () => {
  it.effect("more of them than the cache holds", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const n of [1, 2, 3, 1, 2, 3, 3, 1]) {
        assert.deepStrictEqual(yield* sql.unsafe(`SELECT ${n} AS n`), [Object.assign(Object.create(null), { n })])
      }
    }).pipe(Effect.provide(NodeSqlite.layer({ filename: ":memory:", statementCacheSize: 2 })))
  )

  it.effect("a prepared statement sees a column that came after it", () =>
    withTable(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* insert("a")
        const before = yield* sql`SELECT * FROM parent`
        yield* sql`ALTER TABLE parent ADD COLUMN nick TEXT`
        const after = yield* sql`SELECT * FROM parent`
        assert.notProperty(before[0], "nick")
        assert.property(after[0], "nick")
      })
    )
  )

  it.effect("values that SQLite has no type for", () =>
    withTable(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const date = new Date("2026-01-02T03:04:05.006Z")
        const rows = yield* sql`SELECT ${true} AS t, ${false} AS f, ${undefined} AS u, ${date} AS d, ${2n} AS n`
        assert.deepStrictEqual(JSON.parse(JSON.stringify(rows)), [{ t: 1, f: 0, u: null, d: date.toJSON(), n: 2 }])
        const { reason } = yield* Effect.flip(sql`SELECT ${{ no: "object" }} AS o`)
        assert.strictEqual(reason._tag, "UnknownError")
      })
    )
  )

  it.effect("rows as arrays, whose names may repeat, leave the same statement's objects alone", () =>
    withTable(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const statement = sql`SELECT 1 AS a, 2 AS a`
        assert.deepStrictEqual(yield* statement.values, [[1, 2]])
        assert.deepStrictEqual(yield* statement.valuesUnprepared, [[1, 2]])
        assert.deepStrictEqual(JSON.parse(JSON.stringify(yield* statement)), [{ a: 2 }])
      })
    )
  )

  it.effect("raw, unprepared and streamed", () =>
    withTable(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const written = yield* sql`INSERT INTO parent (id, name) VALUES ('1', 'one'), ('2', 'two')`.raw
        assert.deepInclude(written, { changes: 2 })
        const select = sql<{ readonly name: string }>`SELECT name FROM parent ORDER BY id`
        assert.lengthOf(yield* select.unprepared, 2)
        const streamed = yield* Stream.runCollect(select.stream)
        assert.deepStrictEqual(
          streamed.map(({ name }) => name),
          ["one", "two"]
        )
      })
    )
  )

  it.effect("integers beyond 2^53 are read whole on demand", () =>
    withTable(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const select = sql<{ readonly n: bigint }>`SELECT 9007199254740993 AS n`
        const [row] = yield* Effect.provideService(select, SafeIntegers, true)
        assert.strictEqual(row?.n, 9007199254740993n)
        const { reason } = yield* Effect.flip(select)
        assert.strictEqual(reason._tag, "UnknownError")
      })
    )
  )
})

describe("the file", () => {
  it.live("opens although another process writes to it before it has a write-ahead log", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      yield* withTable(insert("kept"), filename)
      const other = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(filename)),
        (db) => Effect.sync(() => db.close())
      )
      other.exec("PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE; INSERT INTO parent (id, name) VALUES ('1', 'other')")
      const opening = yield* Effect.forkChild(Effect.provide(names, NodeSqlite.layer({ filename })))
      yield* Effect.sleep("50 millis")
      other.exec("COMMIT")
      assert.deepStrictEqual(yield* Fiber.join(opening), ["kept", "other"])
    })
  )

  const modeOf = Effect.fnUntraced(function* (path: string) {
    const fileSystem = yield* FileSystem.FileSystem
    const { mode } = yield* fileSystem.stat(path)
    return (mode & 0o777).toString(8)
  })

  it.effect("can be read by its owner only, and so can its folder and its log", () =>
    Effect.gen(function* () {
      const path = yield* Path.Path
      const filename = yield* temporaryFilename
      const modes = yield* withTable(
        Effect.forEach([path.dirname(filename), filename, `${filename}-wal`, `${filename}-shm`], modeOf),
        filename
      )
      assert.deepStrictEqual(modes, ["700", "600", "600", "600"])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("is durable at every commit, uses WAL and foreign keys, and waits for locks", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const pragma = (name: string) => Effect.map(sql.unsafe(`PRAGMA ${name}`).values, (rows) => rows[0]?.[0])
      assert.strictEqual(yield* pragma("journal_mode"), "wal")
      assert.strictEqual(yield* pragma("synchronous"), 2)
      assert.strictEqual(yield* pragma("foreign_keys"), 1)
      assert.strictEqual(yield* pragma("busy_timeout"), 5000)
    }).pipe(
      Effect.provide(Effect.map(temporaryFilename, (filename) => NodeSqlite.layer({ filename })).pipe(Layer.unwrap))
    )
  )

  it.effect("is complete when it is closed: no log stays", () =>
    Effect.gen(function* () {
      const fileSystem = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const filename = yield* temporaryFilename
      yield* withTable(insert("kept"), filename)
      assert.deepStrictEqual(yield* fileSystem.readDirectory(path.dirname(filename)), ["headgate.db"])
      assert.deepStrictEqual(yield* names.pipe(Effect.provide(NodeSqlite.layer({ filename }))), ["kept"])
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
