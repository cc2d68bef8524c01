import * as Schema from "effect/Schema"
import { identified, openStruct } from "../schema/OpenStruct.ts"
import { ApiKey } from "./ApiKey.ts"

/**
 * A new API key with its credentials, which are shown this once. Both are absent when the caller made them
 * (`hashData`). Contract: section 4.2, `result`.
 */
export const CreatedApiKey = openStruct({
  key: ApiKey,
  /** The user name of HTTP Basic. */
  keyId: Schema.optionalKey(Schema.String),
  /** The password of HTTP Basic. */
  keySecret: Schema.optionalKey(Schema.RedactedFromValue(Schema.String, { label: "keySecret" }))
}).pipe(identified("CreatedApiKey"))
export type CreatedApiKey = typeof CreatedApiKey.Type
