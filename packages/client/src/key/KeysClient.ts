import * as Core from "@headgate/core"
import { looseStruct } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import type { Plain } from "../Plain.ts"
import { type PromiseClient, promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"

/** An API key of an organization, without its credentials. Times are RFC 3339 strings. */
export type ApiKey = Plain<Core.ApiKey>

/**
 * A new API key with its credentials, which are shown only once: `keyId` and `keySecret`, the latter a `Secret`. Both
 * are absent when the caller made them (`hashData`).
 */
export type CreatedApiKey = Plain<Core.CreatedApiKey>

/**
 * The API keys of the management API. The response of `create` is the only one with the credentials of the key; it has
 * none if the request carried `hashData`. `create` rejects with `ConflictError` at the organization's limit of 100 keys,
 * `update` and `delete` when a key would disable or delete itself or take the role `admin` from itself. `get`, `update` and
 * `delete` reject with `KeyNotFoundError` if there is no such key.
 */
export interface KeysClient extends PromiseClient<Core.ApiKeys["Service"]> {}

/** A request to create an API key: the organization (a UUID), a name, and what the key may do. */
export type ApiKeyCreate = Parameters<KeysClient["create"]>[0]

/** The address of an API key and its changes: an absent field is unchanged, a list replaces the whole list. */
export type ApiKeyUpdate = Parameters<KeysClient["update"]>[0]

const { fields: address } = Core.ApiKeyAddress
/** The organization of a request that names nothing else. */
export const OrganizationInput = Schema.Struct({ organizationId: Core.OrganizationId })
const ApiKeyCreateInput = looseStruct({ organizationId: Core.OrganizationId, ...Core.ApiKeyCreate.schema.fields })
const ApiKeyUpdateInput = looseStruct({ ...address, ...Core.ApiKeyUpdate.schema.fields })

/** The methods of API keys, over the adapter that runs the calls. */
export const keysClient = (run: Run<Core.ApiKeys>): KeysClient => {
  const { list, method } = promiseMethods(run, Core.ApiKeys)
  return {
    list: list(OrganizationInput, (keys, { organizationId }) => keys.list(organizationId)),
    get: method(Core.ApiKeyAddress, (keys, address) => keys.get(address)),
    create: method(ApiKeyCreateInput, (keys, { organizationId, ...request }) => keys.create(organizationId, request)),
    update: method(ApiKeyUpdateInput, (keys, { keyId, organizationId, ...changes }) =>
      keys.update({ organizationId, keyId }, changes)
    ),
    delete: method(Core.ApiKeyAddress, (keys, address) => keys.delete(address))
  }
}
