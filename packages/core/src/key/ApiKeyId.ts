import * as Schema from "effect/Schema"
import { Uuid } from "../schema/Uuid.ts"

/** The id of an API key as a resource; not the key ID that a caller signs in with. Contract: section 2.3. */
export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type
