import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"

/** Whether the store answers, for `/readyz`. A store in memory always does. */
export const StoreProbe = Context.Reference<Effect.Effect<boolean>>("headgate-server/store/StoreProbe", {
  defaultValue: () => Effect.succeed(true)
})

/** Queries the database, with a timeout. The result is cached for a second, so that probes cannot load the database. */
export const sqlStoreProbe = Layer.effect(
  StoreProbe,
  Effect.flatMap(SqlClient, (sql) =>
    sql`SELECT id FROM organization LIMIT 1`.pipe(
      Effect.timeout("2 seconds"),
      Effect.as(true),
      // The cause is logged with the requests that fail for it.
      Effect.catchCause(() => Effect.succeed(false)),
      Effect.cachedWithTTL("1 second")
    )
  )
)
