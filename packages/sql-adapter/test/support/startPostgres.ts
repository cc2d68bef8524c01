import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Reactivity from "effect/reactivity/Reactivity"
import { execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { getuid } from "node:process"
import { Postgres, SqlMigrations } from "../../src/index.ts"

/** A Postgres server for tests. */
export interface TestPostgres {
  /** The URL of a new database with Headgate's tables, empty; it is dropped when the scope closes. */
  readonly createDatabase: Effect.Effect<Redacted.Redacted, never, Scope.Scope>
  /** The URL of a new database without tables; it is dropped when the scope closes. */
  readonly createEmptyDatabase: Effect.Effect<Redacted.Redacted, never, Scope.Scope>
  /**
   * The URL of a database with Headgate's tables, empty; it is emptied and reused when the scope closes. For many tests
   * that do not change the tables: a new database takes a tenth of a second.
   */
  readonly lendDatabase: Effect.Effect<Redacted.Redacted, never, Scope.Scope>
  /** Stops Postgres, which ends every connection, while the effect runs; then starts it again on the same data. */
  readonly whileStopped: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** What a server has beside what all tests need. */
export interface PostgresSettings {
  /** As `wal_level=logical`. */
  readonly settings?: ReadonlyArray<string>
  /** Lines of pg_hba.conf. */
  readonly access?: string
  /** Also names the socket. By default 5432, and only the socket is listened on. */
  readonly port?: number
}

/** The user that runs Postgres: Debian's `postgres`, if the tests run as root, which Postgres refuses. */
interface User {
  readonly uid?: number
  readonly gid?: number
}

const emptied = Effect.fnUntraced(
  function* (url: Redacted.Redacted) {
    const sql = yield* PgClient.make({ url, maxConnections: 1 })
    // In one statement, for there are dozens of tables. Owners may go before what they own.
    yield* sql`DO $$
      DECLARE name text;
      BEGIN
        PERFORM set_config('session_replication_role', 'replica', true);
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'headgate_migrations' LOOP
          EXECUTE format('DELETE FROM %I', name);
        END LOOP;
      END $$`
    return url
  },
  Effect.scoped,
  Effect.provide(Reactivity.layer)
)

const template = "headgate_template"

// Only one user needs no password, so that a test can sign in as another with one.
const localAccess = "local all headgate trust\nlocal all all scram-sha-256\n"

// Postgres runs until its standard input ends or has a line, which keeps its folder. It ends when the test process
// ends, however it ends: no test run leaves a Postgres or its data behind.
const untilInputEnds = `"$@" & pid=$!; read -r kept; kill -INT "$pid"; wait "$pid"; [ -n "$kept" ] || rm -rf "$PWD"`

const unprivileged = Effect.sync((): User => {
  if (getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
})

const execute = (file: string, args: ReadonlyArray<string>, user: User) =>
  Effect.callback<void>((resume) => {
    execFile(file, args, user, (error, stdout, stderr) => {
      resume(error === null ? Effect.void : Effect.die(new Error(`${file} failed: ${stdout}${stderr}`)))
    })
  })

/** A database cluster in a new folder, which is removed when the scope closes. */
const initialize = Effect.fnUntraced(function* (binaries: string, user: User, more: string) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "headgate-pg-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const { gid, uid } = user
  if (uid !== undefined && gid !== undefined) yield* Effect.sync(() => chownSync(folder, uid, gid))
  const data = join(folder, "data")
  yield* execute(
    join(binaries, "initdb"),
    ["-D", data, "--username=headgate", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
    user
  )
  yield* Effect.sync(() => writeFileSync(join(data, "pg_hba.conf"), `${localAccess}${more}`))
  return folder
})

/** Starts a server over the cluster in the folder. Returns what stops it, and removes the folder unless it is kept. */
const launch = (binaries: string, folder: string, user: User, more: ReadonlyArray<string>) =>
  Effect.sync(() => {
    const log = openSync(join(folder, "log"), "a")
    const settings = [
      "listen_addresses=",
      `unix_socket_directories=${folder}`,
      "max_connections=200",
      // No test crashes the machine.
      "fsync=off",
      "full_page_writes=off",
      "autovacuum=off",
      ...more
    ]
    const options = ["-D", join(folder, "data"), ...settings.flatMap((setting) => ["-c", setting])]
    const server = spawn("sh", ["-c", untilInputEnds, "sh", join(binaries, "postgres"), ...options], {
      ...user,
      cwd: folder,
      detached: true,
      stdio: ["pipe", log, log]
    })
    closeSync(log)
    return (folder: "keep" | "remove") =>
      Effect.promise(async () => {
        server.stdin?.end(folder === "keep" ? "keep\n" : "")
        if (server.exitCode === null) await once(server, "exit")
      })
  })

/** Starts a Postgres from the binaries in the folder, with these settings; it is stopped, and its data removed, when the scope closes. */
export const startPostgres = Effect.fnUntraced(function* (
  binaries: string,
  { access = "", port = 5432, settings = [] }: PostgresSettings = {}
) {
  const lifetime = yield* Scope.Scope
  const user = yield* unprivileged
  const folder = yield* initialize(binaries, user, access)
  const urlOf = (database: string) => Redacted.make(`postgres://headgate@localhost:${port}/${database}?host=${folder}`)

  // A database is dropped by a finalizer, in which a pool that has ended its idle connections opens none: it hangs.
  const admin = yield* PgClient.make({ url: urlOf("postgres"), maxConnections: 4, idleTimeout: "1 day" }).pipe(
    Effect.provide(Reactivity.layer)
  )
  const untilReady = Effect.retry(
    admin`SELECT 1`,
    Schedule.upTo(Schedule.spaced("20 millis"), { duration: "5 minutes" })
  ).pipe(Effect.tapError(() => Effect.logError(readFileSync(join(folder, "log"), "utf8"))))
  const start = Effect.tap(launch(binaries, folder, user, [...settings, `port=${port}`]), Effect.orDie(untilReady))
  const running = yield* Effect.acquireRelease(Effect.flatMap(start, Ref.make), (ref) =>
    Effect.flatMap(Ref.get(ref), (stop) => stop("remove"))
  )

  const names = yield* Ref.make(0)
  const create = (from: string) =>
    Effect.acquireRelease(
      Effect.gen(function* () {
        const name = `test_${yield* Ref.updateAndGet(names, (count) => count + 1)}`
        yield* admin`CREATE DATABASE ${admin(name)} TEMPLATE ${admin(from)}`
        return name
      }),
      (name) => Effect.orDie(admin`DROP DATABASE ${admin(name)} WITH (FORCE)`)
    ).pipe(Effect.map(urlOf), Effect.orDie)

  yield* Effect.orDie(admin`CREATE DATABASE ${admin(template)}`)
  yield* SqlMigrations.migrate.pipe(Effect.provide(Postgres.layer({ url: urlOf(template) })), Effect.orDie)

  // Databases that are not lent. As many are created as are lent at the same time.
  const idle: Array<Redacted.Redacted> = []
  const lend = Effect.acquireRelease(
    Effect.suspend(() => {
      const url = idle.pop()
      return url === undefined ? Scope.provide(create(template), lifetime) : Effect.succeed(url)
    }),
    (url) => Effect.map(Effect.orDie(emptied(url)), (each) => idle.push(each))
  )

  const postgres: TestPostgres = {
    lendDatabase: lend,
    createDatabase: create(template),
    createEmptyDatabase: create("template1"),
    whileStopped: (effect) =>
      Effect.acquireUseRelease(
        Effect.flatMap(Ref.get(running), (stop) => stop("keep")),
        () => effect,
        () => Effect.flatMap(start, (stop) => Ref.set(running, stop))
      )
  }
  return postgres
})
