import { Unauthorized } from "@headgate/core"
import type { Credentials } from "@headgate/core/adapter"
import type { ApiName } from "@headgate/http-contract"
import * as Redacted from "effect/Redacted"

/** The credentials of a request, or why there are none. */
export type PresentedCredentials = Credentials | Unauthorized

const missing = (scheme: string) => new Unauthorized({ message: `the Authorization header must carry ${scheme}` })

const missingKey = missing("HTTP Basic credentials: a key ID and its secret")
const missingToken = missing("a Bearer token")

const basic = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i
const bearer = /^Bearer +(\S+) *$/i

const keyOf = (authorization: string): PresentedCredentials => {
  const encoded = basic.exec(authorization)?.[1]
  if (encoded === undefined) return missingKey
  const text = Buffer.from(encoded, "base64").toString("utf8")
  const colon = text.indexOf(":")
  return colon < 1
    ? missingKey
    : { _tag: "KeyCredentials", keyId: text.slice(0, colon), keySecret: Redacted.make(text.slice(colon + 1)) }
}

const anyBearer = /^Bearer +([^ ].*)$/i

// A token that this server makes for the observability API begins with `hgt_`. A malformed session is one, too: no caller with a
// session gets a challenge for Basic.
const sessionOf = (authorization: string): Credentials | undefined => {
  const token = anyBearer.exec(authorization)?.[1]
  return token?.startsWith("hgs_") === true ? { _tag: "SessionCredentials", token: Redacted.make(token) } : undefined
}

const tokenOf = (authorization: string): PresentedCredentials => {
  const token = bearer.exec(authorization)?.[1]
  return token === undefined ? missingToken : { _tag: "TokenCredentials", token: Redacted.make(token) }
}

/**
 * Reads an `Authorization` header by the scheme of an API: Basic for management, Bearer for observability, and on both Bearer with the
 * token of a session of the console.
 */
export const presentedCredentials = (api: ApiName, authorization = ""): PresentedCredentials =>
  sessionOf(authorization) ?? (api === "management" ? keyOf(authorization) : tokenOf(authorization))
