import * as Schema from "effect/Schema"
import { identified, openStruct } from "../schema/OpenStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { Uuid } from "../schema/Uuid.ts"

/** The id of a bearer token as a resource, a UUID; not the token itself. */
export const TokenId = Uuid.pipe(Schema.brand("TokenId"))
/** What {@link TokenId} decodes to. */
export type TokenId = typeof TokenId.Type

/**
 * A bearer token of an organization, without its secret. How one is obtained is not shown in the contract (section 5):
 * the server's operator mints it, `Tokens`. `name` has 1 to 255 characters.
 */
export const Token = openStruct({
  id: TokenId,
  name: Schema.String.check(Schema.isBetweenLength(1, 255, { message: "Expected 1 to 255 characters" })),
  createdAt: Timestamp
}).pipe(identified("Token"))
/** What {@link Token} decodes to. */
export type Token = typeof Token.Type
