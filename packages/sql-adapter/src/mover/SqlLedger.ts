import { Ledger } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import { makeLedgerContext } from "./LedgerContext.ts"
import { objectStatements } from "./objectStatements.ts"
import { pendingStatements } from "./pendingStatements.ts"
import { pipeStatements } from "./pipeStatements.ts"
import { rangeStatements } from "./rangeStatements.ts"

const make = Effect.gen(function* () {
  const context = makeLedgerContext(yield* SqlClient.SqlClient)
  return Ledger.of({
    ...pipeStatements(context, yield* SecureRandom.SecureRandom),
    ...objectStatements(context),
    ...pendingStatements(context),
    ...rangeStatements(context)
  })
})

const layer: Layer.Layer<Ledger, never, SqlClient.SqlClient> = Layer.provide(
  Layer.effect(Ledger, make),
  SecureRandom.layerWebCrypto
)

/**
 * The mover's `Ledger` over SQL, in a SQLite file or in a Postgres database that several movers share. `SqlMigrations`
 * creates its tables, and `SqlAdapter` the pipes: a pipe that the store does not have cannot be taken, and a deleted pipe
 * takes its rows with it. An outage of the database is a `LedgerError`.
 *
 * The age of a pending range is counted by the machine's own time since its start, so that a clock that is set changes
 * nothing. It is known to other processes of that machine (on Linux; elsewhere to the process that recorded the range), and
 * infinite for everyone else and after a restart of the machine. Into a table that forgets tokens by time, a pending range of
 * infinite age is not replayed without a decision.
 *
 * @example
 * ```ts
 * import { type PipeId } from "@headgate/core"
 * import { Ledger } from "@headgate/mover"
 * import { SqlAdapter } from "@headgate/sql-adapter"
 * import { SqlLedger } from "@headgate/sql-adapter/mover"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const store = SqlAdapter.layerSqlite({ filename: "data/headgate.db" })
 * export const ledger = SqlLedger.layer.pipe(Layer.provide(store))
 *
 * export const pendingOf = (pipeId: PipeId) =>
 *   Ledger.use((ledger) => Effect.map(ledger.state(pipeId), ({ pending }) => pending.length))
 * ```
 */
export const SqlLedger = { layer }
