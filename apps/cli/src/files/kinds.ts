import { ApiKey, ApiKeyUpdate, Dashboard, DashboardCreate } from "@headgate/core"
import { configSchemas, decodeRequest } from "@headgate/core/adapter"
import { type Dialect, pipeCodec, pipeCreateCodec } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { DocumentError } from "../error/CommandError.ts"
import { elementsOf, isMembers, type Members, membersOf, without, withoutNulls } from "./members.ts"
import { withoutSecretFields } from "./pipeSecrets.ts"

/** The kinds of resources that a directory holds, in the order in which they are applied. */
export const resourceKinds = ["dashboard", "pipe", "key"] as const
export type ResourceKind = (typeof resourceKinds)[number]

/** The states of a pipe that `stopped: true` asks for, and those in which it can be started. */
export const downStates: ReadonlyArray<string> = ["Stopped", "Paused", "Stopping", "Pausing"]

/** The request that a file of each kind is, and the resource that the service answers with. */
const requestCodecs: {
  readonly [Kind in ResourceKind]: (dialect: Dialect) => Schema.Codec<object, unknown>
} = { dashboard: () => DashboardCreate, pipe: pipeCreateCodec, key: () => ApiKeyUpdate }

/** The schema that describes a file of each kind to an editor. */
export const fileSchemas: { readonly [Kind in ResourceKind]: (dialect: Dialect) => Schema.Constraint } = {
  ...requestCodecs,
  dashboard: ({ name }) => (name === "clickhouse" ? configSchemas.DashboardCreate : DashboardCreate)
}

const resourceCodecs: { readonly [Kind in ResourceKind]: (dialect: Dialect) => Schema.Codec<object, unknown> } = {
  dashboard: () => Dashboard,
  pipe: pipeCodec,
  key: () => ApiKey
}

/** What a document may have although a file does not keep it: the service sets it, or an editor reads it. */
const ignored: { readonly [Kind in ResourceKind]: ReadonlyArray<string> } = {
  dashboard: ["id", "createdAt", "updatedAt", "$schema"],
  pipe: ["id", "serviceId", "createdAt", "updatedAt", "$schema"],
  key: ["$schema"]
}

/** The fields of a request that a file of a pipe has no use for. */
const refused: Members = {
  state: "Expected none: the service sets it. Write stopped: true or stopped: false",
  startPaused: "Expected none: write stopped: true"
}

/** The lists of a dashboard whose elements have ids, which the service sets. */
export const listsWithIds = ["tiles", "filters"] as const

const withoutId = (value: unknown): unknown => (isMembers(value) ? without(value, ["id"]) : value)

const dashboardValue = (document: Members): Members => {
  const lists = listsWithIds.flatMap((name) =>
    Array.isArray(document[name]) ? [[name, elementsOf(document[name]).map(withoutId)]] : []
  )
  const value = withoutNulls({ ...without(document, ignored.dashboard), ...Object.fromEntries(lists) })
  return { tiles: [], tags: [], ...membersOf(value) }
}

const pipeValue = ({ destination, fieldMappings, name, scaling, settings, source, state }: Members): Members => {
  const isDown = downStates.some((down) => down === state)
  const readable = isMembers(source) ? withoutSecretFields(source) : source
  const stopped = isDown ? { stopped: true } : {}
  return membersOf(withoutNulls({ name, ...stopped, source: readable, destination, fieldMappings, scaling, settings }))
}

const keyValue = ({ assignedRoles, expireAt, ipAccessList, name, roles, state }: Members): Members => {
  const assigned = elementsOf(assignedRoles).filter(isMembers)
  const isCustom = assigned.some(({ roleType }) => roleType === "custom")
  const roleFields = isCustom ? { assignedRoleIds: assigned.map(({ roleId }) => roleId) } : { roles }
  return membersOf(withoutNulls({ name, state, ...roleFields, expireAt, ipAccessList }))
}

/** The document of a file for what a service answers: without ids, secrets, and what the service sets. */
export const fileValues: { readonly [Kind in ResourceKind]: (document: Members) => Members } = {
  dashboard: dashboardValue,
  pipe: pipeValue,
  key: keyValue
}

/** The JSON of what a service answers. */
export const encodeResource = (kind: ResourceKind, dialect: Dialect, resource: object) =>
  Effect.map(Effect.orDie(Schema.encodeEffect(resourceCodecs[kind](dialect))(resource)), membersOf)

const documentError = (issues: ReadonlyArray<{ readonly path: string; readonly message: string }>) =>
  new DocumentError({ message: issues.map(({ message, path }) => `${path}: ${message}`).join("; "), issues })

const issuesOf = (kind: ResourceKind, document: Members) => [
  ...Object.entries(kind === "pipe" ? refused : {}).flatMap(([path, message]) =>
    Object.hasOwn(document, path) ? [{ path, message: String(message) }] : []
  ),
  ...(kind === "pipe" && !["boolean", "undefined"].includes(typeof document["stopped"])
    ? [{ path: "stopped", message: "Expected true or false" }]
    : []),
  ...(document["name"] === undefined ? [{ path: "name", message: "Missing: it is required" }] : [])
]

/** Checks the document of a file, and returns it as it is compared: with the forms that the service answers with. */
export const readResource = Effect.fnUntraced(function* (kind: ResourceKind, dialect: Dialect, document: unknown) {
  if (!isMembers(document)) return yield* new DocumentError({ message: "Expected an object", issues: [] })
  const given = without(document, ignored[kind])
  const issues = issuesOf(kind, given)
  if (issues.length > 0) return yield* documentError(issues)
  const isPipe = kind === "pipe"
  const codec = requestCodecs[kind](dialect)
  const decoded = yield* Effect.mapError(
    decodeRequest(codec)(isPipe ? without(given, ["stopped"]) : given),
    ({ issues, message }) => new DocumentError({ message, issues })
  )
  const value = membersOf(yield* Effect.orDie(Schema.encodeEffect(codec)(decoded)))
  if (kind === "dashboard") return dashboardValue(value)
  const stopped: Members = isPipe && given["stopped"] !== undefined ? { stopped: given["stopped"] } : {}
  return { ...value, ...stopped }
})
