import type { AccessList, Expiry, KeyState, PathOrganization, Place, Role } from "./dimensions.ts"

// Written from the contract's decisions. It shares nothing with the rules of @headgate/core and the operation tables: where
// they disagree, one of them is wrong.

export type Expected = 200 | 400 | 401 | 403 | 404

/** What an Authorization header amounts to. */
export type Credentials =
  | { readonly kind: "unusable" }
  | {
      readonly kind: "key"
      readonly isSecretRight: boolean
      readonly roles: ReadonlyArray<Role>
      readonly state: KeyState
      readonly expiry: Expiry
      readonly list: AccessList
    }
  | { readonly kind: "token"; readonly isKnown: boolean }

/** A request, as far as its status depends on it. */
export interface Situation {
  readonly operation: string
  readonly credentials: Credentials
  readonly place: Place
  /** `undefined` if the path has none. */
  readonly organization: PathOrganization | undefined
}

// "admin: all. developer: read pipes, keys, dashboards. query_endpoints: none of these (403)"
const readsOnly: Readonly<Record<string, boolean>> = {
  "pipe.list": true,
  "pipe.get": true,
  "pipe.delete": false,
  "key.create": false,
  "serviceDashboard.create": false,
  "serviceDashboard.list": true,
  "serviceDashboard.validate": true,
  "serviceDashboard.get": true,
  "serviceDashboard.update": false,
  "serviceDashboard.delete": false
}

// The id in these paths is that of no dashboard.
const ofOneDashboard = ["get", "update", "delete"].flatMap((name) =>
  ["dashboard", "serviceDashboard", "connection", "source"].map((noun) => `${noun}.${name}`)
)

export const expectedStatus = ({ credentials, operation, organization, place }: Situation): Expected => {
  const found = ofOneDashboard.includes(operation) ? 404 : 200
  if (/^(?:dashboard|connection|source)\./.test(operation)) {
    // A token gives full access to the dashboards, connections and sources of its organization, from any address; a key is not a token.
    return credentials.kind === "token" && credentials.isKnown ? found : 401
  }
  const isRead = readsOnly[operation]
  if (isRead === undefined) throw new Error(`the oracle does not know who may call ${operation}`)
  if (credentials.kind !== "key") return 401
  const { expiry, isSecretRight, list, roles, state } = credentials
  // Unknown, wrong, disabled and expired are one answer.
  if (!isSecretRight || state === "disabled" || expiry.hasPassed) return 401
  // "Absent = any address. Present = only these, so [] = none."
  if (!list.allows.includes(place)) return 403
  // "Organization in the path is not the key's: 403, the same whether it exists or not."
  if (organization === "another" || organization === "one that does not exist") return 403
  if (!roles.includes("admin") && !(roles.includes("developer") && isRead)) return 403
  // Credentials and rights are checked before the path.
  return organization === "no UUID" ? 400 : found
}
