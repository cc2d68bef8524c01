import { createHash } from "node:crypto"
import { organizationId, pipes, serviceId } from "./fullSnapshot.ts"
import { basic, bearer } from "./liveServer.ts"

const hash = (value: string) => createHash("sha256").update(value).digest("base64")

/** The hashes of credentials, computed apart from the code under test. */
export const hashDataOf = (keyId: string, keySecret: string) => ({
  keyIdHash: hash(keyId),
  keyIdSuffix: keyId.slice(-4),
  keySecretHash: hash(keySecret)
})

const secretOf = (keyId: string) => `the-secret-of-${keyId}`

/** The Authorization header of a key of the environment below. */
export const as = (keyId: string) => basic(keyId, secretOf(keyId))

const key = (keyId: string, rest: object) => ({ name: keyId, hashData: hashDataOf(keyId, secretOf(keyId)), ...rest })

export const otherOrganizationId = "00000000-0000-4000-8000-0000000000ff"
const token = "token-of-the-sample-organization"
const otherToken = "token-of-the-other-organization"
export const withToken = bearer(token)
export const withOtherToken = bearer(otherToken)

/** Two organizations, with a key for every reason to let a caller in or keep them out. */
export const environment = {
  organizations: [
    {
      id: organizationId,
      name: "sample",
      services: [{ id: serviceId, name: "service", pipes }],
      keys: [
        key("admin", { roles: ["admin"] }),
        key("developer", { roles: ["developer"] }),
        key("query", { roles: ["query_endpoints"] }),
        key("no-roles", { roles: [] }),
        key("disabled", { roles: ["admin"], state: "disabled" }),
        key("expired", { roles: ["admin"], expireAt: "2001-01-01T00:00:00Z" }),
        key("expires-later", { roles: ["admin"], expireAt: "2999-01-01T00:00:00Z" }),
        key("from-here", { roles: ["admin"], ipAccessList: [{ source: "127.0.0.0/8" }] }),
        key("from-elsewhere", { roles: ["admin"], ipAccessList: [{ source: "203.0.113.0/24" }] }),
        key("from-nowhere", { roles: ["admin"], ipAccessList: [] })
      ],
      tokens: [{ name: "token", tokenHash: hash(token), grants: ["chart:query"] }]
    },
    {
      id: otherOrganizationId,
      name: "other",
      keys: [key("foreign-admin", { roles: ["admin"] })],
      tokens: [{ name: "token", tokenHash: hash(otherToken), grants: ["chart:query"] }]
    }
  ]
}

export const pipePath = (
  id: string,
  { organization = organizationId, service = serviceId, segment = "dbpipes" } = {}
) => `/v1/organizations/${organization}/services/${service}/${segment}/${id}`

export const firstPipe = pipes[0]?.["id"] as string
export const keysPath = (organization = organizationId) => `/v1/organizations/${organization}/keys`
export const dashboardsPath = "/api/v2/dashboards"

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
