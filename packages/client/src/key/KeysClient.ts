import * as Core from "@headgate/core"
import { looseStruct } from "@headgate/core/adapter"
import { OrganizationAddress } from "../addresses.ts"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"
import { promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"

/** An API key of an organization, without its credentials. Times are RFC 3339 strings. */
export type ApiKey = Plain<Core.ApiKey>

/**
 * A new API key with its credentials, which are shown only once: `keyId` and `keySecret`, the latter a `Secret`. Both
 * are absent when the caller made them (`hashData`).
 */
export type CreatedApiKey = Plain<Core.CreatedApiKey>

/** The address of an API key: two UUIDs. `keyId` is the id of the key, not the key ID of its credentials. */
export type ApiKeyAddress = Input<Core.ApiKeyAddress>

/** The schema of {@link ApiKeyCreate}. */
export const ApiKeyCreate = looseStruct({ organizationId: Core.OrganizationId, ...Core.ApiKeyCreate.schema.fields })

/** A request to create an API key: the organization (a UUID), a name, and what the key may do. */
export type ApiKeyCreate = Input<typeof ApiKeyCreate.Type>

/** The schema of {@link ApiKeyUpdate}. */
export const ApiKeyUpdate = looseStruct({ ...Core.ApiKeyAddress.fields, ...Core.ApiKeyUpdate.schema.fields })

/** The address of an API key and its changes: an absent field is unchanged, a list replaces the whole list. */
export type ApiKeyUpdate = Input<typeof ApiKeyUpdate.Type>

/** The API keys of the management API. `get`, `update` and `delete` reject with `KeyNotFoundError` if there is no such key. */
export interface KeysClient {
  /** Lists the keys of an organization, without credentials. The key that makes the call is one of them. */
  readonly list: (request: OrganizationAddress, options?: CallOptions) => List<ApiKey>
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

/** The methods of API keys, over the adapter that runs the calls. */
export const keysClient = (run: Run<Core.ApiKeys>): KeysClient => {
  const { list, method } = promiseMethods(run, Core.ApiKeys)
  return {
    list: list(OrganizationAddress, (keys, { organizationId }) => keys.list({ organizationId })),
    get: method(Core.ApiKeyAddress, (keys, address) => keys.get(address)),
    create: method(ApiKeyCreate, (keys, { organizationId, ...request }) => keys.create({ organizationId }, request)),
    update: method(ApiKeyUpdate, (keys, { keyId, organizationId, ...changes }) =>
      keys.update({ organizationId, keyId }, changes)
    ),
    delete: method(Core.ApiKeyAddress, (keys, address) => keys.delete(address))
  }
}
