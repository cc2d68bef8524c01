import { createHash } from "node:crypto"
import type { Random } from "./Random.ts"

/** base64(sha256(value)): how snapshots and exports write a secret. */
export const credentialHash = (value: string): string => createHash("sha256").update(value).digest("base64")

export const basic = (keyId: string, keySecret: string): string =>
  `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`

export const bearer = (token: string): string => `Bearer ${token}`

/** The hashes of a key's credentials, as a snapshot holds them. */
export const hashData = (keyId: string, keySecret: string) => ({
  keyIdHash: credentialHash(keyId),
  keyIdSuffix: keyId.slice(-4),
  keySecretHash: credentialHash(keySecret)
})

/** An organization with one service, one admin key and one bearer token. */
export interface Organization {
  readonly id: string
  readonly serviceId: string
  readonly keyId: string
  readonly keySecret: string
  readonly token: string
}

/** An organization whose ids and secrets are random. */
export const makeOrganization = (random: Random): Organization => ({
  id: random.uuid(),
  serviceId: random.uuid(),
  keyId: `admin-${random.uuid()}`,
  keySecret: `hgs_${random.uuid()}`,
  token: `hgt_${random.uuid()}`
})

/** The Authorization headers of an organization's admin key and token. */
export const authorizationOf = ({ keyId, keySecret, token }: Organization) => ({
  management: basic(keyId, keySecret),
  observability: bearer(token)
})

/** What an organization holds in a snapshot beside its service, key and token. */
export interface Content {
  readonly pipes?: ReadonlyArray<object>
  readonly dashboards?: ReadonlyArray<object>
  /** Fields of its key and its token that are not the usual ones. */
  readonly key?: object
  readonly tokenFields?: object
}

/** The entry of an organization in a document for `headgate-server --import`. */
export const organizationDocument = (
  { id, keyId, keySecret, serviceId, token }: Organization,
  { dashboards = [], key = {}, pipes = [], tokenFields = {} }: Content = {}
) => ({
  id,
  name: `organization ${id.slice(0, 8)}`,
  services: [{ id: serviceId, name: "service", pipes }],
  keys: [{ name: "admin", roles: ["admin"], hashData: hashData(keyId, keySecret), ...key }],
  tokens: [{ name: "token", tokenHash: credentialHash(token), grants: ["chart:query"], ...tokenFields }],
  dashboards
})

/** A pipe with the required fields alone. */
export const plainPipe = (id: string, serviceId: string) => ({
  id,
  serviceId,
  name: `pipe ${id.slice(0, 8)}`,
  state: "Running"
})

export const pipesPath = ({ id, serviceId }: Organization): string =>
  `/v1/organizations/${id}/services/${serviceId}/dbpipes`
export const pipePath = (organization: Organization, pipeId: string): string => `${pipesPath(organization)}/${pipeId}`
export const keysPath = ({ id }: Pick<Organization, "id">): string => `/v1/organizations/${id}/keys`
export const dashboardsPath = "/api/v2/dashboards"
