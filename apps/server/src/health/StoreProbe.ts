import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"

/** How long a store may take to answer before it counts as unreachable. */
const patience = "2 seconds"

/** How long an answer holds: who asks for it cannot keep the store busy. */
const freshness = "1 second"

/** Whether the store answers. One that lives in the process always does. */
export const StoreProbe = Context.Reference<Effect.Effect<boolean>>("headgate-server/health/StoreProbe", {
  defaultValue: () => Effect.succeed(true)
})

/** Asks a database, at most once a second however often it is wanted. */
export const layerSql = Layer.effect(
  StoreProbe,
  Effect.flatMap(SqlClient, (sql) =>
    sql`SELECT id FROM organization LIMIT 1`.pipe(
      Effect.timeout(patience),
      Effect.as(true),
      // Whatever is wrong, the store did not answer; those whose requests fail say why.
      Effect.catchCause(() => Effect.succeed(false)),
      Effect.cachedWithTTL(freshness)
    )
  )
)
