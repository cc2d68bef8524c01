import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ServerError } from "../error/CallError.ts"
import type { OrganizationId } from "../id/organization.ts"
import type { PipeId } from "../id/pipe.ts"
import type { ServiceId } from "../id/service.ts"

/** A table of a warehouse that a pipe has opened. */
export interface PipeTable {
  readonly organizationId: OrganizationId
  readonly serviceId: ServiceId
  readonly pipeId: PipeId
  readonly warehouse: string
  readonly database: string
  readonly table: string
  /** What told it from another table of its name when it was opened: only the mover of the warehouse knows what it means. */
  readonly knownBy: string
  /** The pipe has created it. Otherwise it was there. */
  readonly isCreated: boolean
  /** Rows are written in versions. */
  readonly isVersioned: boolean
}

/**
 * The port to the tables that pipes have opened, for movers and charts. A table stays when its pipe is deleted, until the operator forgets
 * it: then its organization reads it no more. It goes with its organization, and no snapshot has it: a store that was restored from one
 * knows the tables of a pipe again when the pipe next opens them.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core"
 * import { PipeTables } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // The names of the tables that pipes of an organization have created.
 * export const createdBy = (organizationId: OrganizationId) =>
 *   PipeTables.use((tables) =>
 *     Effect.map(tables.list(organizationId), (all) => all.flatMap((one) => (one.isCreated ? [one.table] : [])))
 *   )
 * ```
 */
export class PipeTables extends Context.Service<
  PipeTables,
  {
    /**
     * Keeps what was opened, in the place of what was kept of the same pipe, warehouse, database and table; of an organization that is
     * not there, nothing.
     */
    readonly opened: (tables: ReadonlyArray<PipeTable>) => Effect.Effect<void, ServerError>
    /** The tables of an organization, or of all, in the order in which they were first opened. */
    readonly list: (organizationId?: OrganizationId) => Effect.Effect<ReadonlyArray<PipeTable>, ServerError>
    /** Forgets a table of a warehouse, for every pipe. Returns whether there was one. */
    readonly forget: (warehouse: string, database: string, table: string) => Effect.Effect<boolean, ServerError>
  }
>()("@headgate/core/pipe/PipeTables") {}
