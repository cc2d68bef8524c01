// What the rows of a Postgres cost until they are in a table, beside one statement of the engine that reads them.
import { PipeId } from "@headgate/core"
import { postgresMissing, startServer } from "@headgate/harness/PostgresServer"
import { say } from "@headgate/harness/Verdict"
import { targetTable } from "@headgate/harness/table"
import { copyPipe, Ledger } from "@headgate/mover"
import { ClickHouse, ClickHouseVersionedTables } from "@headgate/mover-clickhouse"
import { PostgresSource } from "@headgate/mover-postgres"
import { MemoryLedger } from "@headgate/mover/memory"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { randomUUID } from "node:crypto"
import { Client } from "pg"
import { type Contestant, measure, rateTarget } from "./measure.ts"
import type { Environment } from "./environment.ts"

/** Where the table is. */
interface Database {
  readonly port: number
  readonly name: string
}

/** A Postgres with a table of so many rows, which ends with the scope. */
const makeDatabase = Effect.fnUntraced(function* (rows: number) {
  const { createEmptyDatabase, port } = yield* startServer()
  const name = new URL(Redacted.value(yield* createEmptyDatabase)).pathname.slice(1)
  yield* Effect.promise(async () => {
    const client = new Client({ host: "127.0.0.1", port, database: name, user: "headgate" })
    await client.connect()
    await client.query(`CREATE TABLE t (id bigint PRIMARY KEY, name text, amount numeric(12,2), n int, at timestamptz, note text);
      INSERT INTO t SELECT i, 'user-' || i % 10007, (i % 997) + 0.25, i % 1000, timestamptz '2024-01-01' + i * interval '1 second',
        'note ' || md5(i::text) FROM generate_series(1, ${rows}) i;
      ANALYZE t; CHECKPOINT`)
    await client.end()
  })
  return { port, name } satisfies Database
})

const names = { headgate: "headgate, snapshot", bare: "INSERT ... SELECT FROM postgresql()" }

const contestantsOf = (environment: Environment, { name, port }: Database, rows: number): ReadonlyArray<Contestant> => [
  {
    name: names.headgate,
    rows,
    good: rows,
    move: Effect.fnUntraced(function* (table) {
      const parts = Layer.mergeAll(
        PostgresSource.layer({
          host: "127.0.0.1",
          port,
          database: name,
          username: "headgate",
          password: Redacted.make("none"),
          mode: "snapshot",
          publication: { name: "bench", isOwn: true },
          slot: { name: "bench", isOwn: true, isFailover: false },
          tables: [{ schema: "public", table: "t", target: table, excluded: [] }],
          keepsNulls: false,
          rowsPerPart: 500_000
        }),
        ClickHouseVersionedTables.layer().pipe(Layer.provide(Layer.succeed(ClickHouse, environment.engine))),
        Layer.succeed(Ledger, MemoryLedger.make().ledger)
      )
      // As in the server.
      const limits = { rows: 100_000, bytes: 16 * 1024 * 1024, wait: Duration.seconds(5) }
      const copying = copyPipe({
        pipeId: PipeId.make(randomUUID()),
        limits,
        inFlight: 4,
        report: () => Effect.void
      })
      yield* Effect.provide(copying, parts)
    })
  },
  {
    name: names.bare,
    rows,
    good: rows,
    move: Effect.fnUntraced(function* (table) {
      const { engine } = environment
      yield* engine.run(`CREATE TABLE ${table} (id Int64, name String, amount Decimal(12, 2), n Int32, at DateTime64(6, 'UTC'), note String)
        ENGINE = MergeTree ORDER BY id`)
      yield* engine.run(
        `INSERT INTO ${table} SELECT * FROM postgresql('127.0.0.1:${port}', '${name}', 't', 'headgate', 'none')`
      )
    })
  }
]

/** Measures the ways in turn, and prints what they cost and the target. */
export const benchSnapshot = Effect.fnUntraced(function* (environment: Environment, rounds: number, size: number) {
  const missing = postgresMissing()
  if (missing !== undefined) return yield* Effect.fail(missing)
  const rows = Math.round(1_000_000 * size)
  const database = yield* makeDatabase(rows)
  const costs = yield* measure(environment, `${rows} rows`, contestantsOf(environment, database, rows), rounds)
  for (const line of targetTable([rateTarget(costs, names.headgate, names.bare, 0.5, "time")])) say(line)
}, Effect.scoped)
