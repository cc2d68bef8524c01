import type { AccessList, Expiry, KeyState, PathOrganization, Place, Role } from "./dimensions.ts"

// Written from the text of DESIGN.md, section 4, and the seed, sections 5 and 9. It shares nothing with the rules of
// @headgate/core and nothing with the annotations of the contract: where they disagree, one of them is wrong.

/** What the server must answer. */
export type Expected = 200 | 400 | 401 | 403

/** What credentials are presented: of a key, of a token, or none that could be either. */
export type Presented =
  | { readonly kind: "nothing usable" }
  | {
      readonly kind: "key"
      readonly secretIsRight: boolean
      readonly roles: ReadonlyArray<Role>
      readonly state: KeyState
      readonly expiry: Expiry
      readonly list: AccessList
    }
  | { readonly kind: "token"; readonly isKnown: boolean }

/** A request, as far as its answer depends on it. */
export interface Situation {
  readonly operation: string
  readonly presented: Presented
  readonly place: Place
  /** `undefined` where the path names none. */
  readonly organization: PathOrganization | undefined
}

// "admin: all. developer: read pipes, keys, dashboards. query_endpoints: none of these (403)"
const readsOnly: Readonly<Record<string, boolean>> = {
  "pipe.get": true,
  "pipe.delete": false,
  "key.create": false
}

// "Management API: HTTP Basic. Observability API: Bearer."
const ofObservability = ["dashboard.create", "dashboard.list"]

const mayCall = (operation: string, roles: ReadonlyArray<Role>): boolean =>
  roles.includes("admin") || (roles.includes("developer") && readsOnly[operation] === true)

export const expected = ({ operation, organization, place, presented }: Situation): Expected => {
  if (ofObservability.includes(operation)) {
    // A token is the whole right to the dashboards of its organization, from any address; a key is no token.
    return presented.kind === "token" && presented.isKnown ? 200 : 401
  }
  if (readsOnly[operation] === undefined) throw new Error(`nobody has told this oracle who may call ${operation}`)
  if (presented.kind !== "key") return 401
  // Unknown, wrong, disabled and expired are one answer.
  if (!presented.secretIsRight || presented.state === "disabled" || presented.expiry.hasPassed) return 401
  // "Absent = any address. Present = only these, so [] = none."
  if (!presented.list.holds.includes(place)) return 403
  // "Organization in the path is not the key's: 403, the same whether it exists or not."
  if (organization === "another" || organization === "one that does not exist") return 403
  if (!mayCall(operation, presented.roles)) return 403
  // Credentials and rights are looked at before the path is.
  return organization === "no UUID" ? 400 : 200
}
