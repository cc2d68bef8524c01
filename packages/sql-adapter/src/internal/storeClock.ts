import { type TransitionTime, StepLength } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * The column `now`: whole milliseconds since 1970, by which steps are due. In Postgres it is the database's clock, so that
 * servers with other clocks agree; in SQLite it is NULL: the `Clock` of this process counts.
 */
export const nowColumn = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({
    pg: () => sql.literal("CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS DOUBLE PRECISION) AS now"),
    orElse: () => sql.literal("NULL AS now")
  })

/** The time by which steps are due and paths begin. */
export const makeTransitionTime = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const [row] = yield* sql<{ readonly now: number | null }>`SELECT ${nowColumn(sql)}`
    const start: TransitionTime = { now: row?.now ?? (yield* Clock.currentTimeMillis), stepLength: yield* StepLength }
    return start
  })

/** When a step that begins now is due, in milliseconds since 1970. */
export const makeStepDue = (sql: SqlClient.SqlClient) =>
  Effect.map(makeTransitionTime(sql), ({ now, stepLength }) => now + Math.round(Duration.toMillis(stepLength)))
