import { basic, bearer, credentialHash } from "../load/World.ts"
import type { Mark, Marks } from "./Marks.ts"

export const ids = {
  organization: "11111111-1111-4111-8111-111111111111",
  other: "22222222-2222-4222-8222-222222222222",
  service: "33333333-3333-4333-8333-333333333333",
  pipe: "44444444-4444-4444-8444-444444444444",
  unknown: "55555555-5555-4555-8555-555555555555"
}

/** A key of the world, with a marked secret. */
export interface MarkedKey {
  readonly keyId: string
  readonly secret: Mark
  readonly authorization: string
  readonly document: object
}

/** A world whose every secret is marked. */
export interface MarkedWorld {
  readonly keys: Readonly<Record<"admin" | "developer" | "disabled" | "expired" | "elsewhere" | "foreign", MarkedKey>>
  readonly token: Mark
  readonly connectionString: Mark
  /** As `headgate-server --import` reads it. */
  readonly snapshot: string
  readonly bearer: string
}

const makeKey = (marks: Marks, name: string, fields: object): MarkedKey => {
  const keyId = `key-of-${name}`
  const secret = marks.plant(`secret of the ${name} key`)
  return {
    keyId,
    secret,
    authorization: basic(keyId, secret.value),
    document: {
      name,
      hashData: {
        keyIdHash: credentialHash(keyId),
        keyIdSuffix: keyId.slice(-4),
        keySecretHash: credentialHash(secret.value)
      },
      roles: ["admin"],
      ...fields
    }
  }
}

export const makeMarkedWorld = (marks: Marks): MarkedWorld => {
  const keys = {
    admin: makeKey(marks, "admin", {}),
    developer: makeKey(marks, "developer", { roles: ["developer"] }),
    disabled: makeKey(marks, "disabled", { state: "disabled" }),
    expired: makeKey(marks, "expired", { expireAt: "2001-01-01T00:00:00Z" }),
    elsewhere: makeKey(marks, "elsewhere", { ipAccessList: [{ source: "203.0.113.0/24" }] }),
    foreign: makeKey(marks, "foreign", {})
  }
  const token = marks.plant("bearer token")
  const connectionString = marks.plant("connectionString of a pipe")
  const pipe = {
    id: ids.pipe,
    serviceId: ids.service,
    name: "archive",
    state: "Running",
    source: {
      objectStorage: { url: "https://bucket.test/*.json", connectionString: `AccountKey=${connectionString.value};` }
    }
  }
  const { foreign, ...own } = keys
  return {
    keys,
    token,
    connectionString,
    bearer: bearer(token.value),
    snapshot: JSON.stringify({
      organizations: [
        {
          id: ids.organization,
          name: "marked",
          services: [{ id: ids.service, name: "service", pipes: [pipe] }],
          keys: Object.values(own).map(({ document }) => document),
          tokens: [{ name: "token", tokenHash: credentialHash(token.value) }]
        },
        { id: ids.other, name: "other", keys: [foreign.document] }
      ]
    })
  }
}

export const pipePath = (pipe = ids.pipe, organization = ids.organization): string =>
  `/v1/organizations/${organization}/services/${ids.service}/dbpipes/${pipe}`
export const keysPath = (organization = ids.organization): string => `/v1/organizations/${organization}/keys`
export const dashboardsPath = "/api/v2/dashboards"
