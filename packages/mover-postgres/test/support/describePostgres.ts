import { describe } from "@effect/vitest"
import { postgresMissing, startServer } from "@headgate/harness/PostgresServer"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { Client } from "pg"
import { env } from "node:process"
import { beforeAll } from "vitest"
import type { TestAddress } from "./optionsFor.ts"
import { describeChdb } from "../../../mover-clickhouse/test/support/chdb.ts"

/** A database of its own in the Postgres of the tests. */
export interface TestDatabase extends TestAddress {
  /** Runs statements, each with its result. */
  readonly run: (sql: string) => Effect.Effect<ReadonlyArray<Record<string, unknown>>>
  /** Runs statements of one transaction, and commits it. */
  readonly transaction: <E>(
    use: (run: (sql: string) => Effect.Effect<unknown>) => Effect.Effect<unknown, E>
  ) => Effect.Effect<unknown, E>
  readonly whileStopped: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const start = startServer(["wal_level=logical", "max_wal_senders=50", "max_replication_slots=50"])

type Running = Effect.Success<typeof start>

// The files of a worker run one after another and share their modules, so they share the server, too.
let running: Promise<Running> | undefined
const started = () => (running ??= Effect.runPromise(Scope.provide(start, Scope.makeUnsafe())))

/** A new database, which is dropped with the scope. */
const newDatabase = Effect.fnUntraced(function* (postgres: Running) {
  const url = new URL(Redacted.value(yield* postgres.createEmptyDatabase))
  const name = url.pathname.slice(1)
  const { port, whileStopped } = postgres
  const socket = url.searchParams.get("host") ?? ""
  const newClient = async () => {
    const client = new Client({ host: socket, port, database: name, user: "headgate" })
    await client.connect()
    return client
  }
  // Postgres completes what was sent to it, so an interruption waits until it has.
  const run = (sql: string) =>
    Effect.uninterruptible(
      Effect.promise(async () => {
        const client = await newClient()
        try {
          const result: { readonly rows?: ReadonlyArray<Record<string, unknown>> } = await client.query(sql)
          return result.rows ?? []
        } finally {
          await client.end()
        }
      })
    )
  const transaction: TestDatabase["transaction"] = (use) =>
    Effect.acquireUseRelease(
      Effect.promise(newClient),
      (client) => {
        const run = (sql: string) => Effect.promise(() => client.query(sql))
        return run("BEGIN").pipe(Effect.andThen(use(run)), Effect.andThen(run("COMMIT")))
      },
      (client) => Effect.promise(() => client.end())
    )
  // A slot keeps its database.
  yield* Effect.addFinalizer(() =>
    run(`SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE database = '${name}' AND active`).pipe(
      Effect.andThen(Effect.sleep("100 millis")),
      Effect.andThen(
        run(`SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = '${name}'`)
      ),
      Effect.ignoreCause
    )
  )
  const database: TestDatabase = { socket, port, name, run, transaction, whileStopped }
  return database
})

/**
 * A suite over a Postgres with `wal_level = logical` and the engine. What the machine lacks is said, or a failure with
 * HEADGATE_REQUIRE_POSTGRES=1 and HEADGATE_REQUIRE_CHDB=1.
 */
export const describePostgres = (
  name: string,
  body: (database: Effect.Effect<TestDatabase, never, Scope.Scope>) => void
): void => {
  const reason = postgresMissing()
  const isRequired = env["HEADGATE_REQUIRE_POSTGRES"] === "1"
  const missing = `${name}: NOT TESTED, for ${reason}`
  if (reason !== undefined && isRequired) throw new Error(missing)
  if (reason !== undefined) console.error(`\n${missing}\n`)
  describe.skipIf(reason !== undefined)(`${name}`, () => {
    describeChdb(name, () => {
      beforeAll(async () => {
        await started()
      }, 60_000)
      body(Effect.flatMap(Effect.promise(started), newDatabase))
    })
  })
}
