import * as Redacted from "effect/Redacted"
import { type Presented, presentedKey, presentedToken } from "./Guard.ts"

const basic = /^Basic ([A-Za-z0-9+/]+={0,2})$/
const bearer = /^Bearer ([!-~]+)$/
const printable = /^[!-~]+$/

/**
 * Reads an `Authorization` header as nearly every client of the management API writes it: `Basic`, one space, whole
 * base64 of printable ASCII with a user name in it. `undefined` for any other, which may be as good: then the
 * framework's own reader decides.
 */
export const plainBasic = (authorization: string | undefined): Presented | undefined => {
  const encoded = authorization === undefined ? undefined : basic.exec(authorization)?.[1]
  if (encoded === undefined || encoded.length % 4 !== 0) return undefined
  // Of whole groups of four, it throws at none.
  const text = atob(encoded)
  const colon = text.indexOf(":")
  return colon > 0 && printable.test(text)
    ? presentedKey(text.slice(0, colon), Redacted.make(text.slice(colon + 1)))
    : undefined
}

/** The same for the observability API: `Bearer`, one space, printable ASCII. */
export const plainBearer = (authorization: string | undefined): Presented | undefined => {
  const token = authorization === undefined ? undefined : bearer.exec(authorization)?.[1]
  return token === undefined ? undefined : presentedToken(Redacted.make(token))
}
