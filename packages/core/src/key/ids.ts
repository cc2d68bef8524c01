import * as Schema from "effect/Schema"
import { OrganizationId } from "../access/ids.ts"
import { Uuid } from "../schema/fieldSchemas.ts"

/**
 * The id of an API key as a resource, a UUID. It is not the key ID of its credentials. Contract:
 * docs/wire-contract.md#fields-of-an-api-key.
 */
export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId")).annotate({
  description: "The id of the key, a UUID. It is not the key ID of the credentials."
})
export type ApiKeyId = typeof ApiKeyId.Type

/**
 * The state of an API key, a closed set. A disabled key cannot authenticate. Contract:
 * docs/wire-contract.md#fields-of-an-api-key.
 */
export const ApiKeyState = Schema.Literals(["enabled", "disabled"])
export type ApiKeyState = typeof ApiKeyState.Type

/**
 * A role that every organization has, a closed set. `isPermitted` shows the permissions of each. A role that an
 * organization makes itself is a custom role. Contract: docs/wire-contract.md#fields-of-an-api-key.
 */
export const SystemRole = Schema.Literals(["admin", "developer", "query_endpoints"])
export type SystemRole = typeof SystemRole.Type

/** The id of a role, a UUID. */
export const RoleId = Uuid.pipe(Schema.brand("RoleId")).annotate({ description: "The id of the role, a UUID." })
export type RoleId = typeof RoleId.Type

/** The address of an API key: the path parameters of the operations on one key. */
export const ApiKeyAddress = Schema.Struct({ organizationId: OrganizationId, keyId: ApiKeyId })
export type ApiKeyAddress = typeof ApiKeyAddress.Type

/** The address of a role: the path parameters of the operations on one role. */
export const RoleAddress = Schema.Struct({ organizationId: OrganizationId, roleId: RoleId })
export type RoleAddress = typeof RoleAddress.Type
