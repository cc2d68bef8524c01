import { basic, bearer, credentialHash } from "../load/World.ts"
import type { Presented } from "./oracle.ts"
import type { MatrixKey } from "./world.ts"

/** An Authorization header, and what it amounts to. */
export interface Credential {
  readonly name: string
  readonly authorization: string | undefined
  readonly presented: Presented
}

const nothing = (name: string, authorization: string | undefined): Credential => ({
  name,
  authorization,
  presented: { kind: "nothing usable" }
})

const ofKey = (key: MatrixKey, name: string, authorization: string, secretIsRight: boolean): Credential => {
  const { expiry, list, roles, state } = key
  return { name, authorization, presented: { kind: "key", secretIsRight, roles, state, expiry, list } }
}

const wrong = (key: MatrixKey, name: string, keyId: string, keySecret: string): Credential =>
  ofKey(key, name, basic(keyId, keySecret), false)

/** How the credentials of a key can be presented: the dimension of the full product. */
export const usualCredentials = (key: MatrixKey): ReadonlyArray<Credential> => [
  ofKey(key, "right", key.authorization, true),
  wrong(key, "wrong secret", key.keyId, `${key.keySecret.slice(0, -1)}!`),
  nothing("wrong scheme", bearer(key.keySecret)),
  nothing("missing", undefined)
]

/** Every other way we know to get the header nearly right, or right though it looks odd. */
export const oddCredentials = (key: MatrixKey, other: MatrixKey): ReadonlyArray<Credential> => {
  const encoded = key.authorization.slice("Basic ".length)
  const base64 = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`
  return [
    // The scheme is a token without case (RFC 9110, 11.1).
    ofKey(key, "scheme in lower case", `basic ${encoded}`, true),
    ofKey(key, "scheme in upper case", `BASIC ${encoded}`, true),
    wrong(key, "unknown key ID", `${key.keyId.slice(0, -1)}!`, key.keySecret),
    wrong(key, "empty secret", key.keyId, ""),
    wrong(key, "secret of another key", key.keyId, other.keySecret),
    wrong(key, "key ID of another key", other.keyId, key.keySecret),
    wrong(key, "secret with a space behind it", key.keyId, `${key.keySecret} `),
    wrong(key, "secret with a NUL behind it", key.keyId, `${key.keySecret}\0`),
    wrong(key, "secret without its last character", key.keyId, key.keySecret.slice(0, -1)),
    wrong(key, "secret in upper case", key.keyId, key.keySecret.toUpperCase()),
    wrong(key, "hash of the secret", key.keyId, credentialHash(key.keySecret)),
    wrong(key, "hashes of both", credentialHash(key.keyId), credentialHash(key.keySecret)),
    wrong(key, "key ID in upper case", key.keyId.toUpperCase(), key.keySecret),
    wrong(key, "id of the key as a resource", key.id, key.keySecret),
    wrong(key, "key ID and secret exchanged", key.keySecret, key.keyId),
    wrong(key, "token as secret", key.keyId, key.token),
    nothing("empty key ID", base64(`:${key.keySecret}`)),
    nothing("no colon", base64(key.keyId)),
    nothing("not base64", "Basic ***"),
    nothing("scheme alone", "Basic"),
    nothing("scheme and a space", "Basic "),
    nothing("no scheme", encoded),
    nothing("not encoded", `Basic ${key.keyId}:${key.keySecret}`),
    nothing("encoded twice", base64(encoded)),
    nothing("a scheme nobody knows", `Digest ${encoded}`),
    nothing("a scheme that begins alike", `Basically ${encoded}`),
    nothing("Bearer with the Basic credentials", bearer(encoded))
  ]
}

/** How a token can be presented. `isKnown`: the server has it, now. */
export const tokenCredentials = (token: string, isKnown: boolean): ReadonlyArray<Credential> => {
  const as = (name: string, authorization: string): Credential => ({
    name,
    authorization,
    presented: { kind: "token", isKnown }
  })
  const unknown = (name: string, text: string): Credential => ({
    name,
    authorization: bearer(text),
    presented: { kind: "token", isKnown: false }
  })
  return [
    as("right", bearer(token)),
    as("scheme in lower case", `bearer ${token}`),
    unknown("wrong token", `${token.slice(0, -1)}!`),
    unknown("token in upper case", token.toUpperCase()),
    unknown("hash of the token", credentialHash(token)),
    nothing("Basic with the token", `Basic ${token}`),
    nothing("Basic with the token as user", basic(token, "")),
    nothing("Basic with the token as password", basic("", token)),
    nothing("no scheme", token),
    nothing("scheme alone", "Bearer"),
    nothing("missing", undefined)
  ]
}
