import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Forbidden, Unauthorized } from "../error/CallError.ts"
import type { Principal } from "./Principal.ts"

/**
 * The credentials of a caller of the management API: HTTP Basic. Contract: docs/wire-contract.md#access.
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
  /** The user name of HTTP Basic. It is not the `id` of the key as a resource. */
  readonly keyId: string
  /** The password of HTTP Basic. */
  readonly keySecret: Redacted.Redacted
}

/** The credentials of a caller of the observability API: a bearer token. Contract: docs/wire-contract.md#access. */
export interface TokenCredentials {
  readonly _tag: "TokenCredentials"
  /** Without the word `Bearer`. */
  readonly token: Redacted.Redacted
}

/** The session of a person who uses the console: a bearer token of either API that stands for an API key. */
export interface SessionCredentials {
  readonly _tag: "SessionCredentials"
  /** `hgs_` and 40 characters, without the word `Bearer`. */
  readonly token: Redacted.Redacted
}

/** The credentials of a caller of either API. Contract: docs/wire-contract.md#access. */
export type Credentials = KeyCredentials | TokenCredentials | SessionCredentials

/**
 * The port that authenticates callers. Adapters that store keys and tokens have it, the HTTP client does not. Contract:
 * docs/wire-contract.md#access; the rules are decided.
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
     * Verifies credentials that came from `remoteAddress`, an IPv4 or IPv6 address; `undefined` if it is not known.
     * Fails with the same `Unauthorized` when they are unknown, wrong, disabled or expired, and with `Forbidden` when
     * they are right but the key's access list does not contain the address.
     */
    readonly authenticate: (
      credentials: Credentials,
      remoteAddress: string | undefined
    ) => Effect.Effect<Principal, Unauthorized | Forbidden>
  }
>()("@headgate/core/access/Authenticator") {}
