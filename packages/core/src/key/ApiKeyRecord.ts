import * as Schema from "effect/Schema"
import { OrganizationId } from "../access/OrganizationId.ts"
import { ApiKey } from "./ApiKey.ts"

/** What a store keeps of an API key: never its credentials, only their hashes. Made by `issueApiKey`. */
export const ApiKeyRecord = Schema.Struct({
  organizationId: OrganizationId,
  key: ApiKey,
  /** base64(sha256(key ID)); unique in a store. */
  keyIdHash: Schema.String,
  /** base64(sha256(key secret)). */
  keySecretHash: Schema.String
})
/** What {@link ApiKeyRecord} decodes to. */
export type ApiKeyRecord = typeof ApiKeyRecord.Type
