import { CallFailed } from "../../data/CallFailed.ts"
import { randomText } from "../../data/randomText.ts"

/** Credentials that this page made: only their hashes are sent. */
export interface Credentials {
  /** The user name of HTTP Basic. */
  readonly keyId: string
  /** The password of HTTP Basic. */
  readonly keySecret: string
  readonly hashData: { readonly keyIdHash: string; readonly keyIdSuffix: string; readonly keySecretHash: string }
}

const hashOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return btoa(String.fromCodePoint(...new Uint8Array(digest)))
}

/** Makes credentials as the service makes them: a key ID of 20 characters, a secret of `hgs_` and 40. */
export const makeCredentials = async (): Promise<Credentials> => {
  // Browsers hash over https and on localhost alone.
  if (globalThis.isSecureContext === false) {
    throw new CallFailed("A key can be made only on a page over https or on localhost.", { status: 400 })
  }
  const keyId = randomText(20)
  const keySecret = `hgs_${randomText(40)}`
  const [keyIdHash, keySecretHash] = await Promise.all([hashOf(keyId), hashOf(keySecret)])
  return { keyId, keySecret, hashData: { keyIdHash, keyIdSuffix: keyId.slice(-4), keySecretHash } }
}
