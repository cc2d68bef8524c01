import type { Destination, FieldMapping } from "@headgate/core"
import type {
  ObjectRejected,
  ObjectReference,
  RangeChanged,
  SourceError,
  VersionedTables,
  Warehouse,
  WarehouseError,
  WarehouseRefused
} from "@headgate/mover"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"

type WarehouseFailure = WarehouseError | WarehouseRefused

/** A table that is to be written to, whether it is there or not. */
export interface FoundTable {
  readonly name: string
  /** The pipe that created it; `undefined` if no pipe did, or if it is not there. */
  readonly creator: string | undefined
}

/** Fails if a table is not one that the pipe may write to. */
export type CheckOwner = (tables: ReadonlyArray<FoundTable>) => Effect.Effect<void, WarehouseFailure>

/** A column that takes a field of sampled rows. */
export interface InferredColumn {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
}

/** The columns that take the fields of a source, and its first rows: a text or null for each column. */
export interface InferredFields {
  readonly columns: ReadonlyArray<InferredColumn>
  readonly samples: ReadonlyArray<ReadonlyArray<string | null>>
}

/** A row of an error table. */
export interface FoundRejectedRow {
  /** The number of its table among those that were asked for. */
  readonly table: number
  /** Milliseconds since 1970, and what orders the rows of one millisecond: a whole number below 2^64, in digits. */
  readonly at: number
  readonly tie: string
  readonly source: string
  readonly partition: string
  readonly from: string
  readonly to: string
  readonly row: number
  readonly error: string
  /** How many bytes the message has. */
  readonly bytes: number
  /** The first bytes of the message. */
  readonly message: Uint8Array
}

/** A warehouse as a server has opened it: what the control loop asks of it, and the ports to the tables of a pipe. */
export interface WarehouseEngine {
  /** The database of a destination that names none. */
  readonly database: string
  /** The name of the error table of a table. */
  readonly errorTableOf: (table: string) => string
  readonly warehouse: (options: {
    readonly destination: Destination
    readonly fieldMappings: ReadonlyArray<FieldMapping>
    readonly objects: "stage" | "insert"
    readonly checkOwner: CheckOwner
  }) => Layer.Layer<Warehouse, WarehouseRefused>
  readonly versionedTables: (options: {
    readonly database?: string
    readonly checkOwner: CheckOwner
  }) => Layer.Layer<VersionedTables, WarehouseRefused>
  /** Which pipes have created these tables of a database. */
  readonly findTables: (
    names: ReadonlyArray<string>,
    database: string
  ) => Effect.Effect<ReadonlyArray<FoundTable>, WarehouseFailure>
  /** Fails with a message that begins with the field, if the destination cannot be opened by what it says. */
  readonly checkDestination: (destination: Destination) => Effect.Effect<void, WarehouseFailure>
  /** Whether it reads an object as pipes do. It sends no request, so the object need not be there. */
  readonly checkObjectReading: (
    object: ObjectReference
  ) => Effect.Effect<void, WarehouseFailure | ObjectRejected | SourceError>
  /** The columns that take the fields of these rows, and the first of them. */
  readonly inferColumns: (rows: ReadonlyArray<Uint8Array>) => Effect.Effect<InferredFields, WarehouseFailure>
  /** The columns that take the fields of an object, and its first rows. */
  readonly describeObject: (
    object: ObjectReference
  ) => Effect.Effect<InferredFields, WarehouseFailure | ObjectRejected | RangeChanged | SourceError>
  /**
   * The rejected rows of a pipe in error tables of a database that are there, the newest first: those before a row, and the first bytes of
   * their messages. Rows of other pipes in these tables are not read.
   */
  readonly rejectedRows: (
    pipeId: string,
    tables: ReadonlyArray<string>,
    database: string,
    page: {
      readonly before?: Pick<FoundRejectedRow, "at" | "tie"> | undefined
      readonly limit: number
      readonly messageBytes: number
    }
  ) => Effect.Effect<ReadonlyArray<FoundRejectedRow>, WarehouseFailure>
  /** Ends what a deleted pipe still runs, and drops what it has staged. A repeat is harmless. */
  readonly dropStagings: (pipeId: string, database: string | undefined) => Effect.Effect<void, WarehouseFailure>
}
