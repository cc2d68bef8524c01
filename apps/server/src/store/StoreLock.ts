import { SqlMigrations } from "@headgate/sql-adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"

/** Runs an effect while no other server of the store runs one so. A store in memory has no other server. */
type RunAlone = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** The lock of the store in which first credentials are created. */
export const StoreLock = Context.Reference<RunAlone>("headgate-server/store/StoreLock", {
  defaultValue: () => (effect) => effect
})

/** The advisory lock of the migrations. An outage of the database is a defect. */
export const sqlStoreLock = Layer.effect(
  StoreLock,
  Effect.map(
    SqlClient,
    (sql): RunAlone =>
      (effect) =>
        Effect.flatten(Effect.orDie(SqlMigrations.alone(sql)(Effect.exit(effect))))
  )
)
