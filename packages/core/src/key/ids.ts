import * as Schema from "effect/Schema"
import { Uuid } from "../schema/fieldSchemas.ts"

/** The id of an API key as a resource, a UUID. It is not the key ID of its credentials. Contract: section 2.3. */
export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId")).annotate({
  description: "The id of the key, a UUID. It is not the key ID of the credentials."
})
export type ApiKeyId = typeof ApiKeyId.Type

/** The state of an API key, a closed set. A disabled key cannot authenticate. Contract: section 3. */
export const ApiKeyState = Schema.Literals(["enabled", "disabled"])
export type ApiKeyState = typeof ApiKeyState.Type

/** A role of an API key, a closed set. `isPermitted` shows the permissions of each. Contract: section 2.3. */
export const Role = Schema.Literals(["admin", "developer", "query_endpoints"])
export type Role = typeof Role.Type
