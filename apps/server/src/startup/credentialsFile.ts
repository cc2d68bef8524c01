import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { MintedCredentials } from "./mintCredentials.ts"
import { StartupError } from "./StartupError.ts"

const StoredCredentials = Schema.Struct({
  organization: Schema.Struct({ id: Schema.String, name: Schema.String }),
  services: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String })),
  keyId: Schema.optionalKey(Schema.String),
  keySecret: Schema.optionalKey(Schema.String),
  token: Schema.optionalKey(Schema.String)
})

/** The document of `--credentials-file`: one entry for each organization the server minted credentials for. */
const CredentialsFile = Schema.fromJsonString(Schema.Array(StoredCredentials))
type StoredCredentials = typeof StoredCredentials.Type

const toStored = ({ key, organization, token }: MintedCredentials): StoredCredentials => ({
  organization: { id: organization.id, name: organization.name },
  services: organization.services,
  ...(key?.keyId === undefined ? {} : { keyId: key.keyId }),
  ...(key?.keySecret === undefined ? {} : { keySecret: Redacted.value(key.keySecret) }),
  ...(token === undefined ? {} : { token: Redacted.value(token.secret) })
})

/**
 * Writes minted credentials to a file that only its owner may read (0600), beside those of other organizations that
 * stand in it already. The only place where the server ever writes a secret, and only when asked to.
 */
export const writeCredentialsFile = Effect.fn("writeCredentialsFile")(function* (
  path: string,
  minted: ReadonlyArray<MintedCredentials>
) {
  const fileSystem = yield* FileSystem.FileSystem
  const { dirname } = yield* Path.Path
  const fresh = minted.map(toStored)
  const write = Effect.gen(function* () {
    const known = (yield* fileSystem.exists(path))
      ? yield* Effect.flatMap(fileSystem.readFileString(path), Schema.decodeEffect(CredentialsFile))
      : []
    const kept = known.filter(({ organization }) => fresh.every((entry) => entry.organization.id !== organization.id))
    yield* fileSystem.makeDirectory(dirname(path), { recursive: true, mode: 0o700 })
    // A rename is all or nothing: a reader never sees half a file, and the mode is right from its first byte.
    yield* fileSystem.remove(`${path}.new`, { force: true })
    yield* fileSystem.writeFileString(`${path}.new`, yield* Schema.encodeEffect(CredentialsFile)([...kept, ...fresh]), {
      mode: 0o600,
      flag: "wx"
    })
    yield* fileSystem.rename(`${path}.new`, path)
  })
  yield* write.pipe(
    Effect.mapError((error) => new StartupError({ message: `--credentials-file ${path}: ${error.message}` }))
  )
})
