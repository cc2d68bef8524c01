import type { PipeId, PostgresSource } from "@headgate/core"
import * as Effect from "effect/Effect"
import type { PostgresOptions } from "../options/PostgresOptions.ts"
import { createdNames, defaultPort } from "../options/postgresOptionsOf.ts"
import { query, toSourceError, withConnection } from "../protocol/Connection.ts"
import { quoteIdentifier } from "../protocol/quote.ts"
import { dropSlot } from "../table/slot.ts"

/** What a pipe creates in its source, and where, in words without secrets. */
export interface Remains {
  readonly names: ReadonlyArray<string>
  readonly place: string
}

/** What a pipe leaves in its source; `undefined` if it creates nothing there. */
export const findRemains = (pipeId: PipeId, source: PostgresSource): Remains | undefined => {
  const { isSnapshot, publication, slot } = createdNames(pipeId, source.settings ?? {})
  const names = [
    ...(slot.isOwn ? [`slot ${slot.name}`] : []),
    ...(publication.isOwn ? [`publication ${publication.name}`] : [])
  ]
  if (isSnapshot || names.length === 0) return undefined
  return { names, place: `database ${source.database} at ${source.host}:${source.port ?? defaultPort}` }
}

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
