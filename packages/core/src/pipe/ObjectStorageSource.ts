import * as Schema from "effect/Schema"
import { knownString } from "../schema/KnownString.ts"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"

/** The compressions that object storage pipes are known to read. */
export const compressions = ["none", "gzip", "gz", "brotli", "br", "xz", "LZMA", "zstd", "auto"] as const

/** An object storage source. Contract: section 2.2.4, `source.objectStorage`. */
export const ObjectStorageSource = openStruct({
  /** May contain wildcard patterns. */
  url: absentOrNull(Schema.String),
  /** May contain wildcard patterns. */
  path: absentOrNull(Schema.String),
  azureContainerName: absentOrNull(Schema.String),
  /** Carries credentials: `Redacted` from decode to print, in clear only where a pipe is encoded for the wire. */
  connectionString: absentOrNull(Schema.RedactedFromValue(Schema.String, { label: "connectionString" })),
  /** The identifier of a cloud role. */
  iamRole: absentOrNull(Schema.String),
  queueUrl: absentOrNull(Schema.String),
  compression: absentOrNull(knownString(compressions)),
  delimiter: absentOrNull(Schema.String),
  isContinuous: absentOrNull(Schema.Boolean)
}).pipe(identified("ObjectStorageSource"))
export type ObjectStorageSource = typeof ObjectStorageSource.Type
