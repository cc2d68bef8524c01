import type { PipeId } from "@headgate/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { WarehouseError, WarehouseRefused } from "../range/MoveError.ts"
import type { KnownTables, Range } from "../range/Range.ts"
import type { CopiedTable, SourceTable } from "./ChangeSource.ts"
import type { LoggedPositions, RejectedRow } from "./Warehouse.ts"

/** A table to open. */
export interface OpenedTable extends SourceTable {
  /** Whether nothing of it is copied yet: its target may be created, and get columns if a pipe created it. */
  readonly isNew: boolean
}

/** A table whose target is open. */
export interface OpenTable extends SourceTable {
  /** The highest version in the target of a table that is new; absent if it has no row. */
  readonly lastVersion?: bigint
  /** What tells its target from another table of that name. Absent: the warehouse cannot tell. */
  readonly knownBy?: string
  /** Whether the pipe has created its target, now or before. Absent: it is not known. */
  readonly isCreated?: boolean
}

/**
 * The port to tables of a warehouse that hold versions of rows: the last version of a row counts. A repeated insert changes
 * nothing, and one that comes late does no harm.
 *
 * @example
 * ```ts
 * import type { PipeId } from "@headgate/core"
 * import { ChangeSource, VersionedTables } from "@headgate/mover"
 * import * as Effect from "effect/Effect"
 *
 * export const openAll = Effect.fn("openAll")(function* (pipeId: PipeId) {
 *   const [source, tables] = [yield* ChangeSource, yield* VersionedTables]
 *   const found = yield* source.tables
 *   return yield* tables.open(pipeId, found.map((table) => ({ ...table, isNew: true })))
 * })
 * ```
 */
export class VersionedTables extends Context.Service<
  VersionedTables,
  {
    /**
     * Creates the target tables of new tables, or checks those that exist. Fails if the target of another table is gone. Returns
     * the tables with the columns that their targets have: a column that was added to the source later is not copied. `known`: the
     * targets as they were opened before. Another table of such a name is refused, unless nothing of it is copied.
     */
    readonly open: (
      pipeId: PipeId,
      tables: ReadonlyArray<OpenedTable>,
      known?: KnownTables
    ) => Effect.Effect<ReadonlyArray<OpenTable>, WarehouseError | WarehouseRefused>
    /** Inserts lines of TSV, each with its line break, in their order. Some of them may be in the table if it fails. */
    readonly insert: <E>(
      table: SourceTable,
      rows: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<void, E | WarehouseError | WarehouseRefused>
    /** Inserts rows that do not fit into the error table. A repeat inserts them again. */
    readonly insertRejected: (
      range: Range,
      table: SourceTable,
      rows: ReadonlyArray<RejectedRow>
    ) => Effect.Effect<void, WarehouseError | WarehouseRefused>
    /** Marks all rows of lower versions as deleted in this version. */
    readonly deleteBelow: (
      table: SourceTable,
      version: bigint
    ) => Effect.Effect<void, WarehouseError | WarehouseRefused>
    /** As `log` and `logged` of `Warehouse`. */
    readonly log: (range: Range) => Effect.Effect<void, WarehouseError | WarehouseRefused>
    readonly logged: (pipeId: PipeId) => Effect.Effect<LoggedPositions, WarehouseError | WarehouseRefused>
  }
>()("@headgate/mover/VersionedTables") {}

/**
 * The columns that each target has beside those of its source.
 *
 * @example
 * ```ts
 * import { versionColumns } from "@headgate/mover"
 *
 * console.log(versionColumns.version) // _peerdb_version
 * ```
 */
export const versionColumns = {
  /** When the row was inserted. */
  syncedAt: "_peerdb_synced_at",
  isDeleted: "_peerdb_is_deleted",
  version: "_peerdb_version"
}

/**
 * The columns that a row gives, in the order of its fields.
 *
 * @example
 * ```ts
 * import { insertedColumns } from "@headgate/mover"
 *
 * console.log(insertedColumns({ columns: [{ name: "id", type: "Int32" }] }).join()) // id,_peerdb_is_deleted,_peerdb_version
 * ```
 */
export const insertedColumns = ({ columns }: Pick<CopiedTable, "columns">): ReadonlyArray<string> => [
  ...columns.map(({ name }) => name),
  versionColumns.isDeleted,
  versionColumns.version
]
