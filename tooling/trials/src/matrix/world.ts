import { basic, credentialHash } from "../load/World.ts"
import type { Random } from "../load/Random.ts"
import {
  accessLists,
  type AccessList,
  expiries,
  type Expiry,
  keyStates,
  type KeyState,
  roleSets,
  type Role
} from "./dimensions.ts"

/** A key of the world, in an organization of its own: no limit of 100 keys stands in the way of what its cells create. */
export interface MatrixKey {
  readonly id: string
  readonly keyId: string
  readonly keySecret: string
  readonly roles: ReadonlyArray<Role>
  readonly state: KeyState
  readonly expiry: Expiry
  readonly list: AccessList
  readonly organizationId: string
  readonly serviceId: string
  /** Never deleted: what reading cells read. */
  readonly keptPipe: string
  /** The organization's bearer token. */
  readonly token: string
  readonly tokenId: string
  /** The Authorization header that opens the door, if anything does. */
  readonly authorization: string
}

const makeKey = (random: Random, rest: Pick<MatrixKey, "expiry" | "list" | "roles" | "state">): MatrixKey => {
  const keyId = `key-${random.uuid()}`
  const keySecret = `hgs_${random.uuid()}`
  return {
    id: random.uuid(),
    keyId,
    keySecret,
    ...rest,
    organizationId: random.uuid(),
    serviceId: random.uuid(),
    keptPipe: random.uuid(),
    token: `hgt_${random.uuid()}`,
    tokenId: random.uuid(),
    authorization: basic(keyId, keySecret)
  }
}

/** Role sets x state x expiry x access list: one key each. */
export const makeKeys = (random: Random): ReadonlyArray<MatrixKey> =>
  roleSets.flatMap((roles) =>
    keyStates.flatMap((state) =>
      expiries.flatMap((expiry) => accessLists.map((list) => makeKey(random, { roles, state, expiry, list })))
    )
  )

/** The key of the world that has these and nothing else about it. */
export const plainKey = (keys: ReadonlyArray<MatrixKey>, roles: ReadonlyArray<Role>): MatrixKey => {
  const key = keys.find(
    (one) =>
      one.state === "enabled" &&
      one.expiry.name === "never" &&
      one.list.name === "absent" &&
      one.roles.join() === roles.join()
  )
  if (key === undefined) throw new Error(`the world has no plain key with the roles ${roles.join()}`)
  return key
}

/** A pipe that is there for one cell alone, so that what became of it is the doing of that cell. */
export interface ExpendablePipe {
  readonly id: string
  readonly owner: MatrixKey
}

const pipeDocument = (id: string, { serviceId }: MatrixKey) => ({ id, serviceId, name: `pipe ${id}`, state: "Running" })

/** The world as a document for `headgate-server --import`. */
export const snapshotOf = (keys: ReadonlyArray<MatrixKey>, expendable: ReadonlyArray<ExpendablePipe>): string => {
  const pipes = new Map(keys.map((key) => [key, [pipeDocument(key.keptPipe, key)]]))
  for (const { id, owner } of expendable) pipes.get(owner)?.push(pipeDocument(id, owner))
  return JSON.stringify({
    organizations: keys.map((key) => ({
      id: key.organizationId,
      name: `organization of ${key.keyId}`,
      services: [{ id: key.serviceId, name: "service", pipes: pipes.get(key) }],
      keys: [
        {
          id: key.id,
          name: key.keyId,
          roles: key.roles,
          state: key.state,
          ...(key.expiry.expireAt === undefined ? {} : { expireAt: key.expiry.expireAt }),
          ...(key.list.sources === undefined ? {} : { ipAccessList: key.list.sources.map((source) => ({ source })) }),
          hashData: {
            keyIdHash: credentialHash(key.keyId),
            keyIdSuffix: key.keyId.slice(-4),
            keySecretHash: credentialHash(key.keySecret)
          }
        }
      ],
      tokens: [{ id: key.tokenId, name: "token", tokenHash: credentialHash(key.token) }]
    }))
  })
}
