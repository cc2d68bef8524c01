import { makeJsonClient } from "../http/JsonClient.ts"
import { basic, bearer, type Organization } from "../load/World.ts"
import type { Abuse, Target } from "./Abuse.ts"

const nested = (open: string, close: string, depth: number): string =>
  `{"name":"deep","tiles":${open.repeat(depth)}0${close.repeat(depth)}}`

const bodies = (depth: number): ReadonlyArray<readonly [name: string, text: string]> => [
  ["lists", nested("[", "]", depth)],
  ["records", nested('{"a":', "}", depth)],
  ["lists never closed", "[".repeat(depth)]
]

const doors = ({ adminKeyId, adminKeySecret, id, token }: Organization) => [
  { path: "/api/v2/dashboards", authorization: bearer(token) },
  { path: `/v1/organizations/${id}/keys`, authorization: basic(adminKeyId, adminKeySecret) }
]

const says = /deep|depth|nest/i

const sendDeep = async ({ organization, url, verdict }: Target, depth: number): Promise<string> => {
  const client = makeJsonClient(url)
  const said = new Set<string>()
  let sent = 0
  for (const door of doors(organization)) {
    for (const [name, body] of bodies(depth)) {
      const { json, status } = await client.call({ ...door, method: "POST", body })
      const message = String(json?.error ?? json?.message)
      sent++
      said.add(`${status} ${message}`)
      verdict.hold(
        status === 400 && says.test(message),
        `${depth} levels of JSON (${name}) to ${door.path}: expected a 400 that says so, got ${status} ${message}`
      )
    }
  }
  const { json } = await client.call({ path: "/api/v2/dashboards", authorization: bearer(organization.token) })
  verdict.hold(json?.data?.length === 0, `${depth} levels of JSON: something of it was stored`)
  client.close()
  return `${sent} bodies: ${Array.from(said).join("; ")}`
}

export const deepJson: ReadonlyArray<Abuse> = [
  { name: "JSON 100 levels deep", run: (target) => sendDeep(target, 100) },
  { name: "JSON 100,000 levels deep", run: (target) => sendDeep(target, 100_000) }
]
