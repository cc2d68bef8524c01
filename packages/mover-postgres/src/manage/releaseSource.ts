import * as Effect from "effect/Effect"
import type { PostgresOptions } from "../options/PostgresOptions.ts"
import { query, toSourceError, withConnection } from "../protocol/Connection.ts"
import { quoteIdentifier } from "../protocol/quote.ts"
import { dropSlot } from "../table/slot.ts"

/**
 * Drops what a pipe has created in its source: the slot, which keeps the server's log from being removed, and the publication. Those
 * that the user has made stay. A repeat is harmless. Fails if the server cannot be reached.
 */
export const releaseSource = Effect.fn("releaseSource")(function* (options: PostgresOptions) {
  const { mode, publication, slot } = options
  if (mode === "snapshot") return
  yield* withConnection(
    options,
    Effect.fnUntraced(function* (client) {
      if (slot.isOwn) yield* dropSlot(client, slot.name)
      if (publication.isOwn) yield* query(client, `DROP PUBLICATION IF EXISTS ${quoteIdentifier(publication.name)}`)
    })
  ).pipe(Effect.mapError(toSourceError))
})
