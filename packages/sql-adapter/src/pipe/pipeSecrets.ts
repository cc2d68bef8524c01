import { Pipe, versionOf } from "@headgate/core"
import {
  joinCredentials,
  type MovingPipe,
  type PipeCredentials,
  pipeSecretName,
  type Sealing,
  splitCredentials,
  withVersion
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { openSealed } from "../internal/openSealed.ts"

const decodePipe = Schema.decodeEffect(Schema.fromJsonString(Pipe))
const encodePipe = Schema.encodeEffect(Schema.fromJsonString(Pipe))

/** Replaces the secret of a pipe that answers hold: the connection string of object storage. Any other pipe is returned as it is. */
const mapSecret = Effect.fnUntraced(function* (
  pipe: Pipe,
  replace: (secret: string, context: string) => Effect.Effect<string>
) {
  const { source } = pipe
  const secret = source?.objectStorage?.connectionString
  if (!source?.objectStorage || !secret) return pipe
  const context = pipeSecretName(pipe.id, "objectStorage.connectionString")
  const connectionString = Redacted.make(yield* replace(Redacted.value(secret), context), { label: secret.label })
  const replaced: Pipe = {
    ...pipe,
    source: { ...source, objectStorage: { ...source.objectStorage, connectionString } }
  }
  const version = versionOf(pipe)
  return version === undefined ? replaced : withVersion(replaced, version)
})

/** Seals the secrets of a pipe before it is stored. What is stored may be decoded, changed and encoded without opening them. */
const sealPipe = ({ seal }: Sealing["Service"], pipe: Pipe): Effect.Effect<Pipe> => mapSecret(pipe, seal)

/** The pipe with its secrets as they were before {@link sealPipe}. One that does not open is a defect: the store is damaged. */
export const openPipe = (sealing: Sealing["Service"], pipe: Pipe): Effect.Effect<Pipe> =>
  mapSecret(pipe, (sealed, context) => openSealed(sealing, sealed, context))

const label = "credentials"

/** Changes each of the credentials of a pipe. `context` names the pipe and the field. */
const mapCredentials = (
  pipe: Pipe,
  credentials: PipeCredentials,
  replace: (value: Schema.Json, context: string) => Effect.Effect<Schema.Json>
): Effect.Effect<PipeCredentials> =>
  Effect.map(
    Effect.forEach(Object.entries(credentials), ([path, value]) =>
      Effect.map(replace(Redacted.value(value), pipeSecretName(pipe.id, path)), (replaced) => [
        path,
        Redacted.make(replaced, { label })
      ])
    ),
    Object.fromEntries<Redacted.Redacted<Schema.Json>>
  )

const sealCredentials = ({ seal }: Sealing["Service"], pipe: Pipe, credentials: PipeCredentials) =>
  mapCredentials(pipe, credentials, (value, context) => seal(JSON.stringify(value), context))

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

/** Seals all secrets of a pipe, its credentials included. */
export const sealMoving = Effect.fnUntraced(function* (sealing: Sealing["Service"], moving: MovingPipe) {
  const { credentials = {}, pipe } = moving
  const sealed: MovingPipe = {
    ...moving,
    pipe: yield* sealPipe(sealing, pipe),
    credentials: yield* sealCredentials(sealing, pipe, credentials)
  }
  return sealed
})

/** The pipe as it was before {@link sealMoving}. */
export const openMoving = Effect.fnUntraced(function* (sealing: Sealing["Service"], moving: MovingPipe) {
  const { credentials = {}, pipe } = moving
  const opened: MovingPipe = {
    ...moving,
    pipe: yield* openPipe(sealing, pipe),
    credentials: yield* mapCredentials(pipe, credentials, (sealed, context) =>
      Effect.flatMap(openSealed(sealing, String(sealed), context), (text) => Effect.orDie(decodeJson(text)))
    )
  }
  return opened
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
