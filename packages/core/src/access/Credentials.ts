import type * as Redacted from "effect/Redacted"

/** What a caller of the management API presents: HTTP Basic. Contract: section 5. */
export interface KeyCredentials {
  readonly _tag: "KeyCredentials"
  readonly keyId: string
  readonly keySecret: Redacted.Redacted
}

/** What a caller of the observability API presents: a bearer token. Contract: section 5. */
export interface TokenCredentials {
  readonly _tag: "TokenCredentials"
  readonly token: Redacted.Redacted
}

/** Either of the two kinds of credentials. */
export type Credentials = KeyCredentials | TokenCredentials
