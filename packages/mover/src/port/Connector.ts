import { PipeId, type PipeSource, type Settings } from "@headgate/core"
import type { PipeCredentials } from "@headgate/core/adapter"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SourceError } from "../range/MoveError.ts"
import type { ObjectReference } from "../range/ObjectReference.ts"
import type { ChangeSource } from "./ChangeSource.ts"
import type { RangeLimits, Source } from "./Source.ts"

/** A field of a pipe asks for what is not moved. */
export class SourceRefused extends Schema.TaggedError<SourceRefused>("@headgate/mover/SourceRefused")("SourceRefused", {
  /** The path of the field in the pipe, such as `source.kafka.format`. */
  path: Schema.String,
  message: Schema.String
}) {}

/** Which hosts pipes may read from. */
export interface AllowedSources {
  /** Why a host may not be read from, as far as its text tells; names are resolved when a pipe connects. */
  readonly refusal: (host: string) => string | undefined
  /** The address to connect to. What is checked is the address that is used, so a name cannot change in between. */
  readonly resolve: (host: string) => Effect.Effect<string, SourceError>
  /** Hosts of storages that no user of this server controls. */
  readonly trustedStorages: ReadonlyArray<string>
}

/** The id of a pipe that is to be created, and of a sample of a source, which belongs to no pipe. */
export const noPipe = PipeId.make("00000000-0000-4000-8000-000000000000")

/** What a pipe reads, and how. */
export interface SourceConfig {
  /** {@link noPipe} for a pipe that is to be created. */
  readonly pipeId: PipeId
  readonly source: PipeSource
  readonly credentials: PipeCredentials
  readonly settings: Settings
  /** The fields of the source that the pipe wants. */
  readonly fields: ReadonlyArray<string>
  readonly allowed: AllowedSources
}

interface Probed {
  /**
   * Asks the source for what the pipe needs, and changes nothing. Returns what is wrong with it. Fails with a `SourceError` if it does
   * not answer; one with a field is about that field.
   */
  readonly probe: Effect.Effect<ReadonlyArray<SourceRefused>, SourceError>
}

/** How the fields of a source are found: in rows from its beginning. */
export interface RowSample {
  readonly _tag: "Rows"
  readonly layer: Layer.Layer<Source, SourceError>
}

/** How the fields of a source are found: by the warehouse, in one object. */
export interface ObjectSample {
  readonly _tag: "Object"
  readonly first: Effect.Effect<ObjectReference, SourceError>
  /** How the warehouse reads an object, which need not be there. */
  readonly any: Effect.Effect<ObjectReference, SourceError>
  /** The fields of the source that say where its objects are, and how they are written. */
  readonly locationField: string
  readonly formatField: string
}

/** Reads a source in ranges. */
export interface RangesReader extends Probed {
  readonly _tag: "Ranges"
  readonly layer: Layer.Layer<Source, SourceError>
  readonly sample: RowSample | ObjectSample
  /** Whether the warehouse stages objects, which is the default, or inserts them at once, at least once. */
  readonly objects?: "stage" | "insert"
}

/** How much of a database is copied at once. */
export interface CopyLimits {
  readonly limits: RangeLimits
  readonly inFlight: number
  readonly partsAtOnce?: number
  readonly tablesAtOnce?: number
}

/** What a source keeps of its log for a pipe. */
export interface RetainedLog {
  readonly bytes: number
  /** Set if they are many: how many, and how the source gets rid of them. */
  readonly warning?: string
}

/** Copies the tables of a source and then follows them. */
export interface TablesReader extends Probed {
  readonly _tag: "Tables"
  readonly layer: Layer.Layer<ChangeSource, SourceError>
  /** How the settings of the source want it to be copied, and no more than `most`. */
  readonly copyLimits: (most: Pick<CopyLimits, "limits" | "inFlight">) => CopyLimits
  /** Absent if the source keeps no log for the pipe. */
  readonly retainedLog?: Effect.Effect<RetainedLog, SourceError>
  /** Removes what the pipe has created in the source. A repeat is harmless. */
  readonly release: Effect.Effect<void, SourceError>
}

/** Reads a source, in ranges or by its tables. */
export type SourceReader = RangesReader | TablesReader

/** What a pipe creates in its source, and where, in words without secrets. */
export interface ExternalResources {
  readonly names: ReadonlyArray<string>
  readonly place: string
}

/** A source that is read in ranges, such as topics or objects. */
export interface RangesConnector {
  readonly _tag: "Ranges"
  /** Reads the options of a pipe, and connects to nothing. Fails for what is not served. */
  readonly configure: (config: SourceConfig) => Effect.Effect<RangesReader, SourceRefused>
}

/** A source whose tables are copied and then followed, such as a database. */
export interface TablesConnector {
  readonly _tag: "Tables"
  /** Reads the options of a pipe, and connects to nothing. Fails for what is not served. */
  readonly configure: (config: SourceConfig) => Effect.Effect<TablesReader, SourceRefused>
  /** Whether two identities of sources are of the same data: a server stays the same when it is promoted or restored. */
  readonly isSameServer: (one: string, other: string) => boolean
  /** The tables of the warehouse that the source names. */
  readonly targetTables: (source: PipeSource) => ReadonlyArray<string>
  /** What a pipe creates in its source; `undefined` for nothing. */
  readonly externalResources: (pipeId: PipeId, source: PipeSource) => ExternalResources | undefined
}

/**
 * What the adapter of a source is to the rest: each adapter package exports one. The control loop knows sources by this alone.
 *
 * @example
 * ```ts
 * import type { RangesConnector } from "@headgate/mover"
 * import { MemorySource } from "@headgate/mover/memory"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { Source } from "@headgate/mover"
 *
 * const layer = Layer.succeed(Source, MemorySource.make().source)
 * export const connector: RangesConnector = {
 *   _tag: "Ranges",
 *   configure: () =>
 *     Effect.succeed({ _tag: "Ranges", probe: Effect.succeed([]), layer, sample: { _tag: "Rows", layer } })
 * }
 * ```
 */
export type Connector = RangesConnector | TablesConnector
