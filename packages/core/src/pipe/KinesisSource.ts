import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"

/** A stream source. Contract: section 2.2.4, `source.kinesis`. Its `timestamp` is in seconds since the Unix epoch. */
export const KinesisSource = openStruct({
  streamName: absentOrNull(Schema.String),
  region: absentOrNull(Schema.String),
  /** The identifier of a cloud role. */
  iamRole: absentOrNull(Schema.String),
  /** Where reading starts, in seconds since the Unix epoch. */
  timestamp: absentOrNull(Schema.Int),
  useEnhancedFanOut: absentOrNull(Schema.Boolean)
}).pipe(identified("KinesisSource"))
/** What {@link KinesisSource} decodes to. */
export type KinesisSource = typeof KinesisSource.Type
