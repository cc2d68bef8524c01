// Copies tables of a Postgres into an engine over HTTP, with a ledger in a SQLite file, until it is killed or the pipe is Failed. Prints each state.
import { copyPipe } from "@headgate/mover"
import { ClickHouseEngine, ClickHouseVersionedTables } from "@headgate/mover-clickhouse"
import { lawPipeId as pipeId } from "@headgate/mover/laws"
import { SqlAdapter } from "@headgate/sql-adapter"
import { SqlLedger } from "@headgate/sql-adapter/mover"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { argv } from "node:process"
import { frontUser } from "../../../mover-clickhouse/test/support/httpFront.ts"
import { PostgresSource } from "../../src/index.ts"
import { type ProcessOptions, sourceOptions } from "../support/optionsFor.ts"

// What `sourceOptions` and the test wrote.
const options: ProcessOptions = JSON.parse(argv[2] ?? "")

const engine = ClickHouseEngine.layerServer({
  url: options.url,
  user: frontUser.name,
  password: Redacted.make(frontUser.password),
  database: options.target
})

const layer = Layer.mergeAll(
  PostgresSource.layer(sourceOptions(options)),
  Layer.provide(ClickHouseVersionedTables.layer(), engine),
  Layer.provide(SqlLedger.layer, SqlAdapter.layerSqlite({ filename: options.ledger }))
)

const copy = copyPipe({
  pipeId,
  limits: { rows: 1000, bytes: 300_000, wait: Duration.millis(50) },
  inFlight: 2,
  report: ({ state }) => Console.log(state)
})

await Effect.runPromise(Effect.flatMap(Effect.provide(copy, layer), (end) => Console.log(JSON.stringify(end))))
