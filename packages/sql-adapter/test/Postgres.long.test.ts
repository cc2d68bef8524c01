import { assert, it } from "@effect/vitest"
import { fixtureCredentials, fixtureIds, fixtureSnapshot } from "@headgate/conformance/fixtures"
import {
  ApiKeys,
  type CallError,
  type PipeAddress,
  type PipeNotFound,
  Pipes,
  ServerError,
  Snapshots
} from "@headgate/core"
import { Authenticator } from "@headgate/core/adapter"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { kill } from "node:process"
import { Postgres, type PostgresOptions, SqlAdapter } from "../src/index.ts"
import { lockImports } from "../src/internal/advisoryLocks.ts"
import { importOrganizations } from "./support/importOrganizations.ts"
import { describePostgres, noTimeouts, sealingKey } from "./support/postgres.ts"

const { organizations, pipes: pipeIds, services } = fixtureIds
const { acme } = organizations

const kafka: PipeAddress = { organizationId: acme, serviceId: services.ingest, pipeId: pipeIds.kafka }

const getPipe = Pipes.use((pipes) => pipes.get(kafka))

const createKey = ApiKeys.use((keys) => keys.create({ organizationId: acme }, { name: "ci" }))

const signIn = Authenticator.use((authenticator) =>
  authenticator.authenticate(fixtureCredentials.keys.admin, "192.0.2.7")
)

const importFixture = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  return yield* snapshots.import(yield* fixtureSnapshot)
})

const tagOf = <A, E extends { readonly _tag: string }, R>(call: Effect.Effect<A, E, R>) =>
  Effect.match(call, { onFailure: ({ _tag }) => _tag, onSuccess: () => "success" })

/** Dies with the `ServerError` that a port without an error for it dies with. */
const diesWithServerError = Effect.fnUntraced(function* <A, E, R>(call: Effect.Effect<A, E, R>) {
  const exit = yield* Effect.exit(call)
  const defects = Exit.isFailure(exit) ? exit.cause.reasons.filter(Cause.isDieReason) : []
  assert.deepStrictEqual(
    defects.map(({ defect }) => defect instanceof ServerError),
    [true]
  )
})

/** Calls of both ports that answer an outage with an error. */
const calls: ReadonlyArray<Effect.Effect<unknown, CallError | PipeNotFound, ApiKeys | Pipes>> = [getPipe, createKey]

/** An outage is logged, a line a call: here it is expected. */
const quietly = Effect.provideService(References.MinimumLogLevel, "None")

/** What is wrong with a database is known as the layer is built. */
const startError = (options: PostgresOptions) => Effect.flip(Effect.scoped(Layer.build(Postgres.layer(options))))

const withParameter = (url: Redacted.Redacted, set: (url: URL) => void) => {
  const changed = new URL(Redacted.value(url))
  set(changed)
  return Redacted.make(changed.href)
}

it.live("a server that is not there is named, and the password is not", () =>
  Effect.gen(function* () {
    const error = yield* startError({ url: Redacted.make("postgres://me:hunter2@127.0.0.1:9/headgate") })
    assert.strictEqual(error.reason._tag, "ConnectionError")
    assert.strictEqual(
      error.message,
      "cannot use the database at 127.0.0.1:9/headgate: connect ECONNREFUSED 127.0.0.1:9"
    )
    assert.notInclude(JSON.stringify(error) + Cause.pretty(Cause.fail(error)), "hunter2")
  })
)

for (const url of ["hunter2", "mysql://me:hunter2@host/db", "postgres://me:hunter2@host:notaport/db", "postgres://%"]) {
  it.live(`the URL ${url} is refused, and is not in the error`, () =>
    Effect.gen(function* () {
      const error = yield* startError({ url: Redacted.make(url) })
      assert.include(error.message, "postgres://user:password@host:5432/database")
      assert.notInclude(JSON.stringify(error) + Cause.pretty(Cause.fail(error)), "hunter2")
    })
  )
}

describePostgres("Postgres", (postgres) => {
  /** A server over the database. */
  const serve = (url: Redacted.Redacted, options?: Omit<PostgresOptions, "url">) =>
    Layer.build(Layer.fresh(SqlAdapter.layerPostgres({ ...options, url, sealingKey })))

  /** Two servers over one new database that holds the fixture. */
  const twoServersWith = Effect.fnUntraced(function* (options?: Omit<PostgresOptions, "url">) {
    const url = yield* Effect.flatMap(postgres, ({ createDatabase }) => createDatabase)
    const one = yield* serve(url, options)
    const other = yield* serve(url, options)
    yield* Effect.provide(importFixture, one)
    return { url, one, other }
  })
  const twoServers = twoServersWith()

  it.live("signs in with a password; a wrong one has another error than a missing server", () =>
    Effect.gen(function* () {
      const url = yield* Effect.flatMap(postgres, ({ createDatabase }) => createDatabase)
      const owner = Context.get(yield* serve(url), SqlClient)
      yield* owner`CREATE ROLE app LOGIN PASSWORD 'cor:rect%/@horse'`
      yield* owner`GRANT ALL ON ALL TABLES IN SCHEMA public TO app`
      const as = (password: string) =>
        withParameter(url, (each) => {
          each.username = "app"
          each.password = encodeURIComponent(password)
        })
      const right = yield* Layer.build(Postgres.layer({ url: as("cor:rect%/@horse") }))
      assert.deepStrictEqual(yield* Context.get(right, SqlClient)`SELECT CAST(current_user AS TEXT) AS who`, [
        { who: "app" }
      ])
      const error = yield* startError({ url: as("hunter2") })
      assert.strictEqual(error.reason._tag, "AuthenticationError")
      assert.include(error.message, 'password authentication failed for user "app"')
      assert.notInclude(JSON.stringify(error), "hunter2")
    })
  )

  it.live("a password that is changed while a server runs is an outage", () =>
    Effect.gen(function* () {
      const { one, url } = yield* twoServers
      const owner = Context.get(one, SqlClient)
      yield* owner`CREATE ROLE rotated LOGIN PASSWORD 'first'`
      yield* owner`GRANT ALL ON ALL TABLES IN SCHEMA public TO rotated`
      const server = yield* serve(
        withParameter(url, (each) => {
          each.username = "rotated"
          each.password = "first"
        })
      )
      assert.strictEqual(yield* tagOf(Effect.provide(getPipe, server)), "success")
      yield* owner`ALTER ROLE rotated PASSWORD 'second'`
      // Until none is left: a terminated backend may answer once more.
      yield* owner`SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity WHERE usename = 'rotated'`.pipe(
        Effect.repeat({ until: (rows) => rows.length === 0, schedule: Schedule.spaced("5 millis") })
      )
      assert.strictEqual(yield* tagOf(Effect.provide(getPipe, server)), "ServerError")
      yield* owner`ALTER ROLE rotated PASSWORD 'first'`
      assert.strictEqual(yield* tagOf(Effect.provide(getPipe, server)), "success")
    }).pipe(quietly)
  )

  it.live("a missing database, or one whose encoding is not UTF8, is refused", () =>
    Effect.gen(function* () {
      const url = yield* Effect.flatMap(postgres, ({ createEmptyDatabase }) => createEmptyDatabase)
      const to = (database: string) => withParameter(url, (each) => (each.pathname = database))
      assert.include((yield* startError({ url: to("nowhere") })).message, 'database "nowhere" does not exist')
      const sql = Context.get(yield* Layer.build(Postgres.layer({ url })), SqlClient)
      yield* sql`CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0`
      assert.include((yield* startError({ url: to("latin") })).message, "its encoding is LATIN1, not UTF8")
    })
  )

  it.live("servers that start on an empty database at once migrate it once", () =>
    Effect.gen(function* () {
      const url = yield* Effect.flatMap(postgres, ({ createEmptyDatabase }) => createEmptyDatabase)
      const servers = yield* Effect.forEach(Array.from({ length: 8 }), () => serve(url), { concurrency: "unbounded" })
      const [server] = servers
      assert.isDefined(server)
      const sql = Context.get(server, SqlClient)
      const migrations = yield* sql<{ readonly migration_id: number; readonly times: number }>`
        SELECT migration_id, CAST(COUNT(*) AS INTEGER) AS times FROM headgate_migrations GROUP BY migration_id`
      assert.isAbove(migrations.length, 1)
      for (const { migration_id, times } of migrations) assert.strictEqual(times, 1, `migration ${migration_id}`)
      yield* Effect.provide(importOrganizations(acme), server)
      yield* Effect.forEach(servers, (each) => Effect.provide(createKey, each))
    })
  )

  it.live("a key that one server disables is refused by the other at once", () =>
    Effect.gen(function* () {
      const { one, other } = yield* twoServers
      yield* Effect.provide(signIn, other)
      const sql = Context.get(one, SqlClient)
      yield* sql`UPDATE api_key SET state = 'disabled' WHERE id = ${fixtureIds.keys.admin}`
      assert.strictEqual(yield* tagOf(Effect.provide(signIn, other)), "Unauthorized")
    })
  )

  it.live("servers that import the same at once, in another order, do not deadlock", () =>
    Effect.gen(function* () {
      const url = yield* Effect.flatMap(postgres, ({ createDatabase }) => createDatabase)
      const servers = yield* Effect.forEach(Array.from({ length: 8 }), () => serve(url))
      const { organizations: inOrder } = yield* fixtureSnapshot
      const summaries = yield* Effect.forEach(
        servers,
        (server, n) =>
          Effect.gen(function* () {
            const snapshots = yield* Snapshots
            return yield* snapshots.import({ organizations: n % 2 === 0 ? inOrder : inOrder.toReversed() })
          }).pipe(Effect.provide(server)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        summaries.map(({ added }) => added).filter((added) => added > 0),
        [44]
      )
    })
  )

  it.live("an import waits for another one that takes longer than a statement may wait for a lock", () =>
    Effect.gen(function* () {
      const { one, url } = yield* twoServers
      const server = yield* serve(url, { statementTimeout: "200 millis" })
      const sql = Context.get(one, SqlClient)
      const isLocked = yield* Deferred.make<void>()
      yield* lockImports(sql).pipe(
        Effect.andThen(Deferred.succeed(isLocked, undefined)),
        Effect.andThen(Effect.sleep("1 second")),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(isLocked)
      assert.deepStrictEqual(yield* Effect.provide(importFixture, server), { added: 0, kept: 44 })
    })
  )

  it.live("servers that create keys at once reach the limit of keys, and no more", () =>
    Effect.gen(function* () {
      const { one, other } = yield* twoServersWith(noTimeouts)
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? one : other)),
        (server) => tagOf(Effect.provide(createKey, server)),
        { concurrency: "unbounded" }
      )
      // The fixture has 8.
      assert.strictEqual(outcomes.filter((outcome) => outcome === "success").length, 92)
      assert.strictEqual(outcomes.filter((outcome) => outcome === "Conflict").length, 108)
    })
  )

  it.effect("a last use is written once a minute, however many servers see it first", () =>
    Effect.gen(function* () {
      const { one, other } = yield* twoServers
      const sql = Context.get(one, SqlClient)
      yield* sql`CREATE TABLE mark (used_at BIGINT)`
      yield* sql`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN INSERT INTO mark VALUES (NEW.used_at); RETURN NEW; END'`
      yield* sql`CREATE TRIGGER note AFTER UPDATE ON api_key FOR EACH ROW EXECUTE FUNCTION note()`
      const marks = Effect.map(
        sql<{ readonly minute: number }>`SELECT CAST(used_at / 60000 AS INTEGER) AS minute FROM mark ORDER BY 1`,
        (rows) => rows.map(({ minute }) => minute)
      )
      const uses = Effect.all(
        Array.from({ length: 20 }, (_, n) => Effect.provide(signIn, n % 2 === 0 ? one : other)),
        { concurrency: "unbounded" }
      )
      yield* uses
      assert.deepStrictEqual(yield* marks, [0])
      yield* TestClock.adjust("59 seconds")
      yield* uses
      assert.deepStrictEqual(yield* marks, [0])
      yield* TestClock.adjust("1 second")
      yield* uses
      assert.deepStrictEqual(yield* marks, [0, 1])
    })
  )

  it.live("more calls than connections wait for one another", () =>
    Effect.gen(function* () {
      const { url } = yield* twoServers
      const server = yield* serve(url, { maxConnections: 1 })
      yield* Effect.all(Array.from({ length: 25 }, () => calls).flat(), { concurrency: "unbounded" }).pipe(
        Effect.provide(server)
      )
      const sql = Context.get(server, SqlClient)
      const [row] = yield* sql<{ readonly count: number }>`
        SELECT CAST(COUNT(*) AS INTEGER) AS count FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'headgate'`
      // This one's, and those of the two servers that made the database.
      assert.isAtMost(row?.count ?? 99, 1 + 2 * 10)
    })
  )

  it.live("while Postgres is stopped calls are a ServerError; when it is back, so is the server", () =>
    Effect.gen(function* () {
      const { one } = yield* twoServers
      const { whileStopped } = yield* postgres
      // Every connection of the pool is open, and is lost.
      yield* Effect.all(
        Array.from({ length: 10 }, () => getPipe),
        { concurrency: "unbounded" }
      ).pipe(Effect.provide(one))
      yield* whileStopped(
        Effect.gen(function* () {
          for (const call of calls) {
            const error = yield* Effect.flip(Effect.provide(call, one))
            assert.strictEqual(error._tag, "ServerError")
            assert.strictEqual(error.message, "the database does not answer at present: try again later")
          }
          yield* diesWithServerError(Effect.provide(signIn, one))
        })
      )
      for (const call of calls) assert.strictEqual(yield* tagOf(Effect.provide(call, one)), "success")
      yield* Effect.provide(signIn, one)
    }).pipe(quietly)
  )

  it.live("a connection that is lost within a transaction is a ServerError, and nothing is written", () =>
    Effect.gen(function* () {
      const { one, other } = yield* twoServers
      const sql = Context.get(other, SqlClient)
      const isLocked = yield* Deferred.make<void>()
      // The create waits for this lock in its transaction, until its connection is ended.
      const holder = yield* sql`LOCK TABLE api_key`.pipe(
        Effect.andThen(Deferred.succeed(isLocked, undefined)),
        Effect.andThen(Effect.never),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(isLocked)
      const create = yield* Effect.forkChild(tagOf(Effect.provide(createKey, one)))
      yield* sql`
        SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.pipe(
        Effect.filterOrFail(
          (rows) => rows.length > 0,
          () => "nobody waits yet"
        ),
        Effect.retry(Schedule.spaced("5 millis"))
      )
      assert.strictEqual(yield* Fiber.join(create), "ServerError")
      yield* Fiber.interrupt(holder)
      assert.strictEqual(yield* tagOf(Effect.provide(createKey, one)), "success")
      assert.deepStrictEqual(yield* sql`SELECT CAST(COUNT(*) AS INTEGER) AS keys FROM api_key`, [{ keys: 10 }])
    }).pipe(quietly)
  )

  it.live("a lock that is held too long is a ServerError, and nothing is written", () =>
    Effect.gen(function* () {
      const { other, url } = yield* twoServers
      const server = yield* serve(url, { statementTimeout: "400 millis" })
      const sql = Context.get(other, SqlClient)
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`LOCK TABLE api_key IN SHARE MODE`
          const [elapsed, tag] = yield* Effect.timed(tagOf(Effect.provide(createKey, server)))
          assert.strictEqual(tag, "ServerError")
          assert.isBelow(Duration.toMillis(elapsed), 5000)
        })
      )
      assert.deepStrictEqual(yield* sql`SELECT CAST(COUNT(*) AS INTEGER) AS keys FROM api_key`, [{ keys: 9 }])
      assert.strictEqual(yield* tagOf(Effect.provide(createKey, server)), "success")
    }).pipe(quietly)
  )

  it.live("a Postgres that stops answering is a ServerError, and its connections are closed", () =>
    Effect.gen(function* () {
      const { other, url } = yield* twoServers
      const server = yield* serve(url, { statementTimeout: "1 second", maxConnections: 2 })
      const sql = Context.get(server, SqlClient)
      const warm = Effect.all([getPipe, getPipe], { concurrency: "unbounded" }).pipe(Effect.provide(server))
      yield* warm
      const backends = yield* Context.get(other, SqlClient)<{ readonly pid: number }>`
        SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'headgate' AND pid <> pg_backend_pid()`
      const signal = (name: "SIGCONT" | "SIGSTOP") => Effect.sync(() => backends.forEach(({ pid }) => kill(pid, name)))
      yield* Effect.acquireUseRelease(
        signal("SIGSTOP"),
        () =>
          Effect.gen(function* () {
            const [elapsed, tags] = yield* Effect.timed(
              Effect.all([tagOf(getPipe), tagOf(createKey), tagOf(getPipe)], { concurrency: "unbounded" })
            ).pipe(Effect.provide(server))
            assert.isBelow(Duration.toMillis(elapsed), 10_000)
            // The call that waited for a connection got a new one, which works.
            assert.include(tags, "ServerError")
            assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
            assert.strictEqual(yield* tagOf(Effect.provide(getPipe, server)), "success")
          }),
        () => signal("SIGCONT")
      )
    }).pipe(quietly)
  )

  it.live("however many calls wait for a Postgres that hangs, each is a ServerError soon", () =>
    Effect.gen(function* () {
      const { url } = yield* twoServers
      const server = yield* serve(url, { statementTimeout: "1 second", connectTimeout: "1 second", maxConnections: 2 })
      const sql = Context.get(server, SqlClient)
      const [row] = yield* sql<{ readonly data: string }>`SELECT current_setting('data_directory') AS data`
      const [postmaster] = readFileSync(join(row?.data ?? "", "postmaster.pid"), "utf8").split("\n")
      const backends = yield* sql<{ readonly pid: number }>`
        SELECT pid FROM pg_stat_activity WHERE datname = current_database()`
      const pids = [Number(postmaster), ...backends.map(({ pid }) => pid)]
      const signal = (name: "SIGCONT" | "SIGSTOP") => Effect.sync(() => pids.forEach((pid) => kill(pid, name)))
      yield* Effect.acquireUseRelease(
        signal("SIGSTOP"),
        () =>
          Effect.gen(function* () {
            const [elapsed, tags] = yield* Effect.timed(
              Effect.all(
                Array.from({ length: 30 }, () => tagOf(getPipe)),
                { concurrency: "unbounded" }
              )
            ).pipe(Effect.provide(server))
            assert.deepStrictEqual(new Set(tags), new Set(["ServerError"]))
            assert.isBelow(Duration.toMillis(elapsed), 5000)
          }),
        () => signal("SIGCONT")
      )
      assert.strictEqual(yield* tagOf(Effect.provide(getPipe, server)), "success")
    }).pipe(quietly)
  )

  it.live("calls wait for the connections that the pool has if Postgres gives it no more", () =>
    Effect.gen(function* () {
      const { one, url } = yield* twoServers
      const owner = Context.get(one, SqlClient)
      yield* owner`CREATE ROLE crowded LOGIN PASSWORD 'crowded' CONNECTION LIMIT 2`
      const crowded = withParameter(url, (each) => {
        each.username = "crowded"
        each.password = "crowded"
      })
      const sql = Context.get(yield* Layer.build(Postgres.layer({ ...noTimeouts, url: crowded })), SqlClient)
      yield* Effect.all(
        Array.from({ length: 60 }, () => sql`SELECT pg_sleep(0.02)`),
        { concurrency: "unbounded", discard: true }
      )
    })
  )

  it.live("documents are the same to the byte as in SQLite", () =>
    Effect.gen(function* () {
      const { one } = yield* twoServers
      const sqlite = yield* Layer.build(SqlAdapter.layerSqlite({ filename: ":memory:" }))
      yield* Effect.provide(importFixture, sqlite)
      const documents = (sql: SqlClient) =>
        Effect.forEach(["pipe", "api_key", "token", "dashboard"], (table) =>
          Effect.map(sql<{ readonly document: string }>`SELECT document FROM ${sql(table)} ORDER BY seq`, (rows) =>
            // Sealed texts differ each time, in all but their length.
            rows.map(({ document }) =>
              document.replace(/(?<="connectionString":")[^"]*/u, (sealed) => "x".repeat(sealed.length))
            )
          )
        )
      const [inPostgres, inSqlite] = [
        yield* documents(Context.get(one, SqlClient)),
        yield* documents(Context.get(sqlite, SqlClient))
      ]
      assert.deepStrictEqual(inPostgres[0], inSqlite[0])
      assert.deepStrictEqual(inPostgres.slice(2), inSqlite.slice(2))
      const snapshots = yield* Effect.provide(Snapshots, sqlite)
      const elsewhere = yield* serve(yield* Effect.flatMap(postgres, ({ createDatabase }) => createDatabase))
      const moved = yield* Effect.provide(Snapshots, elsewhere)
      yield* moved.import(yield* snapshots.export)
      // An export has no credentials.
      const exported = inSqlite.map((rows) =>
        rows.map((document) => document.replace(/,?"connectionString":"x*"/u, ""))
      )
      assert.deepStrictEqual(yield* documents(Context.get(elsewhere, SqlClient)), exported)
      assert.strictEqual(JSON.stringify(yield* moved.export), JSON.stringify(yield* snapshots.export))
    })
  )
})
