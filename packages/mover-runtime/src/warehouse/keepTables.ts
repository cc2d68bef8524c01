import type { PipeTable, PipeTables } from "@headgate/core/adapter"
import { VersionedTables, Warehouse, WarehouseError } from "@headgate/mover"
import * as Effect from "effect/Effect"

/** The pipe whose tables are kept, and where it opens them. */
export type OpeningPipe = Pick<PipeTable, "organizationId" | "serviceId" | "pipeId" | "warehouse" | "database">

/** A table as a warehouse has opened it. `knownBy`: absent if the warehouse cannot tell its tables from others. */
interface Opened {
  readonly table: string
  readonly knownBy?: string | undefined
  readonly isCreated?: boolean | undefined
}

/**
 * The ports to the tables of a pipe, which keep each table in the store once it is open: charts read what pipes of an organization have
 * created. A store that does not answer is an error as of the warehouse, after which the mover opens its tables again.
 */
export const keepTables = (pipe: OpeningPipe, tables: PipeTables["Service"] | undefined) => {
  const keep = (opened: ReadonlyArray<Opened>, isVersioned: boolean) => {
    const kept = opened.flatMap(({ isCreated = false, knownBy, table }) =>
      knownBy === undefined ? [] : [{ ...pipe, table, knownBy, isCreated, isVersioned }]
    )
    return kept.length === 0 || tables === undefined
      ? Effect.void
      : Effect.mapError(tables.opened(kept), ({ message }) => new WarehouseError({ message }))
  }
  return {
    warehouse: (warehouse: Warehouse["Service"]) =>
      Warehouse.of({
        ...warehouse,
        open: (...parameters) =>
          Effect.tap(warehouse.open(...parameters), ({ isCreated, tables: known = new Map() }) =>
            keep(
              Array.from(known, ([table, knownBy]) => ({ table, knownBy, isCreated })),
              false
            )
          )
      }),
    versionedTables: (versioned: VersionedTables["Service"]) =>
      VersionedTables.of({
        ...versioned,
        open: (...parameters) =>
          Effect.tap(versioned.open(...parameters), (opened) =>
            keep(
              opened.map(({ isCreated, knownBy, target }) => ({ table: target, knownBy, isCreated })),
              true
            )
          )
      })
  }
}
