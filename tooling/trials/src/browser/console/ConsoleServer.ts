import type { Random } from "@headgate/harness/Random"
import { type ServerProcess, startServer } from "@headgate/harness/ServerProcess"
import { basic, hashData, makeOrganization, type Organization, organizationDocument } from "@headgate/harness/Snapshot"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

/** The credentials of a key. */
export interface Credentials {
  readonly keyId: string
  readonly keySecret: string
}

/** A server whose console is used, and the organization in it. */
export interface ConsoleServer {
  readonly process: ServerProcess
  readonly organization: Organization
  /** A key that reads and changes nothing. */
  readonly developer: Credentials
  /** Sends a request of the API with the admin key, or another. */
  readonly call: (method: string, path: string, body?: unknown, as?: Credentials) => Promise<any>
  /** The link that signs in, once. */
  readonly link: (as?: Credentials) => Promise<string>
}

interface Content {
  readonly pipes: (organization: Organization) => ReadonlyArray<object>
  readonly dashboards?: ReadonlyArray<object>
}

const send = async (url: string, method: string, path: string, body: unknown, { keyId, keySecret }: Credentials) => {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: basic(keyId, keySecret),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === "" ? undefined : JSON.parse(text).result
}

/** Calls and links of a server that runs already. */
export const consoleOf = (
  process: ServerProcess,
  organization: Organization,
  developer: Credentials
): ConsoleServer => {
  const call: ConsoleServer["call"] = (method, path, body, as = organization) =>
    send(process.url, method, path, body, as)
  return {
    process,
    organization,
    developer,
    call,
    link: async (as) => {
      const { code } = await call("POST", `/v1/organizations/${organization.id}/consoleCodes`, undefined, as)
      return `${process.url}/console#code=${code}`
    }
  }
}

/** Starts a server of its own, with an organization in it. */
export const startConsole = async (
  script: string,
  directory: string,
  random: Random,
  { dashboards = [], pipes }: Content,
  ...args: ReadonlyArray<string>
): Promise<ConsoleServer> => {
  const organization = makeOrganization(random)
  const developer = { keyId: `developer-${random.uuid()}`, keySecret: `hgs_${random.uuid()}` }
  const document = organizationDocument(organization, { pipes: pipes(organization), dashboards })
  const key = { name: "reader", roles: ["developer"], hashData: hashData(developer.keyId, developer.keySecret) }
  const file = join(directory, "snapshot.json")
  writeFileSync(file, JSON.stringify({ organizations: [{ ...document, keys: [...document.keys, key] }] }))
  const process = await startServer(script, "--data", join(directory, "data"), "--import", file, ...args)
  return consoleOf(process, organization, developer)
}
