import type * as Core from "@headgate/core"
import type { Addressed, OrganizationAddress } from "../addresses.ts"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Plain } from "../Plain.ts"

/** An API key of an organization, without its credentials. Times are RFC 3339 strings. */
export type ApiKey = Plain<Core.ApiKey>

/**
 * A new API key with its credentials, which are shown only once: `keyId` and `keySecret`, the latter a `Secret`. Both
 * are absent when the caller made them (`hashData`).
 */
export type CreatedApiKey = Plain<Core.CreatedApiKey>

/** The address of an API key: two UUIDs. `keyId` is the id of the key, not the key ID of its credentials. */
export type ApiKeyAddress = Addressed<Core.ApiKeyAddress>

/** A request to create an API key: the organization (a UUID), a name, and what the key may do. */
export type ApiKeyCreate = Addressed<{ readonly organizationId: Core.OrganizationId } & Core.ApiKeyCreate>

/** The address of an API key and its changes: an absent field is unchanged, a list replaces the whole list. */
export type ApiKeyUpdate = Addressed<Core.ApiKeyAddress & Core.ApiKeyUpdate>

/** The API keys of the management API. `get`, `update` and `delete` reject with `KeyNotFoundError` if there is no such key. */
export interface KeysClient {
  /** Lists the keys of an organization, without credentials. The key that makes the call is one of them. */
  readonly list: (request?: OrganizationAddress, options?: CallOptions) => List<ApiKey>
  /** Reads a key, without its credentials. */
  readonly get: (request: ApiKeyAddress, options?: CallOptions) => CallPromise<ApiKey>
  /**
   * Creates a key. Its response is the only one with the credentials of the key; it has none if the request has `hashData`.
   * Rejects with `ConflictError` at the organization's limit of 100 keys.
   */
  readonly create: (request: ApiKeyCreate, options?: CallOptions) => CallPromise<CreatedApiKey>
  /**
   * Changes a key. Rejects with `ConflictError` if the key that makes the call would disable itself or take the role `admin`
   * from itself.
   */
  readonly update: (request: ApiKeyUpdate, options?: CallOptions) => CallPromise<ApiKey>
  /** Deletes a key. Rejects with `ConflictError` if it is the key that makes the call. */
  readonly delete: (request: ApiKeyAddress, options?: CallOptions) => CallPromise<void>
}
