const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const someBytes = (): Uint8Array => crypto.getRandomValues(new Uint8Array(64))

/** `length` random letters and digits. Bytes from 248 on are dropped: they would make the first characters more frequent. */
export const randomText = (length: number, randomBytes: () => Uint8Array = someBytes): string => {
  let text = ""
  while (text.length < length) {
    for (const byte of randomBytes()) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
    }
  }
  return text
}
