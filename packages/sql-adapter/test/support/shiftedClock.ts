import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * Gives a Postgres database a clock that is ahead of the real one by the time that was added with `addTime`: nothing waits for it. It
 * stands before that of Postgres in the search path of later connections.
 */
export const setShiftedClock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly name: string }>`SELECT current_database() AS name`
  yield* sql`CREATE SCHEMA shifted_clock`
  yield* sql`CREATE TABLE shifted_clock.shift (millis BIGINT NOT NULL)`
  yield* sql`INSERT INTO shifted_clock.shift (millis) VALUES (0)`
  for (const [name, volatility] of [
    ["clock_timestamp", "VOLATILE"],
    ["statement_timestamp", "STABLE"]
  ]) {
    yield* sql.unsafe(`CREATE FUNCTION shifted_clock.${name}() RETURNS timestamptz ${volatility} LANGUAGE sql AS
      'SELECT pg_catalog.${name}() + millis * interval ''1 millisecond'' FROM shifted_clock.shift'`)
  }
  yield* sql.unsafe(`ALTER DATABASE "${row?.name}" SET search_path = public, shifted_clock, pg_catalog`)
})

/** Sets the shifted clock of the database ahead. */
export const addTime = (sql: SqlClient.SqlClient, time: Duration.Duration) =>
  sql`UPDATE shifted_clock.shift SET millis = millis + ${Duration.toMillis(time)}`
