import { type Call, type JsonClient, makeJsonClient } from "../http/JsonClient.ts"
import { basic, bearer, type Organization } from "../load/World.ts"
import type { Verdict } from "../report/Verdict.ts"
import { runServerCommand, type ServerProcess } from "../server/ServerProcess.ts"

/** Servers that are one service, and where to try their doors. */
export interface ShutOutOptions {
  readonly script: string
  /** The flags that name their store. */
  readonly store: ReadonlyArray<string>
  readonly servers: ReadonlyArray<ServerProcess>
  readonly organization: Organization
  readonly verdict: Verdict
}

const printedAs = (label: string, printed: string): string => {
  const value = new RegExp(`^ *${label} +(\\S+)$`, "m").exec(printed)?.[1]
  if (value === undefined) throw new Error(`there is no "${label}" in what was printed`)
  return value
}

const createKey = async (client: JsonClient, { adminKeyId, adminKeySecret, id }: Organization) => {
  const { json, status } = await client.call({
    method: "POST",
    path: `/v1/organizations/${id}/keys`,
    authorization: basic(adminKeyId, adminKeySecret),
    body: { name: "to be shut out", roles: ["developer"] }
  })
  if (status !== 200) throw new Error(`a key could not be created: ${status} ${JSON.stringify(json)}`)
  const { key, keyId, keySecret } = json.result
  return { id: String(key.id), authorization: basic(keyId, keySecret) }
}

/**
 * Makes two keys through one of the servers and a token with `headgate-server token create`, then with the operator's
 * commands disables the one key, deletes the other and revokes the token. Each was let in by every server before; the
 * very next request to each must be refused. Answers how many doors were tried.
 */
export const shutOut = async ({ organization, script, servers, store, verdict }: ShutOutOptions): Promise<number> => {
  const clients = servers.map(({ url }) => makeJsonClient(url))
  const [first] = clients
  if (first === undefined) throw new Error("there is no server")
  let tried = 0
  const command = async (noun: string, verb: string, ...args: ReadonlyArray<string>) =>
    (await runServerCommand(script, noun, verb, ...store, "--organization", organization.id, ...args)).stdout
  const doors = async (call: Call, expected: number, who: string) => {
    const answers = await Promise.all(clients.map((client) => client.call(call)))
    tried += answers.length
    for (const [index, { status }] of answers.entries()) {
      verdict.hold(status === expected, `${who}: server ${index + 1} answered ${status} instead of ${expected}`)
    }
  }

  const path = `/v1/organizations/${organization.id}/services/${organization.serviceId}/dbpipes/${organization.keptPipe}`
  for (const [verb, who] of [
    ["disable", "a disabled key"],
    ["delete", "a deleted key"]
  ] as const) {
    const { authorization, id } = await createKey(first, organization)
    await doors({ path, authorization }, 200, "a new key")
    await command("key", verb, id)
    await doors({ path, authorization }, 401, who)
  }

  const minted = await command("token", "create", "--name", "to be revoked")
  const asToken: Call = { path: "/api/v2/dashboards", authorization: bearer(printedAs("bearer token", minted)) }
  await doors(asToken, 200, "a new token")
  await command("token", "revoke", printedAs("token", minted))
  await doors(asToken, 401, "a revoked token")
  for (const client of clients) client.close()
  return tried
}
