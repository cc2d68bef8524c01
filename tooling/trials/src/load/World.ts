import { createHash } from "node:crypto"
import type { Random } from "./Random.ts"

/** An organization of the imported snapshot, and how to act for it. */
export interface Organization {
  readonly id: string
  readonly serviceId: string
  readonly adminKeyId: string
  readonly adminKeySecret: string
  readonly token: string
  /** Never deleted by a trial: read to see whether credentials open the door. */
  readonly keptPipe: string
  /** Free to be deleted. */
  readonly pipes: ReadonlyArray<string>
}

/** How many keys an organization takes beside its admin key (the contract's limit is 100). */
export const freeKeys = 99

const pipesEach = 24

/** base64(sha256(value)): how the snapshot and the export write a secret. */
export const credentialHash = (value: string): string => createHash("sha256").update(value).digest("base64")

export const basic = (keyId: string, keySecret: string): string =>
  `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`

export const bearer = (token: string): string => `Bearer ${token}`

const makeOrganization = (random: Random): Organization => ({
  id: random.uuid(),
  serviceId: random.uuid(),
  adminKeyId: `admin-${random.uuid()}`,
  adminKeySecret: random.uuid(),
  token: `trial-${random.uuid()}`,
  keptPipe: random.uuid(),
  pipes: Array.from({ length: pipesEach }, () => random.uuid())
})

/** As many organizations as a trial writes to, every id and secret drawn from its seed. */
export const makeWorld = (random: Random, count: number): ReadonlyArray<Organization> =>
  Array.from({ length: count }, () => makeOrganization(random))

const pipe = (id: string, serviceId: string) => ({ id, serviceId, name: `pipe ${id.slice(0, 8)}`, state: "Running" })

/** The world as a document for `headgate-server --import`. */
export const snapshotOf = (world: ReadonlyArray<Organization>): string =>
  JSON.stringify({
    organizations: world.map(({ adminKeyId, adminKeySecret, id, keptPipe, pipes, serviceId, token }) => ({
      id,
      name: `trial ${id.slice(0, 8)}`,
      services: [{ id: serviceId, name: "service", pipes: [keptPipe, ...pipes].map((one) => pipe(one, serviceId)) }],
      keys: [
        {
          name: "admin",
          roles: ["admin"],
          hashData: {
            keyIdHash: credentialHash(adminKeyId),
            keyIdSuffix: adminKeyId.slice(-4),
            keySecretHash: credentialHash(adminKeySecret)
          }
        }
      ],
      tokens: [{ name: "token", tokenHash: credentialHash(token) }]
    }))
  })
