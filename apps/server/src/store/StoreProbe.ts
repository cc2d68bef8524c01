import type { Sealing } from "@headgate/core/adapter"
import { SqlSealing } from "@headgate/sql-adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"

/** Why the store takes no requests, for `/readyz`; `undefined` if it does. A store in memory always does. */
export const StoreProbe = Context.Reference<Effect.Effect<string | undefined>>("headgate-server/store/StoreProbe", {
  defaultValue: () => Effect.succeed(undefined)
})

/**
 * Queries the database, with a timeout, for the key that it is sealed with. The result is cached for a second, so that probes
 * cannot load the database.
 */
export const sqlStoreProbe = Layer.effect(
  StoreProbe,
  Effect.flatMap(Effect.context<Sealing | SqlClient>(), (context) =>
    SqlSealing.isCurrent.pipe(
      Effect.timeout("2 seconds"),
      Effect.map((isCurrent) => (isCurrent ? undefined : "the store is sealed with another key than this server has")),
      // The cause is logged with the requests that fail for it.
      Effect.catchCause(() => Effect.succeed("the store does not answer")),
      Effect.provideContext(context),
      Effect.cachedWithTTL("1 second")
    )
  )
)
