import * as Schema from "effect/Schema"
import { Uuid } from "../schema/fieldSchemas.ts"

/** The id of an API key as a resource, a UUID; not the key ID that a caller signs in with. Contract: section 2.3. */
export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/** The states of an API key: a closed set. A disabled key cannot authenticate. Contract: section 3. */
export const ApiKeyState = Schema.Literals(["enabled", "disabled"])
export type ApiKeyState = typeof ApiKeyState.Type

/** The roles an API key may have: a closed set. Contract: section 2.3. What each grants: `isPermitted`. */
export const Role = Schema.Literals(["admin", "developer", "query_endpoints"])
export type Role = typeof Role.Type
