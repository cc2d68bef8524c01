import * as Schema from "effect/Schema"
import { Uuid } from "../schema/Uuid.ts"

/** The id of an API key as a resource, a UUID; not the key ID that a caller signs in with. Contract: section 2.3. */
export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId"))
/** What {@link ApiKeyId} decodes to. */
export type ApiKeyId = typeof ApiKeyId.Type
