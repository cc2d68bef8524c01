import { type InvalidRequest, Pipe, versionOf } from "@headgate/core"
import {
  invalidRequest,
  joinCredentials,
  type PipeChange,
  type PipeCredentials,
  type PipeRecord,
  type Sealing,
  secretNames,
  splitCredentials,
  type TransitionTime,
  withVersion
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { damagedSecret, openSealed, type ResealText } from "../internal/openSealed.ts"

export const decodePipe = Schema.decodeEffect(Schema.fromJsonString(Pipe))
const encodePipe = Schema.encodeEffect(Schema.fromJsonString(Pipe))
const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

/** The path in `source` of the one secret that answers hold. */
const answeredPath = "objectStorage.connectionString"

/**
 * Replaces the secret of a pipe that answers hold, the connection string of object storage; `undefined` removes it. A pipe without one
 * is returned as it is.
 */
const mapSecret = Effect.fnUntraced(function* (
  pipe: Pipe,
  replace: (secret: string, context: string) => Effect.Effect<string | undefined>
) {
  const { source } = pipe
  const secret = source?.objectStorage?.connectionString
  if (!source?.objectStorage || !secret) return pipe
  const { connectionString: _, ...others } = source.objectStorage
  const text = yield* replace(Redacted.value(secret), secretNames.pipe(pipe.id, answeredPath))
  const connectionString = text === undefined ? {} : { connectionString: Redacted.make(text, { label: secret.label }) }
  const replaced: Pipe = { ...pipe, source: { ...source, objectStorage: { ...others, ...connectionString } } }
  const version = versionOf(pipe)
  return version === undefined ? replaced : withVersion(replaced, version)
})

/** Seals the secrets of a pipe before it is stored. What is stored may be decoded, changed and encoded without opening them. */
const sealPipe = ({ seal }: Sealing["Service"], pipe: Pipe): Effect.Effect<Pipe> => mapSecret(pipe, seal)

/**
 * A stored pipe as it is answered, with its secrets open. One that does not open is left out, so that it keeps no pipe from being
 * read: an update can replace it.
 */
export const openPipe = (sealing: Sealing["Service"], pipe: Pipe): Effect.Effect<Pipe> =>
  mapSecret(pipe, (sealed, context) =>
    Effect.flatMap(
      sealing.open(sealed, context),
      Option.match({
        onNone: () => Effect.as(Effect.logError(`answered without a secret: ${damagedSecret(context)}`), undefined),
        onSome: Effect.succeed
      })
    )
  )

const label = "credentials"

/** Changes each of the credentials of a pipe. `context` names the pipe and the field. */
const mapCredentials = (
  pipe: Pipe,
  credentials: PipeCredentials,
  replace: (value: Schema.Json, context: string) => Effect.Effect<Schema.Json>
): Effect.Effect<PipeCredentials> =>
  Effect.map(
    Effect.forEach(Object.entries(credentials), ([path, value]) =>
      Effect.map(replace(Redacted.value(value), secretNames.pipe(pipe.id, path)), (replaced) => [
        path,
        Redacted.make(replaced, { label })
      ])
    ),
    Object.fromEntries<Redacted.Redacted<Schema.Json>>
  )

const sealCredentials = ({ seal }: Sealing["Service"], pipe: Pipe, credentials: PipeCredentials) =>
  mapCredentials(pipe, credentials, (value, context) => seal(JSON.stringify(value), context))

/** Seals all secrets of a pipe, its credentials included. */
export const encryptPipe = Effect.fnUntraced(function* (sealing: Sealing["Service"], record: PipeRecord) {
  const { credentials = {}, pipe } = record
  const sealed: PipeRecord = {
    ...record,
    pipe: yield* sealPipe(sealing, pipe),
    credentials: yield* sealCredentials(sealing, pipe, credentials)
  }
  return sealed
})

/** Seals all secrets of a sealed pipe with another key. */
export const reencryptPipe = Effect.fnUntraced(function* (record: PipeRecord, resealText: ResealText) {
  const { credentials = {}, pipe } = record
  const resealed: PipeRecord = {
    ...record,
    pipe: yield* mapSecret(pipe, resealText),
    credentials: yield* mapCredentials(pipe, credentials, (sealed, context) => resealText(String(sealed), context))
  }
  return resealed
})

/** The pipe as it was before {@link encryptPipe}. A secret for which `open` has no text stays sealed. */
const openWith = Effect.fnUntraced(function* (
  record: PipeRecord,
  open: (sealed: string, context: string) => Effect.Effect<string | undefined>
) {
  const { credentials = {}, pipe } = record
  const opened: PipeRecord = {
    ...record,
    pipe: yield* mapSecret(pipe, (sealed, context) => Effect.map(open(sealed, context), (text) => text ?? sealed)),
    credentials: yield* mapCredentials(pipe, credentials, (sealed, context) =>
      Effect.flatMap(open(String(sealed), context), (text) =>
        text === undefined ? Effect.succeed(sealed) : Effect.orDie(decodeJson(text))
      )
    )
  }
  return opened
})

/** The pipe as it was before {@link encryptPipe}. A secret that does not open is a defect. */
export const decryptPipe = (sealing: Sealing["Service"], record: PipeRecord): Effect.Effect<PipeRecord> =>
  openWith(record, (sealed, context) => openSealed(sealing, sealed, context))

/** The same, for a pipe that nothing depends on any more: a secret that does not open stays sealed. */
export const decryptAvailable = ({ open }: Sealing["Service"], record: PipeRecord): Effect.Effect<PipeRecord> =>
  openWith(record, (sealed, context) => Effect.map(open(sealed, context), Option.getOrUndefined))

/** The secrets of a pipe by their paths in `source`. */
const secretsOf = ({
  credentials = {},
  pipe
}: PipeRecord): ReadonlyArray<readonly [path: string, value: Schema.Json]> => {
  const answered = pipe.source?.objectStorage?.connectionString
  return Object.entries({ ...credentials, ...(answered ? { [answeredPath]: answered } : {}) }).map(
    ([path, secret]) => [path, Redacted.value(secret)] as const
  )
}

/**
 * A change of a stored pipe that uses its secrets: they are opened for it, and sealed after it. Fails with `InvalidRequest` if the
 * change leaves one that does not open.
 */
export const openedFor = <E>(sealing: Sealing["Service"], change: PipeChange<E>) =>
  Effect.fnUntraced(function* (
    stored: PipeRecord,
    start: TransitionTime
  ): Effect.fn.Return<PipeRecord, E | InvalidRequest> {
    // By the sealed text, which stays in its place: the rules of the change see that there is a secret.
    const damaged = new Set<Schema.Json>()
    const opened = yield* openWith(stored, (sealed, context) =>
      Effect.map(sealing.open(sealed, context), (text) => {
        if (Option.isNone(text)) damaged.add(sealed)
        return Option.getOrUndefined(text)
      })
    )
    const changed = yield* Effect.fromResult(change(opened, start))
    if (changed === opened) return stored
    const left = secretsOf(changed).filter(([, value]) => damaged.has(value))
    if (left.length > 0) {
      const message = "Expected new ones: those that are stored do not open, for the database was changed from outside"
      return yield* invalidRequest(left.map(([path]) => ({ path: `source.${path}`, message })))
    }
    return yield* encryptPipe(sealing, changed)
  })

/** {@link sealPipe} of an imported pipe, whose document may hold credentials. */
export const sealImported = Effect.fnUntraced(function* (sealing: Sealing["Service"], pipe: Pipe) {
  const sealed = yield* sealPipe(sealing, pipe)
  if (!sealed.source) return sealed
  const { credentials, source } = splitCredentials(sealed.source)
  if (source === sealed.source) return sealed
  const replaced: Pipe = {
    ...sealed,
    source: joinCredentials(source, yield* sealCredentials(sealing, pipe, credentials))
  }
  return replaced
})

/** {@link openPipe} of a stored document. A pipe without secrets costs the search for a word. */
export const openPipeText = (sealing: Sealing["Service"], document: string): Effect.Effect<string> =>
  document.includes('"connectionString"')
    ? Effect.orDie(Effect.flatMap(decodePipe(document), (pipe) => Effect.flatMap(openPipe(sealing, pipe), encodePipe)))
    : Effect.succeed(document)
