import { parseJson } from "@headgate/harness/JsonClient"
import { authorizationOf, dashboardsPath, keysPath, pipePath } from "@headgate/harness/Snapshot"
import { type WireAnswer, WireConnection } from "@headgate/harness/WireConnection"
import { jsonOf } from "@headgate/harness/answerShape"
import { bodyOf, type Draft } from "./Draft.ts"
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
    roles,
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

/** The changes that the server acknowledged for one organization. */
export class Acknowledged {
  readonly keys = new Map<string, Json>()
  readonly dashboards = new Map<string, Json>()
  readonly deletedPipes = new Set<string>()
  /** Acknowledged changes that differ from the request. */
  readonly differences: Array<string> = []

  /** Notes a success. */
  add({ pipes }: Target, draft: Draft, answer: WireAnswer): void {
    const body = jsonOf(answer)
    if (answer.status !== 200 || !isJson(body)) return
    const { data, result } = body
    const sent = sentDocument(draft)
    if (isJson(result) && isJson(result["key"])) {
      this.keys.set(String(result["key"]["id"]), result["key"])
      if (sent !== undefined) this.differences.push(...keyDifferences(sent, result["key"]))
    } else if (isJson(data)) {
      this.dashboards.set(String(data["id"]), data)
      if (sent !== undefined) this.differences.push(...dashboardDifferences(sent, data))
    } else if (result === undefined && data === undefined) {
      const path = draft.target.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent).toLowerCase()
      const pipe = pipes.find(({ id }) => path.includes(id))
      if (pipe === undefined) this.differences.push(`a deletion of an unknown pipe was acknowledged: ${draft.target}`)
      else this.deletedPipes.add(pipe.id)
    }
  }
}

const excerpt = (text: string) => (text.length > 400 ? `${text.slice(0, 400)}...` : text)

/** Documents that are stored and not acknowledged, the reverse, and those that differ. */
const compareStored = (
  what: string,
  acknowledged: Iterable<Json>,
  stored: Iterable<Json>,
  contentOf: (document: Json) => string = canonical
): ReadonlyArray<string> => {
  const byId = (documents: Iterable<Json>) =>
    new Map(Array.from(documents, (document) => [String(document["id"]), contentOf(document)] as const))
  const [promised, found] = [byId(acknowledged), byId(stored)]
  return [
    ...Array.from(found).flatMap(([id, content]) => {
      const expected = promised.get(id)
      if (expected === undefined) return [`stored, but not acknowledged: ${what} ${excerpt(content)}`]
      if (expected === content) return []
      return [`${what} was acknowledged as ${excerpt(expected)}, stored as ${excerpt(content)}`]
    }),
    ...Array.from(promised.keys())
      .filter((id) => !found.has(id))
      .map((id) => `acknowledged, but not stored: ${what} ${id}`)
  ]
}

// Every organization has an admin key; the limit is 100 (contract: section 8).
const freeKeys = 99

/**
 * How the store of a running server differs from what it acknowledged: dashboards by their list, pipes one by one, and keys
 * by their limit, because no operation lists them: exactly as many more must be accepted as are left of 100.
 */
export const differencesOverHttp = async (
  url: string,
  target: Target,
  { dashboards, deletedPipes, keys }: Acknowledged
): Promise<ReadonlyArray<string>> => {
  const connection = new WireConnection({ url })
  const { management, observability } = authorizationOf(target)
  const list = await connection.send({ method: "GET", path: dashboardsPath, authorization: observability })
  const differences = [...compareStored("dashboard", dashboards.values(), jsonOf(list).data)]
  for (const { id } of target.pipes) {
    const { status } = await connection.send({ method: "GET", path: pipePath(target, id), authorization: management })
    const expected = deletedPipes.has(id) ? 404 : 200
    if (status !== expected) differences.push(`pipe ${id} is answered with ${status}, not ${expected}`)
  }
  const left = freeKeys - keys.size
  const create = { method: "POST", path: keysPath(target), authorization: management, body: { name: "filler" } }
  for (let count = 0; count <= left; count++) {
    const { status } = await connection.send(create)
    if (status === (count < left ? 200 : 409)) continue
    differences.push(`${keys.size} keys were acknowledged, but key ${keys.size + count + 2} is answered with ${status}`)
    break
  }
  connection.close()
  return differences
}

/** An organization in an export. */
export interface ExportedOrganization {
  readonly id: string
  readonly services: ReadonlyArray<{ readonly pipes: ReadonlyArray<Json> }>
  readonly keys: ReadonlyArray<Json>
  readonly dashboards: ReadonlyArray<Json>
}

const isAdminKey = ({ name, roles }: Json): boolean => name === "admin" && canonical(roles) === `["admin"]`

/** The fields of a key that answers and exports have in common. */
const keyContent = (key: Json): string => {
  const fields = { ...without(key, "keySuffix", "hashData", "usedAt"), roles: key["roles"] ?? [] }
  return canonical(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)))
}

/** The same for an export, in which every document can be compared. */
export const differencesInExport = (
  { dashboards, keys, services }: ExportedOrganization,
  target: Target,
  acknowledged: Acknowledged
): ReadonlyArray<string> => {
  const pipes = target.pipes.filter(({ id }) => !acknowledged.deletedPipes.has(id))
  const withoutAdmin = (all: Iterable<Json>) => Array.from(all).filter((key) => !isAdminKey(key))
  return [
    ...compareStored("dashboard", acknowledged.dashboards.values(), dashboards),
    ...compareStored("key", withoutAdmin(acknowledged.keys.values()), withoutAdmin(keys), keyContent),
    ...compareStored(
      "pipe",
      JSON.parse(JSON.stringify(pipes)),
      services.flatMap((service) => service.pipes)
    )
  ]
}
