import * as Schema from "effect/Schema"
import { Uuid } from "../schema/fieldSchemas.ts"
import { OrganizationId } from "./organization.ts"

/**
 * The id of an API key as a resource, a UUID. It is not the key ID of its credentials. Contract:
 * docs/wire-contract.md#fields-of-an-api-key.
 */
export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId")).annotate({
  description: "The id of the key, a UUID. It is not the key ID of the credentials."
})
export type ApiKeyId = typeof ApiKeyId.Type

/** The address of an API key: the path parameters of the operations on one key. */
export const ApiKeyAddress = Schema.Struct({ organizationId: OrganizationId, keyId: ApiKeyId })
export type ApiKeyAddress = typeof ApiKeyAddress.Type
