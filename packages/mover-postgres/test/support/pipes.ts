import { PipeId } from "@headgate/core"
import { copyPipe, Ledger, type MoverEnd, type MoverStatus, restartCopy } from "@headgate/mover"
import { ClickHouse, ClickHouseVersionedTables } from "@headgate/mover-clickhouse"
import { MemoryLedger } from "@headgate/mover/memory"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type PostgresOptions, PostgresSource } from "../../src/index.ts"

const pipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000d9")

let databases = 0

/** A pipe from a Postgres into a new database of the engine. Each run of `copy` is a mover of its own. */
export const makePipe = Effect.fnUntraced(function* (engine: ClickHouse["Service"]) {
  databases += 1
  const database = `pg${process.pid}_${databases}`
  yield* Effect.orDie(engine.run(`CREATE DATABASE ${database}`))
  yield* Effect.addFinalizer(() => Effect.ignore(engine.run(`DROP DATABASE ${database}`)))
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
    inFlight = 2
  ) =>
    copyPipe({
      pipeId,
      limits: { rows: 1000, bytes: 1_000_000, wait: Duration.millis(100), ...limits },
      inFlight,
      giveUp: Duration.seconds(20),
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
