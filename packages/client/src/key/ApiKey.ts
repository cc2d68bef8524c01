import type * as Core from "@headgate/core"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"

/** An API key of an organization, without its credentials. Times are RFC 3339 strings. */
export type ApiKey = Plain<Core.ApiKey>

/**
 * A new API key with its credentials, which are shown this once: `keyId` and `keySecret`, the latter a `Secret`. Both
 * are absent when the caller made them (`hashData`).
 */
export type CreatedApiKey = Plain<Core.CreatedApiKey>

/** What it takes to create an API key: the organization it is for, a name, and what it may do. */
export type ApiKeyCreate = Input<Core.ApiKeyCreate> & {
  /** A UUID. */
  readonly organizationId: string
}
