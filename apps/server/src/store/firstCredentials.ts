import { readFailure } from "@headgate/command-line"
import { ApiKeyCreate, ApiKeys, type CreatedApiKey, OrganizationId, ServiceId, Snapshots } from "@headgate/core"
import { type CreatedToken, decodeRequest, type OrganizationSummary, Tokens } from "@headgate/core/adapter"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { StartupError } from "../StartupError.ts"
import { StoreLock } from "./StoreLock.ts"
import { accessProblem } from "./accessProblem.ts"
import { unlimited } from "./openStore.ts"

/** The first credentials of an organization. The secrets are stored only as hashes: they can be shown once. */
export interface FirstCredentials {
  readonly organization: OrganizationSummary
  readonly key?: CreatedApiKey
  readonly token?: CreatedToken
}

/**
 * Creates an organization in an empty store: with one service, or for a gateway with nothing but the id of the upstream's,
 * because the upstream alone knows its name and its services.
 */
const ensureOrganization = Effect.fnUntraced(function* (id: Option.Option<OrganizationId>) {
  const snapshots = yield* Snapshots
  const random = yield* SecureRandom
  if ((yield* snapshots.organizations).length > 0) return
  const organization = Option.isSome(id)
    ? { id: id.value, name: "" }
    : {
        id: OrganizationId.make(yield* random.uuidV4()),
        name: "default",
        services: [{ id: ServiceId.make(yield* random.uuidV4()), name: "default" }]
      }
  yield* snapshots.import({ organizations: [organization] })
})

const readKey = decodeRequest(ApiKeyCreate)

const createFor = Effect.fnUntraced(
  function* (organization: OrganizationSummary) {
    const keys = yield* ApiKeys
    const tokens = yield* Tokens
    const created: FirstCredentials = {
      organization,
      ...(organization.keys === 0
        ? {
            key: yield* keys.create(
              { organizationId: organization.id },
              yield* readKey({ name: "first admin key", roles: ["admin"] })
            )
          }
        : {}),
      ...(organization.tokens === 0 ? { token: yield* tokens.create(organization.id, "first token") } : {})
    }
    return created
    // No caller can act on a failure of these requests: they are fixed, and the store is open. An import may hold more than
    // the limits allow.
  },
  Effect.provide(unlimited),
  Effect.orDie
)

/**
 * Creates an admin key for every organization without API keys, and a token for every organization without tokens.
 * Creates an organization first if the store has none, with the id `organization` or a random one. Runs `check` before it
 * creates credentials. Returns what was created. Servers that start at the same time over one Postgres create once; a SQLite
 * database is for one server.
 */
export const createFirstCredentials = Effect.fnUntraced(function* <E, R>(
  organization: Option.Option<OrganizationId>,
  check: Effect.Effect<void, E, R>
) {
  const createAlone = yield* StoreLock
  const create = Effect.gen(function* () {
    yield* Effect.orDie(ensureOrganization(organization))
    const snapshots = yield* Snapshots
    const lacking = (yield* snapshots.organizations).filter(({ keys, tokens }) => keys === 0 || tokens === 0)
    if (lacking.length > 0) yield* check
    return yield* Effect.forEach(lacking, createFor)
  })
  return yield* createAlone(create)
})

const StoredCredentials = Schema.Struct({
  organization: Schema.Struct({ id: Schema.String, name: Schema.optionalKey(Schema.String) }),
  services: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String })),
  keyId: Schema.optionalKey(Schema.String),
  keySecret: Schema.optionalKey(Schema.String),
  token: Schema.optionalKey(Schema.String)
})

/** The document of `--credentials-file`: one entry for each organization that got first credentials. */
const CredentialsFile = Schema.fromJsonString(Schema.Array(StoredCredentials))
type StoredCredentials = typeof StoredCredentials.Type

const toStored = ({ key, organization, token }: FirstCredentials): StoredCredentials => ({
  organization: { id: organization.id, ...(organization.name === "" ? {} : { name: organization.name }) },
  services: organization.services,
  ...(key?.keyId === undefined ? {} : { keyId: key.keyId }),
  ...(key?.keySecret === undefined ? {} : { keySecret: Redacted.value(key.keySecret) }),
  ...(token === undefined ? {} : { token: Redacted.value(token.secret) })
})

// Those of 10,000 organizations have 4 MB.
const maxFileBytes = 64 * 1024 * 1024

/** The text of a file. A device may have no end. */
const readFile = Effect.fnUntraced(function* (path: string) {
  const fileSystem = yield* FileSystem.FileSystem
  const { size, type } = yield* fileSystem.stat(path)
  return type === "File" && size <= maxFileBytes ? yield* fileSystem.readFileString(path) : yield* new NoFile()
})

/** The path names something else than a file, or one that is too large. */
class NoFile extends Data.TaggedError("NoFile") {}

/**
 * Writes the entries of `credentials` beside the file, and those of other organizations that the file already holds. A
 * rename then makes it the file: a reader never sees half of it, and the mode is right from the first byte.
 */
const writeBeside = Effect.fnUntraced(function* (path: string, credentials: ReadonlyArray<FirstCredentials>) {
  const fileSystem = yield* FileSystem.FileSystem
  const { dirname } = yield* Path.Path
  const fresh = credentials.map(toStored)
  const known = (yield* fileSystem.exists(path))
    ? yield* Effect.flatMap(readFile(path), Schema.decodeEffect(CredentialsFile))
    : []
  const kept = known.filter(({ organization }) => fresh.every((entry) => entry.organization.id !== organization.id))
  yield* fileSystem.makeDirectory(dirname(path), { recursive: true, mode: 0o700 })
  yield* fileSystem.remove(`${path}.new`, { force: true })
  yield* fileSystem.writeFileString(`${path}.new`, yield* Schema.encodeEffect(CredentialsFile)([...kept, ...fresh]), {
    mode: 0o600,
    flag: "wx"
  })
})

const reasonOf = (error: NoFile | PlatformError | Schema.SchemaError): string => {
  if (error._tag === "NoFile") return `Expected a file, or none yet: name another`
  return error._tag === "SchemaError"
    ? "the file holds something else than credentials: name another file"
    : readFailure(error)
}

const failure = (path: string) => (error: NoFile | PlatformError | Schema.SchemaError) =>
  new StartupError({ message: `--credentials-file ${path}: ${accessProblem(path, "writes") ?? reasonOf(error)}` })

/** Fails if {@link writeCredentialsFile} would: nobody has seen the credentials that it cannot write. */
export const checkCredentialsFile = Effect.fn("checkCredentialsFile")(function* (path: string) {
  const fileSystem = yield* FileSystem.FileSystem
  yield* Effect.mapError(Effect.andThen(writeBeside(path, []), fileSystem.remove(`${path}.new`)), failure(path))
})

/**
 * Writes credentials to a file that only its owner may read (0600). Keeps the entries of other organizations that the file
 * already holds. This is the only place where the server writes a secret to disk.
 */
export const writeCredentialsFile = Effect.fn("writeCredentialsFile")(function* (
  path: string,
  credentials: ReadonlyArray<FirstCredentials>
) {
  const fileSystem = yield* FileSystem.FileSystem
  yield* Effect.mapError(
    Effect.andThen(writeBeside(path, credentials), fileSystem.rename(`${path}.new`, path)),
    failure(path)
  )
})
