/** Credentials that this page made: only their hashes are sent. */
export interface Credentials {
  /** The user name of HTTP Basic. */
  readonly keyId: string
  /** The password of HTTP Basic. */
  readonly keySecret: string
  readonly hashData: { readonly keyIdHash: string; readonly keyIdSuffix: string; readonly keySecretHash: string }
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** `length` characters of the alphabet. Bytes from 248 on are dropped: they would make its first characters more frequent. */
export const textOf = (length: number, randomBytes: () => Uint8Array): string => {
  let text = ""
  while (text.length < length) {
    for (const byte of randomBytes()) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
    }
  }
  return text
}

const randomBytes = (): Uint8Array => crypto.getRandomValues(new Uint8Array(64))

const hashOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return btoa(String.fromCodePoint(...new Uint8Array(digest)))
}

/** Makes credentials as the service makes them: a key ID of 20 characters, a secret of `hgs_` and 40. */
export const makeCredentials = async (): Promise<Credentials> => {
  const keyId = textOf(20, randomBytes)
  const keySecret = `hgs_${textOf(40, randomBytes)}`
  const [keyIdHash, keySecretHash] = await Promise.all([hashOf(keyId), hashOf(keySecret)])
  return { keyId, keySecret, hashData: { keyIdHash, keyIdSuffix: keyId.slice(-4), keySecretHash } }
}
