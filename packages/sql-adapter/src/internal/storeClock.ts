import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * The time now in milliseconds since 1970, as SQL, by which steps are due. In Postgres it is the database's clock, so that
 * servers with other clocks agree; in SQLite it is the `Clock` of this process.
 */
export const nowMillis = (sql: SqlClient.SqlClient): Effect.Effect<Fragment> =>
  sql.onDialectOrElse({
    pg: () => Effect.succeed(sql`CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`),
    orElse: () => Effect.map(Clock.currentTimeMillis, (now) => sql`${now}`)
  })
