import { ApiKeyCreate, ApiKeys, type CreatedApiKey, OrganizationId, ServiceId, Snapshots } from "@headgate/core"
import { type CreatedToken, decodeRequest, type OrganizationSummary, Tokens } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { StartupError } from "../StartupError.ts"

/** The first credentials of an organization. They are in no store: whoever sees them must keep them. */
export interface MintedCredentials {
  readonly organization: OrganizationSummary
  readonly key?: CreatedApiKey
  readonly token?: CreatedToken
}

/** An empty store gets one organization with one service, so that there is something to call. */
const ensureOrganization = Effect.fnUntraced(function* (id: Option.Option<OrganizationId>) {
  const snapshots = yield* Snapshots
  const random = yield* SecureRandom
  if ((yield* snapshots.organizations).length > 0) return
  yield* snapshots.import({
    organizations: [
      {
        id: Option.isSome(id) ? id.value : OrganizationId.make(yield* random.uuidV4()),
        name: "default",
        services: [{ id: ServiceId.make(yield* random.uuidV4()), name: "default" }]
      }
    ]
  })
})

const readKey = decodeRequest(ApiKeyCreate)

const mint = Effect.fnUntraced(function* (organization: OrganizationSummary) {
  const keys = yield* ApiKeys
  const tokens = yield* Tokens
  const minted: MintedCredentials = {
    organization,
    ...(organization.keys === 0
      ? { key: yield* keys.create(organization.id, yield* readKey({ name: "first admin key", roles: ["admin"] })) }
      : {}),
    ...(organization.tokens === 0 ? { token: yield* tokens.create(organization.id, "first token") } : {})
  }
  return minted
})

/**
 * Gives every organization that has no API key at all an admin key, and every one that has no bearer token a token, so
 * that a fresh store can be entered. An empty store gets an organization first: with an id of its own, unless it is to
 * stand for one that is elsewhere. Answers what was minted: shown once, stored only as hashes.
 */
export const mintCredentials = Effect.fnUntraced(function* (organization: Option.Option<OrganizationId>) {
  yield* ensureOrganization(organization)
  const snapshots = yield* Snapshots
  const organizations = yield* snapshots.organizations
  return yield* Effect.forEach(
    organizations.filter(({ keys, tokens }) => keys === 0 || tokens === 0),
    mint
  )
  // The store is ours and the requests are good: what fails here nobody can act on.
}, Effect.orDie)

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
