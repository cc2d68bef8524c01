import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Forbidden, Unauthorized } from "../error/CallError.ts"
import type { Principal } from "./Principal.ts"

/**
 * What a caller of the management API presents: HTTP Basic. Contract: section 5.
 *
 * @example
 * ```ts
 * import type { KeyCredentials } from "@headgate/core/adapter"
 * import * as Redacted from "effect/Redacted"
 *
 * export const credentials = (keyId: string, keySecret: string): KeyCredentials => ({
 *   _tag: "KeyCredentials",
 *   keyId,
 *   keySecret: Redacted.make(keySecret, { label: "keySecret" }) // prints as <redacted:keySecret>
 * })
 * ```
 */
export interface KeyCredentials {
  readonly _tag: "KeyCredentials"
  /** The user name of HTTP Basic: not the key's `id`, which is a resource's. */
  readonly keyId: string
  /** The password of HTTP Basic. */
  readonly keySecret: Redacted.Redacted
}

/** What a caller of the observability API presents: a bearer token. Contract: section 5. */
export interface TokenCredentials {
  readonly _tag: "TokenCredentials"
  /** Without the word `Bearer`. */
  readonly token: Redacted.Redacted
}

/** Either of the two kinds of credentials, told apart by `_tag`. Contract: section 5. */
export type Credentials = KeyCredentials | TokenCredentials

/**
 * The port that tells who a caller is; adapters that hold keys and tokens have it, the HTTP client does not.
 * Contract: section 5, rules by decision.
 *
 * @example
 * ```ts
 * import { Authenticator, type Credentials, isAuthorized } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const mayDelete = Effect.fn("mayDelete")(function* (credentials: Credentials, remoteAddress?: string) {
 *   const authenticator = yield* Authenticator
 *   const principal = yield* authenticator.authenticate(credentials, remoteAddress)
 *   return isAuthorized(principal, "pipe:delete")
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
