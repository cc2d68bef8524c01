import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The minute in which a fast clock begins, since 1970. */
export const firstMinute = 29_000_000

/** A clock on which a second is a minute since `start`, in milliseconds since 1970. */
export const fastClock = (real: Clock.Clock, start: number): Clock.Clock => {
  const now = () => firstMinute * 60_000 + (real.currentTimeMillisUnsafe() - start) * 60
  return Object.assign(Object.create(real), { currentTimeMillisUnsafe: now, currentTimeMillis: Effect.sync(now) })
}

/** Gives a Postgres database such a clock: it stands before that of Postgres in the search path. */
export const setFastClock = Effect.fnUntraced(function* (start: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly name: string }>`SELECT current_database() AS name`
  yield* sql`CREATE SCHEMA fast_clock`
  yield* sql.unsafe(`CREATE FUNCTION fast_clock.statement_timestamp() RETURNS timestamptz STABLE LANGUAGE sql AS
    'SELECT to_timestamp(${firstMinute} * 60.0 + (EXTRACT(EPOCH FROM pg_catalog.statement_timestamp()) - ${start / 1000}) * 60)'`)
  yield* sql.unsafe(`ALTER DATABASE "${row?.name}" SET search_path = public, fast_clock, pg_catalog`)
})
