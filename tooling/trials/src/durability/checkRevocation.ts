import { type Call, callJson } from "@headgate/harness/JsonClient"
import { runServerCommand } from "@headgate/harness/ServerProcess"
import { authorizationOf, basic, bearer, dashboardsPath, keysPath } from "@headgate/harness/Snapshot"
import type { Verdict } from "@headgate/harness/Verdict"
import type { Servers } from "../scenario/Servers.ts"
import type { WrittenOrganization } from "./Ledger.ts"
import { readKeptPipe } from "./WriteLoad.ts"

export interface RevocationOptions {
  readonly script: string
  /** The flags that name the store. */
  readonly store: ReadonlyArray<string>
  readonly servers: Servers
  readonly organization: WrittenOrganization
  readonly verdict: Verdict
}

const valueOf = (label: string, printed: string): string => {
  const value = new RegExp(`^ *${label} +(\\S+)$`, "m").exec(printed)?.[1]
  if (value === undefined) throw new Error(`the output has no "${label}": ${printed}`)
  return value
}

/**
 * Creates two keys and a token, then disables one key, deletes the other and revokes the token with the operator's
 * commands. Every server must accept each before, and must reject it in the very next request after. Returns the number
 * of requests.
 */
export const checkRevocation = async (options: RevocationOptions): Promise<number> => {
  const { organization, script, servers, store, verdict } = options
  const { management } = authorizationOf(organization)
  let requests = 0
  const command = (noun: string, verb: string, ...args: ReadonlyArray<string>) =>
    runServerCommand(script, noun, verb, ...store, "--organization", organization.id, ...args)
  const expect = async (call: Call, expected: number, credentials: string) => {
    const answers = await Promise.all(servers.running.map(({ url }) => callJson(url, call)))
    requests += answers.length
    for (const [index, { status }] of answers.entries()) {
      verdict.hold(status === expected, `${credentials}: server ${index + 1} answered ${status} instead of ${expected}`)
    }
  }

  for (const [verb, credentials] of [
    ["disable", "a disabled key"],
    ["delete", "a deleted key"]
  ] as const) {
    const { json, status } = await callJson(servers.url, {
      method: "POST",
      path: keysPath(organization),
      authorization: management,
      body: { name: "to be revoked", roles: ["developer"] }
    })
    if (status !== 200) throw new Error(`a key could not be created: ${status} ${JSON.stringify(json)}`)
    const { key, keyId, keySecret } = json.result
    const call = { ...readKeptPipe(organization), authorization: basic(keyId, keySecret) }
    await expect(call, 200, "a new key")
    await command("key", verb, key.id)
    await expect(call, 401, credentials)
  }

  const printed = await command("token", "create", "--name", "to be revoked")
  const call = { path: dashboardsPath, authorization: bearer(valueOf("bearer token", printed)) }
  await expect(call, 200, "a new token")
  await command("token", "revoke", valueOf("token", printed))
  await expect(call, 401, "a revoked token")
  return requests
}
