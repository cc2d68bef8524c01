import { makeJsonClient, type JsonClient } from "../http/JsonClient.ts"
import { runServerCommand } from "../server/ServerProcess.ts"
import { fingerprint, fingerprintOf, type Found, type Write } from "./Ledger.ts"
import { basic, bearer, type Organization } from "./World.ts"

const atOnce = 8

const each = async <A>(items: ReadonlyArray<A>, use: (item: A) => Promise<void>): Promise<void> => {
  const rest = [...items]
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await use(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const pipeExists = async ({ call }: JsonClient, organization: Organization, pipeId: string, authorization: string) => {
  const path = `/v1/organizations/${organization.id}/services/${organization.serviceId}/dbpipes/${pipeId}`
  const { json, status } = await call({ path, authorization })
  if (status === 200 || status === 404) return status === 200
  throw new Error(`GET ${path}: ${status} ${JSON.stringify(json)}`)
}

/** Whether these credentials open the door. A refusal is an answer here; anything but 200 and 401 is not. */
const opensDoor = async (client: JsonClient, organization: Organization, authorization: string) => {
  const path = `/v1/organizations/${organization.id}/services/${organization.serviceId}/dbpipes/${organization.keptPipe}`
  const { json, status } = await client.call({ path, authorization })
  if (status === 200 || status === 401) return status === 200
  throw new Error(`GET ${path}: ${status} ${JSON.stringify(json)}`)
}

/**
 * What a running server says it holds of some organizations, as any caller could find out: their dashboards by list,
 * their pipes by reading each, and of the keys in `writes` those whose credentials open the door.
 */
export const observeServer = async (
  url: string,
  organizations: ReadonlyArray<Organization>,
  writes: ReadonlyArray<Write>
): Promise<Found> => {
  const client = makeJsonClient(url)
  const found = { credentials: new Set<string>(), dashboards: new Map<string, string>(), pipes: new Set<string>() }
  const byId = new Map(organizations.map((organization) => [organization.id, organization]))
  await each(organizations, async (organization) => {
    const { json, status } = await client.call({
      path: "/api/v2/dashboards",
      authorization: bearer(organization.token)
    })
    if (status !== 200) throw new Error(`GET /api/v2/dashboards: ${status} ${JSON.stringify(json)}`)
    for (const { id, name } of json.data) found.dashboards.set(id, name)
    const admin = basic(organization.adminKeyId, organization.adminKeySecret)
    for (const pipe of [organization.keptPipe, ...organization.pipes]) {
      if (await pipeExists(client, organization, pipe, admin)) found.pipes.add(pipe)
    }
  })
  await each(writes, async (write) => {
    const organization = byId.get(write.organizationId)
    if (write.kind !== "key" || organization === undefined) return
    if (await opensDoor(client, organization, basic(write.keyId, write.keySecret))) {
      found.credentials.add(fingerprintOf(write.keyId, write.keySecret))
    }
  })
  client.close()
  return found
}

/** All that a store holds, from `headgate-server export`. `store` is the flag that names it: `--data` or `--database-url`. */
export const observeExport = async (script: string, ...store: ReadonlyArray<string>): Promise<Found> => {
  const { stdout } = await runServerCommand(script, "export", ...store)
  const { organizations }: { organizations: ReadonlyArray<any> } = JSON.parse(stdout)
  return {
    credentials: new Set(
      organizations.flatMap(({ keys = [] }) =>
        keys.map(({ hashData }: any) => fingerprint(hashData.keyIdHash, hashData.keySecretHash))
      )
    ),
    dashboards: new Map(
      organizations.flatMap(({ dashboards = [] }) => dashboards.map(({ id, name }: any) => [id, name]))
    ),
    pipes: new Set(
      organizations.flatMap(({ services = [] }) =>
        services.flatMap(({ pipes = [] }: any) => pipes.map(({ id }: any) => id))
      )
    )
  }
}

/** Every pipe that some organizations began with. */
export const pipesOf = (organizations: ReadonlyArray<Organization>): ReadonlyArray<string> =>
  organizations.flatMap(({ keptPipe, pipes }) => [keptPipe, ...pipes])
