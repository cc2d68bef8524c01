import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { Forbidden, Unauthorized } from "../error/CallError.ts"
import { isAddressAllowed } from "../access/IpAccessList.ts"
import type { KeyPrincipal } from "../access/Principal.ts"
import type { ApiKey } from "./ApiKey.ts"
import { hasCustomRoles } from "./assignRoles.ts"
import type { ApiKeyRecord } from "./makeApiKey.ts"

// The same error for every reason, so that a response does not help to guess credentials. It is made once,
// since the stack of a new one costs more than the check.
export const unauthorized = Effect.fail(new Unauthorized({ message: "the credentials are not valid" }))

const foreignAddress = Effect.fail(
  new Forbidden({ message: "the key's IP access list does not hold the address of this request" })
)

/** Whether a key is neither disabled nor expired. `now`: milliseconds since 1970. */
export const isUsable = ({ expireAt, state }: ApiKey, now: number): boolean =>
  state !== "disabled" && !(Predicate.isNotNullish(expireAt) && expireAt.epochMilliseconds <= now)

/** What a key fails with that may not be used now, from this address; `undefined` if it may be. */
export const refusalOf = (key: ApiKey, now: number, remoteAddress: string | undefined) => {
  if (!isUsable(key, now)) return unauthorized
  return isAddressAllowed(key.ipAccessList, remoteAddress) ? undefined : foreignAddress
}

/** The caller that a key, or a session that was made for it, is. */
export const keyPrincipal = ({ key, organizationId }: ApiKeyRecord, isSession: boolean): KeyPrincipal => ({
  _tag: "KeyPrincipal",
  organizationId,
  keyId: key.id,
  keyName: key.name,
  keySuffix: key.keySuffix ?? "",
  roles: key.roles ?? [],
  hasCustomRoles: hasCustomRoles(key),
  isSession
})
