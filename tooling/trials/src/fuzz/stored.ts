import type { WireAnswer } from "../http/AnswerReader.ts"
import { jsonOf } from "../http/answerShape.ts"
import { type Outcome, WireConnection } from "../http/WireConnection.ts"
import { type Acknowledged, keyContent } from "./Acknowledged.ts"
import { canonical } from "./canonical.ts"
import type { Json } from "./samples.ts"
import type { Target } from "./world.ts"

// One admin key is in every organization from the start; the limit is the contract's (section 8).
const roomForKeys = 99

const brief = (text: string) => (text.length > 400 ? `${text.slice(0, 400)}...` : text)

const differences = (
  what: string,
  acknowledged: ReadonlyMap<string, string>,
  stored: ReadonlyMap<string, string>
): ReadonlyArray<string> => [
  ...Array.from(stored).flatMap(([id, content]) => {
    const promised = acknowledged.get(id)
    if (promised === undefined) return [`stored, but never acknowledged: ${what} ${brief(content)}`]
    return promised === content ? [] : [`${what} was acknowledged as ${brief(promised)}, stored as ${brief(content)}`]
  }),
  ...Array.from(acknowledged.keys())
    .filter((id) => !stored.has(id))
    .map((id) => `acknowledged, but not stored: ${what} ${id}`)
]

const contents = (documents: Iterable<Json>, contentOf: (document: Json) => string) =>
  new Map(Array.from(documents, (document) => [String(document["id"]), contentOf(document)] as const))

const answerOf = (what: string, outcome: Outcome): WireAnswer => {
  if ("silence" in outcome) throw new Error(`${what}: ${outcome.silence}`)
  return outcome
}

/**
 * What a running server holds of an organization beside what it acknowledged. Dashboards by list, pipes one by one, and
 * keys, which no operation lists, by their limit: exactly as many must still find room as are left of the 100.
 */
export const unaccountedOverHttp = async (
  url: string,
  target: Target,
  { dashboards, deletedPipes, keys }: Acknowledged
): Promise<ReadonlyArray<string>> => {
  const connection = new WireConnection({ url })
  const call = async (method: string, path: string, authorization: string, body = "") => {
    const head = `${method} ${path} HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\n`
    const bytes = Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    return answerOf(`${method} ${path}`, await connection.exchange(bytes, method))
  }
  const wrongs: Array<string> = []
  const list = await call("GET", "/api/v2/dashboards", target.bearer)
  const listed = jsonOf(list)
  const data = typeof listed === "object" && listed !== null && "data" in listed ? listed.data : undefined
  if (!Array.isArray(data)) throw new Error(`the list of dashboards was answered with ${list.status}`)
  wrongs.push(...differences("dashboard", contents(dashboards.values(), canonical), contents(data, canonical)))
  for (const { id } of target.pipes) {
    const path = `/v1/organizations/${target.id}/services/${target.serviceId}/dbpipes/${id}`
    const { status } = await call("GET", path, target.basic)
    const wanted = deletedPipes.has(String(id)) ? 404 : 200
    if (status !== wanted) wrongs.push(`pipe ${id} is answered with ${status}, not ${wanted}`)
  }
  const room = roomForKeys - keys.size
  for (let count = 0; count <= room; count++) {
    const { status } = await call("POST", `/v1/organizations/${target.id}/keys`, target.basic, `{"name":"filler"}`)
    if (status !== (count < room ? 200 : 409)) {
      wrongs.push(`${keys.size} keys were acknowledged, but number ${keys.size + count + 2} is answered with ${status}`)
      break
    }
  }
  connection.close()
  return wrongs
}

interface ExportedOrganization {
  readonly id: string
  readonly services: ReadonlyArray<{ readonly pipes: ReadonlyArray<Json> }>
  readonly keys: ReadonlyArray<Json>
  readonly dashboards: ReadonlyArray<Json>
}

/** The same of an export, where every document can be compared with what was acknowledged, or imported. */
export const unaccountedInExport = (
  { dashboards, keys, services }: ExportedOrganization,
  target: Target,
  acknowledged: Acknowledged
): ReadonlyArray<string> => {
  const pipes = target.pipes.filter(({ id }) => !acknowledged.deletedPipes.has(String(id)))
  const made = keys.filter(({ name, roles }) => !(name === "admin" && canonical(roles) === `["admin"]`))
  const promised = Array.from(acknowledged.keys.values()).filter((key) => !isFirstKey(key))
  return [
    ...differences("dashboard", contents(acknowledged.dashboards.values(), canonical), contents(dashboards, canonical)),
    ...differences("key", contents(promised, keyContent), contents(made, keyContent)),
    ...differences(
      "pipe",
      contents(pipes, (pipe) => canonical(JSON.parse(JSON.stringify(pipe)))),
      contents(
        services.flatMap((service) => service.pipes),
        canonical
      )
    )
  ]
}

const isFirstKey = ({ name, roles }: Json): boolean => name === "admin" && canonical(roles) === `["admin"]`
