import type { AccessList, Expiry, KeyState, PathOrganization, Place, Role } from "./dimensions.ts"

// Written from the contract's decisions. It shares nothing with the rules of @headgate/core and the operation tables: where
// they disagree, one of them is wrong.

export type Expected = 200 | 400 | 401 | 403 | 404 | 409 | 424

/** A key, as far as a status depends on it. */
export interface KeyProperties {
  readonly roles: ReadonlyArray<Role>
  readonly state: KeyState
  readonly expiry: Expiry
  readonly list: AccessList
}

/** What an Authorization header amounts to. */
export type Credentials =
  | { readonly kind: "unusable" }
  | ({ readonly kind: "key"; readonly isSecretRight: boolean } & KeyProperties)
  | { readonly kind: "token"; readonly isKnown: boolean }
  /** A session of the console, and its key as it is now. */
  | ({ readonly kind: "session"; readonly isKnown: boolean } & KeyProperties)

/** A request, as far as its status depends on it. */
export interface Situation {
  readonly operation: string
  readonly credentials: Credentials
  readonly place: Place
  /** `undefined` if the path has none. */
  readonly organization: PathOrganization | undefined
}

type Who = "every key" | "developer" | "admin" | "token"

/** Who may call an operation, what it then answers, and for an operation of tokens the role that the key of a session needs. */
type Right = readonly [who: Who, answer: Expected, session?: "developer" | "admin"]

/** A read of a resource that is there. */
const read: Right = ["developer", 200]
const readMissing: Right = ["developer", 404]
const write: Right = ["admin", 200]
const writeMissing: Right = ["admin", 404]
const refused: Right = ["admin", 409]

/** Documents of the observability API. The ids in the paths are those of none. */
const ofToken = (noun: string): Readonly<Record<string, Right>> => ({
  [`${noun}.create`]: ["token", 200, "admin"],
  [`${noun}.list`]: ["token", 200, "developer"],
  [`${noun}.get`]: ["token", 404, "developer"],
  [`${noun}.update`]: ["token", 404, "admin"],
  [`${noun}.delete`]: ["token", 404, "admin"]
})

/** The same documents below a service of the management API. */
const belowService = (noun: string): Readonly<Record<string, Right>> => ({
  [`${noun}.create`]: write,
  [`${noun}.list`]: read,
  [`${noun}.get`]: readMissing,
  [`${noun}.update`]: writeMissing,
  [`${noun}.delete`]: writeMissing
})

const charts = (noun: string, who: Who): Readonly<Record<string, Right>> => ({
  [`${noun}.query`]: [who, 424, "admin"],
  [`${noun}.series`]: [who, 424, "admin"],
  [`${noun}.search`]: [who, 424, "admin"]
})

// "Every valid key, also without roles: read its own organization. developer: every read but that of rows, schema discovery and validation.
// admin: everything. query_endpoints: no more than a key without roles. A bearer token: the whole observability API."
const rights: Readonly<Record<string, Right>> = {
  "organization.list": ["every key", 200],
  "organization.get": ["every key", 200],
  "organization.whoami": ["every key", 200],
  // A session makes neither.
  "console.createSession": ["every key", 200],
  "console.createCode": ["every key", 200],
  "service.list": read,
  "service.get": read,
  "service.setState": write,
  "cdcScaling.get": read,
  "cdcScaling.update": write,
  "endpoint.list": read,
  "endpoint.get": readMissing,
  "endpoint.create": write,
  "endpoint.update": writeMissing,
  "endpoint.delete": writeMissing,
  "pipe.list": read,
  "pipe.get": read,
  "pipe.create": write,
  "pipe.update": write,
  "pipe.discoverSchema": read,
  "pipe.delete": write,
  "pipe.setState": write,
  // The pipe in the path is simulated.
  "pipe.resume": refused,
  // The server has no warehouse.
  "pipe.adopt": refused,
  "pipe.scale": write,
  "pipe.settings": read,
  "pipe.updateSettings": write,
  "pipe.status": read,
  "pipe.statuses": read,
  "pipe.events": read,
  // Rows are data: admin keys alone.
  "pipe.errors": write,
  "pipe.history": read,
  "pipe.context": read,
  "key.list": read,
  "key.get": read,
  "key.create": write,
  // The key in the path is the caller's own.
  "key.update": write,
  "key.delete": refused,
  "key.update, disables itself": refused,
  "key.update, drops its roles": refused,
  "role.list": read,
  "role.get": read,
  "role.create": write,
  // The role in the path is a system role.
  "role.update": refused,
  "role.delete": refused,
  ...belowService("serviceDashboard"),
  "serviceDashboard.validate": read,
  ...belowService("serviceSource"),
  ...belowService("serviceSavedSearch"),
  ...belowService("serviceWebhook"),
  // The webhook in the path is there.
  "serviceWebhook.get": read,
  "serviceWebhook.validate": read,
  ...belowService("serviceAlert"),
  ...belowService("dashboardRole"),
  // Rows are data: admin keys alone.
  ...charts("serviceChart", "admin"),
  ...ofToken("dashboard"),
  "dashboard.validate": ["token", 200, "developer"],
  ...ofToken("connection"),
  ...ofToken("source"),
  ...ofToken("savedSearch"),
  ...ofToken("webhook"),
  "webhook.get": ["token", 200, "developer"],
  "webhook.validate": ["token", 200, "developer"],
  ...ofToken("alert"),
  // A token that was granted it. The server queries nothing.
  ...charts("chart", "token")
}

/** Whether a caller who reads a webhook sees its `url`: "admin keys, their sessions and tokens alone". */
export const seesUrl = (credentials: Credentials): boolean =>
  credentials.kind === "token" || (credentials.kind !== "unusable" && credentials.roles.includes("admin"))

const rightOf = (operation: string): Right => {
  const right = rights[operation]
  if (right === undefined) throw new Error(`the oracle does not know who may call ${operation}`)
  return right
}

/** What an operation answers to a caller who may call it. */
export const answerWhenAllowed = (operation: string): Expected => rightOf(operation)[1]

/** What keeps a key out of every operation, from a place; `undefined` if nothing does. */
const refusalOf = ({ expiry, list, state }: KeyProperties, place: Place): 401 | 403 | undefined => {
  // Unknown, wrong, disabled and expired are one answer.
  if (state === "disabled" || expiry.hasPassed) return 401
  // "Absent = any address. Present = only these, so [] = none."
  return list.allows.includes(place) ? undefined : 403
}

export const expectedStatus = ({ credentials, operation, organization, place }: Situation): Expected => {
  const [who, answer, session = "admin"] = rightOf(operation)
  if (credentials.kind === "unusable") return 401
  if (credentials.kind === "token") {
    // A token gives full access to the observability API of its organization, from any address; a key is not a token.
    return who === "token" && credentials.isKnown ? answer : 401
  }
  const isSession = credentials.kind === "session"
  if (!(isSession ? credentials.isKnown : credentials.isSecretRight && who !== "token")) return 401
  const refusal = refusalOf(credentials, place)
  if (refusal !== undefined) return refusal
  // "Organization in the path is not the key's: 403, the same whether it exists or not."
  if (organization === "another" || organization === "one that does not exist") return 403
  // "A session makes no sessions and no codes."
  if (isSession && operation.startsWith("console.")) return 403
  const needed = who === "token" ? session : who
  const { roles } = credentials
  const may =
    needed === "every key" || roles.includes("admin") || (needed === "developer" && roles.includes("developer"))
  if (!may) return 403
  // Credentials and rights are checked before the path.
  return organization === "no UUID" ? 400 : answer
}
