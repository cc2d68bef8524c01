import { type CreatedToken, OrganizationId, Tokens } from "@headgate/core/access"
import { decodeRequest } from "@headgate/core/error"
import { ApiKeyCreate, ApiKeys, type CreatedApiKey } from "@headgate/core/key"
import { ServiceId } from "@headgate/core/pipe"
import { type OrganizationSummary, Snapshots } from "@headgate/core/snapshot"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

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
