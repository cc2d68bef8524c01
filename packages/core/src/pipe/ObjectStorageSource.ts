import * as Schema from "effect/Schema"
import { knownString } from "../schema/KnownString.ts"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"
import { secretText } from "../schema/SecretText.ts"

/** The compressions that object storage pipes are known to read. The contract (section 2.2.4) shows none. */
export const compressions = ["none", "gzip", "gz", "brotli", "br", "xz", "LZMA", "zstd", "auto"] as const

/**
 * An object storage source. Contract: section 2.2.4, `source.objectStorage`. Its `connectionString` is a secret: it is
 * `Redacted`, which prints as a label wherever it goes, and is opened by name only.
 *
 * @example
 * ```ts
 * import { ObjectStorageSource } from "@headgate/core/pipe"
 * import * as Redacted from "effect/Redacted"
 * import * as Schema from "effect/Schema"
 *
 * const { connectionString } = Schema.decodeUnknownSync(ObjectStorageSource)({
 *   connectionString: "AccountKey=c2VjcmV0"
 * })
 * console.log(`${connectionString}`) // <redacted:connectionString>
 * console.log(connectionString ? Redacted.value(connectionString) : "none") // AccountKey=c2VjcmV0
 * ```
 */
export const ObjectStorageSource = openStruct({
  /** May contain wildcard patterns. */
  url: absentOrNull(Schema.String),
  /** May contain wildcard patterns. */
  path: absentOrNull(Schema.String),
  azureContainerName: absentOrNull(Schema.String),
  /** Carries credentials: `Redacted` from decode to print, in clear only where a pipe is encoded for the wire. */
  connectionString: absentOrNull(secretText("connectionString")),
  /** The identifier of a cloud role. */
  iamRole: absentOrNull(Schema.String),
  queueUrl: absentOrNull(Schema.String),
  compression: absentOrNull(knownString(compressions)),
  delimiter: absentOrNull(Schema.String),
  isContinuous: absentOrNull(Schema.Boolean)
}).pipe(identified("ObjectStorageSource"))
/** What {@link ObjectStorageSource} decodes to. */
export type ObjectStorageSource = typeof ObjectStorageSource.Type
