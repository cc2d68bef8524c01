import type { WireAnswer } from "../http/AnswerReader.ts"
import { jsonOf } from "../http/answerShape.ts"
import { canonical } from "./canonical.ts"
import type { Json } from "./samples.ts"
import type { WireRequest } from "./wireRequest.ts"
import type { Target } from "./world.ts"

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const without = (record: Json, ...names: ReadonlyArray<string>): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))

/** Fields that say nothing when they are `null`, left out. */
const said = (record: Json): Json => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))

const documentOf = ({ body, headers }: WireRequest): Json | undefined => {
  if (body === undefined || headers.some(([name]) => name === "content-encoding")) return undefined
  try {
    const document: unknown = JSON.parse(body.toString("utf8"))
    return isJson(document) ? document : undefined
  } catch {
    return undefined
  }
}

const difference = (what: string, sent: unknown, answered: unknown): ReadonlyArray<string> =>
  canonical(sent) === canonical(answered)
    ? []
    : [`${what} was sent as ${canonical(sent)}, answered as ${canonical(answered)}`]

const keyEcho = (sent: Json, key: Json): ReadonlyArray<string> => {
  const expected = {
    name: sent["name"],
    state: sent["state"] ?? "enabled",
    roles: sent["roles"],
    expireAt: sent["expireAt"] === "" ? undefined : (sent["expireAt"] ?? undefined),
    ipAccessList: sent["ipAccessList"]
  }
  return Object.entries(expected).flatMap(([name, value]) => difference(`the key's ${name}`, value, key[name]))
}

const dashboardEcho = (sent: Json, dashboard: Json): ReadonlyArray<string> => {
  const withoutId = (tile: unknown) => (isJson(tile) ? without(tile, "id") : tile)
  const assigned = ["id", "tiles", "tags"]
  return [
    ...difference("the dashboard", without(sent, ...assigned), without(dashboard, ...assigned)),
    ...difference("tags", Array.from(new Set(listOf(sent["tags"]))), dashboard["tags"]),
    ...difference("tiles", listOf(sent["tiles"]).map(withoutId), listOf(dashboard["tiles"]).map(withoutId))
  ]
}

/** What the server said it has done for one organization: all that may have left anything behind. */
export class Acknowledged {
  readonly keys = new Map<string, Json>()
  readonly dashboards = new Map<string, Json>()
  readonly deletedPipes = new Set<string>()
  /** Acknowledged, but not what was asked for. */
  readonly unfaithful: Array<string> = []

  /** Takes note of a success. */
  add(target: Target, request: WireRequest, answer: WireAnswer): void {
    const body = jsonOf(answer)
    if (answer.status !== 200 || !isJson(body)) return
    const { data, result } = body
    if (isJson(result) && isJson(result["key"])) this.addKey(request, result["key"])
    else if (isJson(data)) this.addDashboard(request, data)
    else if (result === undefined && data === undefined) this.addDeletion(target, request)
  }

  private addKey(request: WireRequest, key: Json): void {
    const sent = documentOf(request)
    this.keys.set(String(key["id"]), key)
    if (sent !== undefined) this.unfaithful.push(...keyEcho(sent, key))
  }

  private addDashboard(request: WireRequest, dashboard: Json): void {
    const sent = documentOf(request)
    this.dashboards.set(String(dashboard["id"]), dashboard)
    if (sent !== undefined) this.unfaithful.push(...dashboardEcho(sent, dashboard))
  }

  private addDeletion({ pipes }: Target, { target }: WireRequest): void {
    const path = target.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent).toLowerCase()
    const pipe = pipes.find(({ id }) => path.includes(String(id)))
    if (pipe === undefined) this.unfaithful.push(`a deletion was acknowledged, but of which pipe? ${target}`)
    else this.deletedPipes.add(String(pipe["id"]))
  }
}

/** The fields that a key has in an answer and in an export alike. */
export const keyContent = (key: Json): string =>
  canonical(said({ ...without(key, "keySuffix", "hashData", "usedAt"), roles: key["roles"] ?? [] }))
