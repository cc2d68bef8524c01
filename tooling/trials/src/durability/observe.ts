import { type Call, callJson } from "@headgate/harness/JsonClient"
import { runServerCommand } from "@headgate/harness/ServerProcess"
import { authorizationOf, basic, dashboardsPath, keysPath, pipesPath } from "@headgate/harness/Snapshot"
import { fingerprint, fingerprintOf, type Found, type Write, type WrittenOrganization } from "./Ledger.ts"
import { readKeptPipe } from "./WriteLoad.ts"

const atOnce = 8

const forEach = async <A>(items: ReadonlyArray<A>, use: (item: A) => Promise<void>): Promise<void> => {
  const rest = items.values()
  const work = async () => {
    for (const item of rest) await use(item)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** Sends a call and returns the answer; rejects on a status that is not expected. */
const expecting = async (url: string, call: Call, ...statuses: ReadonlyArray<number>) => {
  const answer = await callJson(url, call)
  if (statuses.includes(answer.status)) return answer
  throw new Error(`GET ${call.path}: ${answer.status} ${JSON.stringify(answer.json)}`)
}

/**
 * What a running server holds, read over HTTP: dashboards and pipes by their lists, and of the keys in `writes` those
 * whose credentials are accepted.
 */
export const observeServer = async (
  url: string,
  organizations: ReadonlyArray<WrittenOrganization>,
  writes: ReadonlyArray<Write>
): Promise<Found> => {
  const found = {
    credentials: new Set<string>(),
    dashboards: new Map<string, string>(),
    pipes: new Map<string, { readonly name: string; readonly state: string }>(),
    keyNames: new Array<string>()
  }
  const byId = new Map(organizations.map((organization) => [organization.id, organization]))
  await forEach(organizations, async (organization) => {
    const { management, observability } = authorizationOf(organization)
    const dashboards = await expecting(url, { path: dashboardsPath, authorization: observability }, 200)
    for (const { id, name } of dashboards.json.data) found.dashboards.set(id, name)
    const pipes = await expecting(url, { path: pipesPath(organization), authorization: management }, 200)
    for (const { id, name, state } of pipes.json.result) found.pipes.set(id, { name, state })
    const keys = await expecting(url, { path: keysPath(organization), authorization: management }, 200)
    for (const { name } of keys.json.result) found.keyNames.push(name)
  })
  await forEach(writes, async (write) => {
    const organization = byId.get(write.organizationId)
    if (write.kind !== "key" || organization === undefined) return
    const call = { ...readKeptPipe(organization), authorization: basic(write.keyId, write.keySecret) }
    if ((await expecting(url, call, 200, 401)).status === 200) {
      found.credentials.add(fingerprintOf(write.keyId, write.keySecret))
    }
  })
  return found
}

interface Exported {
  readonly organizations: ReadonlyArray<{
    readonly services: ReadonlyArray<{
      readonly pipes: ReadonlyArray<{ readonly id: string; readonly name: string; readonly state: string }>
    }>
    readonly keys: ReadonlyArray<{
      readonly name: string
      readonly hashData: { readonly keyIdHash: string; readonly keySecretHash: string }
    }>
    readonly dashboards: ReadonlyArray<{ readonly id: string; readonly name: string }>
  }>
}

/** What a store holds, from `headgate-server export`. `store` is the flag that names it and its value. */
export const observeExport = async (script: string, ...store: ReadonlyArray<string>): Promise<Found> => {
  const { organizations }: Exported = JSON.parse(await runServerCommand(script, "export", ...store))
  const keys = organizations.flatMap((organization) => organization.keys ?? [])
  const services = organizations.flatMap((organization) => organization.services ?? [])
  const dashboards = organizations.flatMap((organization) => organization.dashboards ?? [])
  return {
    credentials: new Set(keys.map(({ hashData }) => fingerprint(hashData.keyIdHash, hashData.keySecretHash))),
    dashboards: new Map(dashboards.map(({ id, name }) => [id, name])),
    pipes: new Map(services.flatMap(({ pipes = [] }) => pipes.map((pipe) => [pipe.id, pipe]))),
    keyNames: keys.map(({ name }) => name)
  }
}
