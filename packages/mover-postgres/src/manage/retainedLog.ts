import * as Effect from "effect/Effect"
import type { PostgresOptions } from "../options/PostgresOptions.ts"
import { query, toSourceError, withConnection } from "../protocol/Connection.ts"
import { quoteLiteral } from "../protocol/quote.ts"

/** What the slot of a pipe makes its server keep. */
export interface RetainedLog {
  readonly bytes: number
  /** Set from 1 GiB on: how much it is, and how the server gets rid of it. */
  readonly warning?: string
}

const warnFrom = 1024 ** 3

const retainedSql = `
  SELECT pg_wal_lsn_diff(
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, restart_lsn
  )::float8 AS bytes
  FROM pg_replication_slots WHERE slot_name = $1`

/** How many bytes of its log the server keeps for a pipe; 0 if the pipe has no slot. A pipe that is stopped makes it keep more and more. */
export const retainedLog = Effect.fn("retainedLog")(function* (options: PostgresOptions) {
  const { name } = options.slot
  const [row] = yield* withConnection(options, (client) =>
    query<{ readonly bytes: number | null }>(client, retainedSql, [name])
  ).pipe(Effect.mapError(toSourceError))
  const bytes = row?.bytes ?? 0
  const gibibytes = (bytes / warnFrom).toFixed(1)
  const retained: RetainedLog =
    bytes < warnFrom
      ? { bytes }
      : {
          bytes,
          warning: `the slot ${name} makes the source keep ${gibibytes} GiB of its log. Start the pipe, or delete it, which releases the slot. SELECT pg_drop_replication_slot(${quoteLiteral(name)}) releases it at once; the pipe then needs a resync`
        }
  return retained
})
