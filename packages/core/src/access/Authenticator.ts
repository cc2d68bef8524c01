import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Forbidden, Unauthorized } from "../error/CallError.ts"
import type { Credentials } from "./Credentials.ts"
import type { Principal } from "./Principal.ts"

/**
 * The port that tells who a caller is; adapters that hold keys and tokens have it, the HTTP client does not.
 * Contract: section 5, rules by decision.
 *
 * @example
 * ```ts
 * import { Authenticator, type Credentials, mayDo } from "@headgate/core/access"
 * import * as Effect from "effect/Effect"
 *
 * export const mayDelete = Effect.fn("mayDelete")(function* (credentials: Credentials, remoteAddress?: string) {
 *   const authenticator = yield* Authenticator
 *   const principal = yield* authenticator.authenticate(credentials, remoteAddress)
 *   return mayDo(principal, "pipe:delete")
 * })
 * ```
 */
export class Authenticator extends Context.Service<
  Authenticator,
  {
    /**
     * Verifies credentials that came from `remoteAddress` (an IPv4 or IPv6 address; `undefined` when it cannot be
     * told). Fails with `Unauthorized` when they are unknown, wrong, disabled or expired, all alike, and with
     * `Forbidden` when the key is good but its access list does not hold the address.
     */
    readonly authenticate: (
      credentials: Credentials,
      remoteAddress: string | undefined
    ) => Effect.Effect<Principal, Unauthorized | Forbidden>
  }
>()("@headgate/core/access/Authenticator") {}
