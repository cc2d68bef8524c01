import { Pipe, versionOf } from "@headgate/core"
import { type Sealing, withVersion } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

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
  const context = `pipe/${pipe.id}/source.objectStorage.connectionString`
  const connectionString = Redacted.make(yield* replace(Redacted.value(secret), context), { label: secret.label })
  const replaced: Pipe = {
    ...pipe,
    source: { ...source, objectStorage: { ...source.objectStorage, connectionString } }
  }
  const version = versionOf(pipe)
  return version === undefined ? replaced : withVersion(replaced, version)
})

/** Seals the secrets of a pipe before it is stored. What is stored may be decoded, changed and encoded without opening them. */
export const sealPipe = ({ seal }: Sealing["Service"], pipe: Pipe): Effect.Effect<Pipe> => mapSecret(pipe, seal)

/** The pipe with its secrets as they were before {@link sealPipe}. One that does not open is a defect: the store is damaged. */
export const openPipe = ({ open }: Sealing["Service"], pipe: Pipe): Effect.Effect<Pipe> =>
  mapSecret(pipe, (sealed, context) =>
    Effect.flatMap(
      open(sealed, context),
      Option.match({
        onNone: () => Effect.die(`the sealed value ${context} does not open: the database was changed from outside`),
        onSome: Effect.succeed
      })
    )
  )

/** {@link openPipe} of a stored document. A pipe without secrets costs the search for a word. */
export const openPipeText = (sealing: Sealing["Service"], document: string): Effect.Effect<string> =>
  document.includes('"connectionString"')
    ? Effect.orDie(Effect.flatMap(decodePipe(document), (pipe) => Effect.flatMap(openPipe(sealing, pipe), encodePipe)))
    : Effect.succeed(document)
