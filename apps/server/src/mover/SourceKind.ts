import { type Pipe, type PipeCreate, PipeId, type PipeSource, type Settings } from "@headgate/core"
import { type MovingPipe, type PipeCredentials, splitCredentials } from "@headgate/core/adapter"
import type { ChangeSource, CopyOptions, ObjectReference, Source, SourceError } from "@headgate/mover"
import type { Remains, RetainedLog } from "@headgate/mover-postgres"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { AllowedSources } from "./allowedSources.ts"

/** The id of a pipe that is to be created, and of a sample of a source, which belongs to no pipe. */
export const noPipe = PipeId.make("00000000-0000-4000-8000-000000000000")

/** What a pipe reads, and how. */
export interface ReadSource {
  readonly source: PipeSource
  readonly credentials: PipeCredentials
  readonly settings: Settings
  /** The fields of the source that the pipe wants. */
  readonly fields: ReadonlyArray<string>
}

const Login = Schema.Struct({
  username: Schema.optionalKey(Schema.NullOr(Schema.String)),
  password: Schema.optionalKey(Schema.NullOr(Schema.String))
})

/** A field of a source asks for what is not moved. */
export class SourceRefused extends Schema.TaggedError<SourceRefused>("headgate-server/mover/SourceRefused")(
  "SourceRefused",
  { path: Schema.String, message: Schema.String }
) {}

/**
 * A secret of a source as its adapter takes it; `undefined` if the source has none. `path` is that in the source, and `expected` says
 * what it holds, because the error of the schema would show it.
 */
export const readSecret = <A>(
  credentials: PipeCredentials,
  path: string,
  schema: Schema.Codec<A, unknown>,
  expected: string
): Effect.Effect<Redacted.Redacted<A> | undefined, SourceRefused> => {
  const stored = credentials[path]
  if (stored === undefined) return Effect.succeed(undefined)
  return Schema.decodeUnknownEffect(schema)(Redacted.value(stored)).pipe(
    Effect.map((secret) => Redacted.make(secret)),
    Effect.mapError(() => new SourceRefused({ path: `source.${path}`, message: `Expected ${expected}` }))
  )
}

/** The credentials of a source that takes a username and a password, for its adapter. */
export const readLogin = (credentials: PipeCredentials, path: string) =>
  Effect.map(readSecret(credentials, path, Login, "a username and a password"), (login) =>
    login === undefined ? {} : { credentials: login }
  )

interface CheckedKind {
  /** Why rows are not read from a source; nothing is connected. */
  readonly check: (read: ReadSource, allowed: AllowedSources) => Effect.Effect<void, SourceRefused>
  /**
   * Asks the source for what a pipe needs, and changes nothing. Returns what is wrong with it. Fails with a `SourceError` if it does
   * not answer; one with a field is about that field.
   */
  readonly probe: (
    pipeId: PipeId,
    read: ReadSource,
    allowed: AllowedSources
  ) => Effect.Effect<ReadonlyArray<SourceRefused>, SourceError | SourceRefused>
}

/** A kind of source whose rows are moved in ranges. */
export interface RangesKind extends CheckedKind {
  /** How a sample of its rows is read: as they are, from the beginning of the same source; or by the warehouse, from one object. */
  readonly sample:
    | { readonly fromStart: (read: ReadSource) => ReadSource }
    | {
        readonly firstObject: (
          read: ReadSource,
          allowed: AllowedSources
        ) => Effect.Effect<ObjectReference | undefined, SourceRefused | SourceError>
        /** How the warehouse reads an object, which need not be there. */
        readonly anyObject: (
          read: ReadSource,
          allowed: AllowedSources
        ) => Effect.Effect<ObjectReference, SourceRefused | SourceError>
      }
  readonly layer: (read: ReadSource, allowed: AllowedSources) => Layer.Layer<Source, SourceRefused>
}

export const remainsText = ({ names, place }: Remains): string => `${names.join(" and ")} in ${place}`

/** A kind of source whose tables are copied and then followed. */
export interface TablesKind extends CheckedKind {
  readonly tables: (
    pipeId: PipeId,
    read: ReadSource,
    allowed: AllowedSources
  ) => Layer.Layer<ChangeSource, SourceRefused>
  /** How the settings of the source want it to be copied, and no more than `most`. */
  readonly copyOptions: (
    read: ReadSource,
    most: Pick<CopyOptions, "limits" | "inFlight">
  ) => Pick<CopyOptions, "limits" | "inFlight" | "partsAtOnce" | "tablesAtOnce">
  /** How many bytes of its log the source keeps for a pipe, with a warning if they are many; absent if it keeps none. */
  readonly retainedLog: (
    pipeId: PipeId,
    read: ReadSource,
    allowed: AllowedSources
  ) => Effect.Effect<RetainedLog | undefined, SourceError | SourceRefused>
  /** Whether two identities of sources are of the same data: a server stays the same when it is promoted or restored. */
  readonly isSameServer: (one: string, other: string) => boolean
  /** What a pipe leaves in its source; `undefined` for nothing. */
  readonly remains: (pipeId: PipeId, source: PipeSource) => Remains | undefined
  /** Removes it. A repeat is harmless. */
  readonly release: (
    pipeId: PipeId,
    read: ReadSource,
    allowed: AllowedSources
  ) => Effect.Effect<void, SourceError | SourceRefused>
}

/** A kind of source whose pipes are moved. */
export type SourceKind = RangesKind | TablesKind

/** The fields that are mapped to columns; those of the names of the columns where none is mapped. */
const wantedFields = ({ destination, fieldMappings }: Pick<Pipe, "destination" | "fieldMappings">) => {
  const mapped = (fieldMappings ?? []).map(({ sourceField }) => sourceField)
  const columns = (destination?.columns ?? []).map(({ name }) => name)
  return (mapped.length > 0 ? mapped : columns).filter((name) => typeof name === "string")
}

/** The source of a stored pipe. */
export const storedSourceOf = ({ credentials = {}, pipe }: MovingPipe): ReadSource => ({
  source: pipe.source ?? {},
  credentials,
  settings: pipe.settings ?? {},
  fields: wantedFields(pipe)
})

/** The source of a new pipe, or one that is discovered for it. */
export const readSourceOf = (
  request: Pick<PipeCreate, "source" | "settings" | "destination" | "fieldMappings">
): ReadSource => ({
  ...splitCredentials(request.source),
  settings: request.settings ?? {},
  fields: wantedFields(request)
})
