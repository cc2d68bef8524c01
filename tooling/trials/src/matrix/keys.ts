import { namedDocuments } from "@headgate/harness/contractOperations"
import type { Random } from "@headgate/harness/Random"
import {
  authorizationOf,
  basic,
  bearer,
  credentialHash,
  makeOrganization,
  type Organization,
  organizationDocument,
  plainPipe
} from "@headgate/harness/Snapshot"
import {
  type AccessList,
  accessLists,
  expiries,
  type Expiry,
  type KeyState,
  keyStates,
  type Role,
  roleSets
} from "./dimensions.ts"
import type { Credentials } from "./oracle.ts"

/** A key in an organization of its own, so that its cells cannot reach the limit of 100 keys. */
export interface MatrixKey extends Organization {
  /** The id of the key as a resource. */
  readonly resourceId: string
  readonly tokenId: string
  readonly roles: ReadonlyArray<Role>
  readonly state: KeyState
  readonly expiry: Expiry
  readonly list: AccessList
  /** Never deleted: reading cells read it. */
  readonly keptPipe: string
  /** The id and the name of a webhook, and of what else other documents name, that no cell changes. */
  readonly keptWebhook: string
  readonly authorization: string
}

/** Role sets x state x expiry x access list: one key each. */
export const makeKeys = (random: Random): ReadonlyArray<MatrixKey> =>
  roleSets.flatMap((roles) =>
    keyStates.flatMap((state) =>
      expiries.flatMap((expiry) =>
        accessLists.map((list) => {
          const organization = makeOrganization(random)
          const authorization = authorizationOf(organization).management
          const [resourceId, tokenId] = [random.uuid(), random.uuid()]
          const [keptPipe, keptWebhook] = [random.uuid(), random.uuid()]
          return {
            ...organization,
            resourceId,
            tokenId,
            keptPipe,
            keptWebhook,
            authorization,
            roles,
            state,
            expiry,
            list
          }
        })
      )
    )
  )

/** The enabled key with these roles, no expiry and no access list. */
export const plainKey = (keys: ReadonlyArray<MatrixKey>, roles: ReadonlyArray<Role>): MatrixKey => {
  const key = keys.find(
    ({ expiry, list, state, ...one }) =>
      state === "enabled" && expiry.name === "never" && list.name === "absent" && one.roles.join() === roles.join()
  )
  if (key === undefined) throw new Error(`there is no plain key with the roles ${roles.join()}`)
  return key
}

/** A pipe that exists for one cell to delete. */
export interface ExpendablePipe {
  readonly id: string
  readonly owner: MatrixKey
}

/** The name of every kept pipe until a cell changes it. */
export const keptPipeName = "kept"

/** The secret of every kept webhook. */
export const webhookUrl = "https://hooks.example.com/T0/kept-secret"

const keptPipe = (id: string, serviceId: string) => ({
  ...plainPipe(id, serviceId),
  name: keptPipeName,
  source: { kafka: { type: "kafka", format: "JSONEachRow", brokers: "b.example.com:9092", topics: "orders" } },
  destination: { database: "default", table: "orders", managedTable: true, columns: [] }
})

/** The keys and pipes as a document for `headgate-server --import`. */
export const snapshotOf = (keys: ReadonlyArray<MatrixKey>, expendable: ReadonlyArray<ExpendablePipe>): string => {
  const pipes = new Map<MatrixKey, Array<object>>(keys.map((key) => [key, [keptPipe(key.keptPipe, key.serviceId)]]))
  for (const { id, owner } of expendable) pipes.get(owner)?.push(plainPipe(id, owner.serviceId))
  return JSON.stringify({
    organizations: keys.map((key) => {
      const { expiry, keptWebhook, keyId, list, resourceId, roles, state, tokenId } = key
      const ipAccessList = list.sources?.map((source) => ({ source }))
      const organization = organizationDocument(key, {
        pipes: pipes.get(key) ?? [],
        // JSON leaves out what is undefined.
        key: { id: resourceId, name: keyId, roles, state, expireAt: expiry.expireAt, ipAccessList },
        tokenFields: { id: tokenId }
      })
      const ids = {
        connectionId: keptWebhook,
        sourceId: keptWebhook,
        savedSearchId: keptWebhook,
        webhookId: keptWebhook
      }
      return { ...organization, ...namedDocuments(ids, webhookUrl) }
    })
  })
}

/** An Authorization header and what it amounts to. */
export interface Credential {
  readonly name: string
  /** Read when a cell is sent: a session is opened by the trial. */
  readonly authorization: string | undefined
  readonly credentials: Credentials
}

const unusable = (name: string, authorization: string | undefined): Credential => ({
  name,
  authorization,
  credentials: { kind: "unusable" }
})

const ofKey = (key: MatrixKey, name: string, authorization: string, isSecretRight: boolean): Credential => {
  const { expiry, list, roles, state } = key
  return { name, authorization, credentials: { kind: "key", isSecretRight, roles, state, expiry, list } }
}

const wrong = (key: MatrixKey, name: string, keyId: string, keySecret: string): Credential =>
  ofKey(key, name, basic(keyId, keySecret), false)

/** The dimension of the full product. */
export const usualCredentials = (key: MatrixKey): ReadonlyArray<Credential> => [
  ofKey(key, "right", key.authorization, true),
  wrong(key, "wrong secret", key.keyId, `${key.keySecret.slice(0, -1)}!`),
  unusable("wrong scheme", bearer(key.keySecret)),
  unusable("missing", undefined)
]

/** Headers that are nearly right, or right and unusual. */
export const oddCredentials = (key: MatrixKey, other: MatrixKey): ReadonlyArray<Credential> => {
  const { keyId, keySecret, resourceId, token } = key
  const encoded = key.authorization.slice("Basic ".length)
  const base64 = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`
  return [
    // The scheme is case-insensitive (RFC 9110, 11.1).
    ofKey(key, "scheme in lower case", `basic ${encoded}`, true),
    ofKey(key, "scheme in upper case", `BASIC ${encoded}`, true),
    wrong(key, "unknown key ID", `${keyId.slice(0, -1)}!`, keySecret),
    wrong(key, "empty secret", keyId, ""),
    wrong(key, "secret of another key", keyId, other.keySecret),
    wrong(key, "key ID of another key", other.keyId, keySecret),
    wrong(key, "secret with a space behind it", keyId, `${keySecret} `),
    wrong(key, "secret with a NUL behind it", keyId, `${keySecret}\0`),
    wrong(key, "secret without its last character", keyId, keySecret.slice(0, -1)),
    wrong(key, "secret in upper case", keyId, keySecret.toUpperCase()),
    wrong(key, "hash of the secret", keyId, credentialHash(keySecret)),
    wrong(key, "hashes of both", credentialHash(keyId), credentialHash(keySecret)),
    wrong(key, "key ID in upper case", keyId.toUpperCase(), keySecret),
    wrong(key, "id of the key as a resource", resourceId, keySecret),
    wrong(key, "key ID and secret exchanged", keySecret, keyId),
    wrong(key, "token as secret", keyId, token),
    unusable("empty key ID", base64(`:${keySecret}`)),
    unusable("no colon", base64(keyId)),
    unusable("not base64", "Basic ***"),
    unusable("scheme alone", "Basic"),
    unusable("scheme and a space", "Basic "),
    unusable("no scheme", encoded),
    unusable("not encoded", `Basic ${keyId}:${keySecret}`),
    unusable("encoded twice", base64(encoded)),
    unusable("an unknown scheme", `Digest ${encoded}`),
    unusable("a scheme with the same beginning", `Basically ${encoded}`),
    unusable("Bearer with the Basic credentials", bearer(encoded))
  ]
}

/** The headers for a token. `isKnown`: the server knows it now. */
export const tokenCredentials = (token: string, isKnown: boolean): ReadonlyArray<Credential> => {
  const ofToken = (name: string, authorization: string, known: boolean): Credential => ({
    name,
    authorization,
    credentials: { kind: "token", isKnown: known }
  })
  return [
    ofToken("right", bearer(token), isKnown),
    ofToken("scheme in lower case", `bearer ${token}`, isKnown),
    ofToken("wrong token", bearer(`${token.slice(0, -1)}!`), false),
    ofToken("token in upper case", bearer(token.toUpperCase()), false),
    ofToken("hash of the token", bearer(credentialHash(token)), false),
    unusable("Basic with the token", `Basic ${token}`),
    unusable("Basic with the token as user", basic(token, "")),
    unusable("Basic with the token as password", basic("", token)),
    unusable("no scheme", token),
    unusable("scheme alone", "Bearer"),
    unusable("missing", undefined)
  ]
}

/** The tokens of sessions by their keys, once they are opened. */
export type Sessions = Map<MatrixKey, string>

/** The headers for the session of a key. `isKnown`: the server knows it then, and the key is as it says. */
export const sessionCredentials = (key: MatrixKey, sessions: Sessions, isKnown = true): ReadonlyArray<Credential> => {
  const { expiry, list, roles, state } = key
  const withToken = (name: string, header: (token: string) => string, credentials: Credentials): Credential => ({
    name: `session, ${name}`,
    get authorization() {
      const token = sessions.get(key)
      if (token === undefined) throw new Error(`there is no session of the key ${key.resourceId}`)
      return header(token)
    },
    credentials
  })
  const ofSession = (name: string, header: (token: string) => string, known: boolean) =>
    withToken(name, header, { kind: "session", isKnown: known, roles, state, expiry, list })
  const notASession = (name: string, header: (token: string) => string) => withToken(name, header, { kind: "unusable" })
  return [
    ofSession("right", bearer, isKnown),
    ofSession("wrong token", (token) => bearer(`${token.slice(0, -1)}!`), false),
    ofSession("one character more", (token) => bearer(`${token}a`), false),
    ofSession("hash of the token", (token) => bearer(`hgs_${credentialHash(token)}`), false),
    notASession("Basic with the token", (token) => `Basic ${token}`),
    notASession("Basic with the token as password", (token) => basic(key.keyId, token)),
    notASession("no scheme", (token) => token)
  ]
}
