import * as Schema from "effect/Schema"
import { identified, openStruct } from "../schema/OpenStruct.ts"
import { secretText } from "../schema/SecretText.ts"
import { ApiKey } from "./ApiKey.ts"

/**
 * A new API key with its credentials, which are shown this once. Both are absent when the caller made them
 * (`hashData`). Contract: section 4.2, `result`.
 *
 * @example
 * ```ts
 * import { CreatedApiKey } from "@headgate/core/key"
 * import * as Redacted from "effect/Redacted"
 * import * as Schema from "effect/Schema"
 *
 * const created = Schema.decodeUnknownSync(CreatedApiKey)({
 *   key: { id: "51b4936f-cc64-4b62-8949-22ade4e10488", name: "ci" },
 *   keyId: "0Fk01wVSvePsowXxkfQu",
 *   keySecret: "hgs_example"
 * })
 * console.log(JSON.stringify(created.keySecret)) // "<redacted:keySecret>"
 * console.log(created.keySecret ? Redacted.value(created.keySecret) : "the caller's own") // hgs_example
 * ```
 */
export const CreatedApiKey = openStruct({
  key: ApiKey,
  /** The user name of HTTP Basic. */
  keyId: Schema.optionalKey(Schema.String),
  /** The password of HTTP Basic. */
  keySecret: Schema.optionalKey(secretText("keySecret"))
}).pipe(identified("CreatedApiKey"))
/** What {@link CreatedApiKey} decodes to. */
export type CreatedApiKey = typeof CreatedApiKey.Type
