import type * as Redacted from "effect/Redacted"

/**
 * What a caller of the management API presents: HTTP Basic. Contract: section 5.
 *
 * @example
 * ```ts
 * import type { KeyCredentials } from "@headgate/core/access"
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
