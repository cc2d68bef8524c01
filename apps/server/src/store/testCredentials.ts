import { OrganizationId, ServiceId, type Snapshot, Snapshots } from "@headgate/core"
import { TokenGrant } from "@headgate/core/adapter"
import { type CredentialKind, SqlCredentialKind } from "@headgate/sql-adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { hash } from "node:crypto"
import { StartupError } from "../StartupError.ts"

/** The credentials of `--test-credentials`. Everybody knows them: `docs/testing-your-client.md` has them. */
export const testCredentials = {
  organizationId: OrganizationId.make("7e570000-0000-4000-8000-000000000001"),
  serviceId: ServiceId.make("7e570000-0000-4000-8000-000000000002"),
  keyId: "headgateTestAdminKey",
  keySecret: "hgs_publishedForTestsOnlyNotForProduction000",
  token: "hgt_publishedForTestsOnlyNotForProduction000"
}

const digest = (text: string): string => hash("sha256", text, "base64")

const { keyId, keySecret, organizationId, serviceId, token } = testCredentials
const hashData = { keyIdHash: digest(keyId), keyIdSuffix: keyId.slice(-4), keySecretHash: digest(keySecret) }
const tokenHash = digest(token)

const snapshot: Snapshot = {
  organizations: [
    {
      id: organizationId,
      name: "test",
      services: [{ id: serviceId, name: "test" }],
      keys: [{ name: "test admin key", roles: ["admin"], hashData }],
      tokens: [{ name: "test token", tokenHash, grants: TokenGrant.literals }]
    }
  ]
}

/** Adds the test credentials, with their organization and its service, to a store that lacks them. */
export const addTestCredentials = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  // The document is fixed. An organization or a service of these ids keeps what it has.
  yield* Effect.orDie(snapshots.import(snapshot))
})

/** The paths at which a snapshot has a test credential: anybody could sign in to a store that takes it. */
export const testCredentialPaths = ({ organizations }: Snapshot): ReadonlyArray<string> =>
  organizations.flatMap(({ keys = [], tokens = [] }, at) => [
    ...keys.flatMap((key, index) =>
      key.hashData.keyIdHash === hashData.keyIdHash ? [`organizations[${at}].keys[${index}]`] : []
    ),
    ...tokens.flatMap((token, index) =>
      token.tokenHash === tokenHash ? [`organizations[${at}].tokens[${index}]`] : []
    )
  ])

/** Whether this server takes the test credentials, for `/readyz`. */
export const TakesTestCredentials = Context.Reference<boolean>("headgate-server/store/TakesTestCredentials", {
  defaultValue: () => false
})

/** Keeps which credentials a store takes. A store in memory is always new. */
const StoredCredentialKind = Context.Reference<{
  readonly keep: (wanted: CredentialKind) => Effect.Effect<CredentialKind>
  readonly forget: (kind: CredentialKind) => Effect.Effect<void>
}>("headgate-server/store/StoredCredentialKind", {
  defaultValue: () => ({ keep: Effect.succeed, forget: () => Effect.void })
})

/** In the database. An outage is a defect. */
export const sqlCredentialKind = Layer.effect(
  StoredCredentialKind,
  Effect.map(SqlClient, (sql) => ({
    keep: (wanted: CredentialKind) =>
      Effect.orDie(Effect.provideService(SqlCredentialKind.keep(wanted), SqlClient, sql)),
    forget: (kind: CredentialKind) =>
      Effect.orDie(Effect.provideService(SqlCredentialKind.forget(kind), SqlClient, sql))
  }))
)

/**
 * Prepares a store. Fails before that if it takes the test credentials and the server was not told so, or the other way round. If the
 * first start over a SQLite database fails, the next one may be told otherwise.
 */
export const prepareForKind = Effect.fnUntraced(function* <A, E, R>(
  wantsTest: boolean,
  prepare: Effect.Effect<A, E, R>
) {
  const { forget, keep } = yield* StoredCredentialKind
  const wanted = wantsTest ? "test" : "own"
  if ((yield* keep(wanted)) === wanted) return yield* Effect.onError(prepare, () => forget(wanted))
  return yield* new StartupError({
    message: wantsTest
      ? "the store was not made with --test-credentials, with which anybody could sign in to it: pass --memory, or name a store that is not there yet"
      : "the store was made with --test-credentials, which everybody knows: pass the flag again, or name another store"
  })
})
