import { assert } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import { type CopyOptions, copyPipe, Ledger, type MoverEnd, type MoverStatus, restartCopy } from "@headgate/mover"
import { ClickHouse, ClickHouseVersionedTables } from "@headgate/mover-clickhouse"
import { MemoryLedger } from "@headgate/mover/memory"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { type PostgresOptions, PostgresSource } from "../../src/index.ts"
import { embedded } from "../../../mover-clickhouse/test/support/chdb.ts"
import type { TestDatabase } from "./describePostgres.ts"

/** The engine in this process. It is open as long as the scope. */
export const engine = Effect.map(Layer.build(embedded), (context) => Context.get(context, ClickHouse))

let databases = 0

/** A new database of the engine. It is dropped with the scope. */
const makeDatabase = Effect.fnUntraced(function* (engine: ClickHouse["Service"]) {
  databases += 1
  const database = `pg${process.pid}_${databases}`
  yield* Effect.orDie(engine.run(`CREATE DATABASE ${database}`))
  yield* Effect.addFinalizer(() => Effect.ignore(engine.run(`DROP DATABASE ${database}`)))
  return database
})

/** A pipe from a Postgres into a database of the engine, by default a new one. Each run of `copy` is a mover of its own. */
export const makePipe = Effect.fnUntraced(function* (engine: ClickHouse["Service"], into?: string) {
  const database = into ?? (yield* makeDatabase(engine))
  const pipeId = PipeId.make(randomUUID())
  const ledger = MemoryLedger.make()
  const reports: Array<MoverStatus> = []
  const layer = (options: PostgresOptions) =>
    Layer.mergeAll(
      PostgresSource.layer(options),
      ClickHouseVersionedTables.layer({ database }).pipe(Layer.provide(Layer.succeed(ClickHouse, engine))),
      Layer.succeed(Ledger, ledger.ledger)
    )
  const copy = (
    options: PostgresOptions,
    limits: { readonly rows?: number; readonly bytes?: number } = {},
    inFlight = 2,
    decided: Pick<CopyOptions, "decision"> = {}
  ) =>
    copyPipe({
      pipeId,
      limits: { rows: 1000, bytes: 1_000_000, wait: Duration.millis(100), ...limits },
      inFlight,
      ...decided,
      retryTimeout: Duration.seconds(20),
      report: (status) => Effect.sync(() => void reports.push(status))
    }).pipe(Effect.provide(layer(options)))
  const answers = (format: string) => (sql: string) =>
    Effect.map(Effect.orDie(engine.run(`${sql} FORMAT ${format}`)), (answer) =>
      answer.split("\n").filter((line) => line !== "")
    )
  const lines = answers("TSVRaw")
  return {
    database,
    ledger,
    reports,
    copy,
    lines,
    /** Runs a statement of a user of the warehouse. */
    run: (sql: string) => Effect.orDie(engine.run(sql)),
    tsv: answers("TSV"),
    resync: (options: PostgresOptions) => restartCopy(pipeId).pipe(Effect.provide(layer(options))),
    /** The rows of a table as a user reads them, each as its columns joined by blanks. */
    rows: (table: string, columns: string) =>
      Effect.map(
        lines(
          `SELECT concatWithSeparator('|', ${columns
            .split(",")
            .map((column) => `ifNull(toString(${column}), 'NULL')`)
            .join(", ")}) FROM ${database}.\`${table}\` FINAL WHERE _peerdb_is_deleted = 0`
        ),
        (found) => found.toSorted()
      ).pipe(
        // The pipe has not created it yet.
        Effect.catchCause(() => Effect.succeed<ReadonlyArray<string>>([]))
      )
  }
})

/** Waits until something holds. The test's timeout ends what never does. */
export const until = <E, R>(holds: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.flatMap(holds, (does) => (does ? Effect.void : Effect.andThen(Effect.sleep("50 millis"), until(holds))))

/** How a mover ended, for messages of tests. */
export const endText = ({ _tag, message }: MoverEnd): string => `${_tag}: ${message ?? ""}`

/** A pipe of {@link makePipe}. */
export type Pipe = Effect.Success<ReturnType<typeof makePipe>>

/** The rows of a table of Postgres, as `rows` of the pipe has them. */
const sourceRows = (database: TestDatabase, table: string, columns: string) =>
  Effect.map(
    database.run(
      `SELECT concat_ws('|', ${columns
        .split(",")
        .map((column) => `coalesce(${column}::text, 'NULL')`)
        .join(", ")}) AS line FROM "${table}"`
    ),
    (rows) => rows.map(({ line }) => String(line)).toSorted()
  )

const shortened = (row: string): string => (row.length < 100 ? row : `${row.slice(0, 40)}...${row.slice(-40)}`)

/** Waits until a table has the rows of its source, and fails with the difference if it never does. */
export const sameRows = Effect.fnUntraced(function* (
  database: TestDatabase,
  pipe: Pipe,
  table: string,
  columns: string,
  target = table
) {
  const expected = yield* sourceRows(database, table, columns)
  const isSame = Effect.map(pipe.rows(target, columns), (found) => found.join("\n") === expected.join("\n"))
  yield* Effect.timeoutOption(until(isSame), "2 minutes")
  const found = yield* pipe.rows(target, columns)
  const difference = {
    missing: expected
      .filter((row) => !found.includes(row))
      .slice(0, 5)
      .map(shortened),
    added: found
      .filter((row) => !expected.includes(row))
      .slice(0, 5)
      .map(shortened),
    rows: found.length
  }
  const status = JSON.stringify(pipe.reports.at(-1))
  assert.deepStrictEqual(difference, { missing: [], added: [], rows: expected.length }, status)
})
