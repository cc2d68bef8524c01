import { parseJson } from "@headgate/harness/JsonClient"
import { authorizationOf } from "@headgate/harness/Snapshot"
import { type WireAnswer, WireConnection } from "@headgate/harness/WireConnection"
import { jsonOf } from "@headgate/harness/answerShape"
import { bodyOf, type Draft, pathOfTarget } from "./Draft.ts"
import type { Json, Target } from "./requests.ts"

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const without = (record: Json, ...names: ReadonlyArray<string>): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))

const deepest = 500

/** JSON as text that does not depend on the order of fields. It stops at a depth that no server accepts. */
const canonical = (value: unknown, depth = 0): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined"
  if (depth === deepest) return "(deeper)"
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field, depth + 1)}`).join()}}`
}

const sentDocument = (draft: Draft): Json | undefined => {
  if (draft.headers.some(([name]) => name === "content-encoding")) return undefined
  const document = parseJson(bodyOf(draft)?.toString("utf8") ?? "")
  return isJson(document) ? document : undefined
}

const difference = (what: string, sent: unknown, answered: unknown): ReadonlyArray<string> =>
  canonical(sent) === canonical(answered)
    ? []
    : [`${what} was sent as ${canonical(sent)}, answered as ${canonical(answered)}`]

const keyDifferences = (sent: Json, key: Json): ReadonlyArray<string> => {
  const { expireAt, ipAccessList, name, roles, state } = sent
  const expected = {
    name,
    state: state ?? "enabled",
    roles: Array.from(new Set(listOf(roles))),
    expireAt: expireAt === "" ? undefined : (expireAt ?? undefined),
    ipAccessList
  }
  return Object.entries(expected).flatMap(([field, value]) => difference(`the key's ${field}`, value, key[field]))
}

const dashboardDifferences = (sent: Json, dashboard: Json): ReadonlyArray<string> => {
  const withoutId = (tile: unknown) => (isJson(tile) ? without(tile, "id") : tile)
  const assigned = ["id", "tiles", "tags"]
  return [
    ...difference("the dashboard", without(sent, ...assigned), without(dashboard, ...assigned)),
    ...difference("tags", Array.from(new Set(listOf(sent["tags"]))), dashboard["tags"]),
    ...difference("tiles", listOf(sent["tiles"]).map(withoutId), listOf(dashboard["tiles"]).map(withoutId))
  ]
}

interface Kind {
  /** The list of all resources, or the one resource, behind `/v1/organizations/:id` or `/api/v2`. */
  readonly path: (target: Target) => string
  /** Fields that change without a caller. */
  readonly moving: ReadonlyArray<string>
}

const inService = (rest: string) => (target: Target) =>
  `/v1/organizations/${target.id}/services/${target.serviceId}/${rest}`
const inOrganization = (rest: string) => (target: Target) => `/v1/organizations/${target.id}/${rest}`

// `updatedAt` and `settings` of a pipe: a change of its settings answers the settings alone.
const kinds: Readonly<Record<string, Kind>> = {
  pipe: { path: inService("dbpipes"), moving: ["state", "updatedAt", "settings"] },
  endpoint: { path: inService("dbpipesReversePrivateEndpoints"), moving: ["status"] },
  size: { path: inService("dbpipesCdcScaling"), moving: [] },
  key: { path: inOrganization("keys"), moving: ["usedAt", "assignedRoles"] },
  role: { path: inOrganization("roles"), moving: [] },
  dashboard: { path: () => "/api/v2/dashboards", moving: [] },
  connection: { path: () => "/api/v2/connections", moving: [] },
  source: { path: () => "/api/v2/sources", moving: [] },
  savedSearch: { path: () => "/api/v2/saved-searches", moving: [] },
  webhook: { path: () => "/api/v2/webhooks", moving: [] },
  alert: { path: () => "/api/v2/alerts", moving: [] },
  dashboardRole: { path: inService("dbstack/roles"), moving: [] }
}

/** The kind by the segment of the path that names its list; below a service `roles` is another list. */
const segments: Readonly<Record<string, string>> = {
  dbpipes: "pipe",
  dbpipesreverseprivateendpoints: "endpoint",
  dbpipescdcscaling: "size",
  keys: "key",
  roles: "role",
  "dbstack/roles": "dashboardRole",
  dashboards: "dashboard",
  connections: "connection",
  sources: "source",
  "saved-searches": "savedSearch",
  webhooks: "webhook",
  alerts: "alert"
}

/** What a path names: a kind of resource, the id of one, and what of it. */
const named = (target: string) => {
  const path = pathOfTarget(target).replace(/%[0-7][0-9a-f]/gi, decodeURIComponent)
  const parts = path.toLowerCase().split("/")
  const at = parts.findIndex((part) => segments[part] !== undefined)
  const kind = segments[parts.slice(at - 1, at + 1).join("/")] ?? segments[parts[at] ?? ""]
  return { kind, id: parts[at + 1] ?? "", rest: parts[at + 2] ?? "" }
}

const contentOf = (kind: string, document: Json): string => canonical(without(document, ...(kinds[kind]?.moving ?? [])))

type Stored = ReadonlyMap<string, ReadonlyMap<string, string>>

/** What an organization holds, by kind and id. */
export const storedOf = async (url: string, target: Target): Promise<Stored> => {
  const connection = new WireConnection({ url })
  const authorization = authorizationOf(target)
  const stored = new Map<string, ReadonlyMap<string, string>>()
  for (const [kind, { path }] of Object.entries(kinds)) {
    const at = path(target)
    const api = at.startsWith("/v1") ? "management" : "observability"
    const answer = await connection.send({ method: "GET", path: at, authorization: authorization[api] })
    const body = jsonOf(answer)
    const found: unknown = body?.result ?? body?.data
    const documents = Array.isArray(found) ? found : [found]
    if (answer.status !== 200) throw new Error(`${at} is answered with ${answer.status}`)
    stored.set(kind, new Map(documents.map((one) => [String(one.id ?? kind), contentOf(kind, one)])))
  }
  connection.close()
  return stored
}

/** The changes that the server acknowledged for one organization. */
export class Acknowledged {
  /** The contents that a resource may have: of changes at once any may be the last. */
  private readonly contents = new Map<string, Map<string, Set<string>>>()
  private readonly changed = new Set<string>()
  private readonly deleted = new Set<string>()
  /** How many changes of each kind there were. */
  readonly counts = new Map<string, number>()
  /** Acknowledged changes that differ from the request. */
  readonly differences: Array<string> = []

  constructor(before: Stored) {
    for (const [kind, documents] of before) {
      this.contents.set(kind, new Map(Array.from(documents, ([id, content]) => [id, new Set([content])])))
    }
  }

  /** Notes a success. */
  add(draft: Draft, answer: WireAnswer): void {
    const { id, kind, rest } = named(draft.target)
    const { method } = draft
    if (answer.status !== 200 || kind === undefined || !["POST", "PUT", "PATCH", "DELETE"].includes(method)) return
    if (id === "validate" || id === "schemadiscovery" || rest === "settings") return
    const known = this.contents.get(kind)
    const count = (what: string) => this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
    if (method === "DELETE") {
      this.deleted.add(`${kind} ${id}`)
      count("deletions")
      return
    }
    const body = jsonOf(answer)
    const result: unknown = body?.result ?? body?.data
    // The creation of a key answers its secret beside it. Elsewhere `key` is a field that the request made up.
    const document = kind === "key" && isJson(result) && isJson(result["key"]) ? result["key"] : result
    if (!isJson(document)) return
    const documentId = String(document["id"] ?? kind)
    const content = contentOf(kind, document)
    if (method === "POST") {
      if (known?.has(documentId) === true) this.differences.push(`a creation answered the id of another ${kind}`)
      known?.set(documentId, new Set([content]))
      count(`${kind} creations`)
      const sent = sentDocument(draft)
      if (sent !== undefined && kind === "key") this.differences.push(...keyDifferences(sent, document))
      if (sent !== undefined && kind === "dashboard") this.differences.push(...dashboardDifferences(sent, document))
      return
    }
    // The first change replaces what was there before.
    const name = `${kind} ${documentId}`
    if (this.changed.has(name)) known?.get(documentId)?.add(content)
    else known?.set(documentId, new Set([content]))
    this.changed.add(name)
    count("changes")
  }

  /** Whether an alert may have gone with what it watches: a saved search, a dashboard, or a tile that a change of it left out. */
  private mayHaveGone(contents: ReadonlySet<string> = new Set()): boolean {
    return Array.from(contents).some((content) => {
      const document = parseJson(content)
      if (!isJson(document)) return false
      const { dashboardId, savedSearchId } = document
      return (
        this.deleted.has(`savedSearch ${String(savedSearchId)}`) ||
        this.deleted.has(`dashboard ${String(dashboardId)}`) ||
        this.changed.has(`dashboard ${String(dashboardId)}`)
      )
    })
  }

  /** How what is stored differs from what was acknowledged. */
  differencesFrom(stored: Stored): ReadonlyArray<string> {
    // A resource can be deleted before the answer to its creation is read.
    const known = Array.from(this.contents).flatMap(([kind, documents]) =>
      Array.from(documents.keys(), (id) => `${kind} ${id}`)
    )
    const neverCreated = Array.from(this.deleted)
      .filter((name) => !known.includes(name))
      .map((name) => `acknowledged as deleted, but never created: ${name}`)
    const differences = Array.from(stored).flatMap(([kind, found]) => {
      const promised = this.contents.get(kind) ?? new Map<string, Set<string>>()
      const wrong = Array.from(found).flatMap(([id, content]) => {
        const possible = promised.get(id)
        if (possible === undefined) return [`stored, but not acknowledged: ${kind} ${excerpt(content)}`]
        if (this.deleted.has(`${kind} ${id}`)) return [`acknowledged as deleted, but stored: ${kind} ${id}`]
        if (possible.has(content)) return []
        const acknowledged = Array.from(possible, excerpt).join(" or ")
        return [`${kind} was acknowledged as ${acknowledged}, stored as ${excerpt(content)}`]
      })
      const lost = Array.from(promised.keys())
        .filter((id) => !found.has(id) && !this.deleted.has(`${kind} ${id}`) && !this.mayHaveGone(promised.get(id)))
        .map((id) => `acknowledged, but not stored: ${kind} ${id}`)
      return [...wrong, ...lost]
    })
    return [...neverCreated, ...differences]
  }
}

const excerpt = (text: string) => (text.length > 400 ? `${text.slice(0, 400)}...` : text)
