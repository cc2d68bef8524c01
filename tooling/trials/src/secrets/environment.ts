import {
  basic,
  bearer,
  credentialHash,
  hashData,
  keysPath,
  type Organization,
  pipePath
} from "@headgate/harness/Snapshot"
import { contractOperations, pathFor } from "@headgate/harness/contractOperations"
import type { Canaries, Canary } from "./Canaries.ts"

export const ids = {
  organization: "11111111-1111-4111-8111-111111111111",
  other: "22222222-2222-4222-8222-222222222222",
  service: "33333333-3333-4333-8333-333333333333",
  pipe: "44444444-4444-4444-8444-444444444444",
  broker: "66666666-6666-4666-8666-666666666666",
  unknown: "55555555-5555-4555-8555-555555555555"
}

const organization: Organization = {
  id: ids.organization,
  serviceId: ids.service,
  keyId: "",
  keySecret: "",
  token: ""
}
export const thePipe = pipePath(organization, ids.pipe)
export const unknownPipe = pipePath(organization, ids.unknown)
export const theKeys = keysPath(organization)

/** The path of an operation by its name, such as `pipe.get`. */
export const pathOf = (name: string, id: string = ids.unknown): string => {
  const operation = contractOperations().find((each) => each.name === name)
  if (operation === undefined) throw new Error(`there is no operation ${name}`)
  return pathFor(operation, { id: ids.organization, serviceId: ids.service }, id)
}

/** A key whose secret is a canary. */
export interface CanaryKey {
  readonly keyId: string
  readonly secret: string
  readonly authorization: string
  readonly document: object
}

/** Two organizations whose every secret is a canary. */
export interface Environment {
  readonly keys: Readonly<Record<"admin" | "developer" | "disabled" | "expired" | "blocked" | "foreign", CanaryKey>>
  readonly token: string
  readonly bearer: string
  readonly connectionString: Canary
  /** For `headgate-server --import`. */
  readonly snapshot: string
}

export const makeEnvironment = (canaries: Canaries): Environment => {
  const key = (name: string, fields: object): CanaryKey => {
    const keyId = `key-of-${name}`
    const { value: secret } = canaries.plant(`secret of the ${name} key`)
    const document = { name, hashData: hashData(keyId, secret), roles: ["admin"], ...fields }
    return { keyId, secret, authorization: basic(keyId, secret), document }
  }
  const own = {
    admin: key("admin", {}),
    developer: key("developer", { roles: ["developer"] }),
    disabled: key("disabled", { state: "disabled" }),
    expired: key("expired", { expireAt: "2001-01-01T00:00:00Z" }),
    blocked: key("blocked", { ipAccessList: [{ source: "203.0.113.0/24" }] })
  }
  const foreign = key("foreign", {})
  const { value: token } = canaries.plant("bearer token")
  const connectionString = canaries.plant("connectionString of a pipe")
  const objectStorage = {
    url: "https://bucket.test/*.json",
    connectionString: `AccountKey=${connectionString.value};`
  }
  const pipe = { id: ids.pipe, serviceId: ids.service, name: "archive", state: "Running", source: { objectStorage } }
  // An import takes credentials in plain text and seals them.
  const login = { username: "u", password: canaries.plant("password of an imported pipe").value }
  const unknown = (what: string) => ({
    u: "u",
    p: canaries.plant(`unknown field of an imported source, ${what}`).value
  })
  const kafka = {
    brokers: "b.test:9092",
    authentication: "PLAIN",
    credentials: login,
    credentails: unknown("misspelt"),
    offset: { strategy: "from_latest", extra: { credentials: unknown("one level down") } }
  }
  const brokerSource = { kafka, auth: unknown("beside its kind") }
  const broker = { id: ids.broker, serviceId: ids.service, name: "broker", state: "Running", source: brokerSource }
  const password = canaries.plant("password of an imported connection").value
  const connections = [{ id: "c0000000000000000000000a", name: "x", host: "https://x.test", password }]
  const organizations = [
    {
      id: ids.organization,
      name: "canaries",
      services: [{ id: ids.service, name: "service", pipes: [pipe, broker] }],
      connections,
      keys: Object.values(own).map(({ document }) => document),
      tokens: [{ name: "token", tokenHash: credentialHash(token), grants: ["chart:query"] }]
    },
    { id: ids.other, name: "other", keys: [foreign.document] }
  ]
  const keys = { ...own, foreign }
  return { keys, token, bearer: bearer(token), connectionString, snapshot: JSON.stringify({ organizations }) }
}
