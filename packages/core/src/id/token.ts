import * as Schema from "effect/Schema"
import { Uuid } from "../schema/fieldSchemas.ts"

/** The id of a bearer token as a resource, a UUID. It is not the token itself. */
export const TokenId = Uuid.pipe(Schema.brand("TokenId"))
export type TokenId = typeof TokenId.Type
