import { issueToken, OrganizationId } from "@headgate/core/access"
import { issueCredentials } from "@headgate/core/key"
import { ServiceId } from "@headgate/core/pipe"
import { type OrganizationSummary, Snapshots } from "@headgate/core/snapshot"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/** The first credentials of an organization. They are in no store: whoever sees them must keep them. */
export interface MintedCredentials {
  readonly organization: OrganizationSummary
  readonly keyId?: string
  readonly keySecret?: Redacted.Redacted
  readonly token?: Redacted.Redacted
}

/** An empty store gets one organization with one service, so that there is something to call. */
const ensureOrganization = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  const random = yield* SecureRandom
  if ((yield* snapshots.organizations).length > 0) return
  yield* snapshots.import({
    organizations: [
      {
        id: OrganizationId.make(yield* random.uuidV4()),
        name: "default",
        services: [{ id: ServiceId.make(yield* random.uuidV4()), name: "default" }]
      }
    ]
  })
})

const mint = Effect.fnUntraced(function* (organization: OrganizationSummary) {
  const snapshots = yield* Snapshots
  const key = organization.keys === 0 ? yield* issueCredentials : undefined
  const token = organization.tokens === 0 ? yield* issueToken : undefined
  yield* snapshots.import({
    organizations: [
      {
        id: organization.id,
        name: organization.name,
        keys: key === undefined ? [] : [{ name: "first admin key", roles: ["admin"], hashData: key.hashData }],
        tokens: token === undefined ? [] : [{ name: "first token", tokenHash: token.tokenHash }]
      }
    ]
  })
  const minted: MintedCredentials = {
    organization,
    ...(key === undefined ? {} : { keyId: key.keyId, keySecret: key.keySecret }),
    ...(token === undefined ? {} : { token: token.token })
  }
  return minted
})

/**
 * Gives every organization that has no API key at all an admin key, and every one that has no bearer token a token, so
 * that a fresh store can be entered. Answers what was minted: shown once, stored only as hashes.
 */
export const mintCredentials = Effect.gen(function* () {
  yield* ensureOrganization
  const snapshots = yield* Snapshots
  const organizations = yield* snapshots.organizations
  return yield* Effect.forEach(
    organizations.filter(({ keys, tokens }) => keys === 0 || tokens === 0),
    mint
  )
}).pipe(
  // The store is ours and ids are fresh: a contradiction here is a bug, not something a caller can act on.
  Effect.catchTag("InvalidRequest", Effect.die)
)
