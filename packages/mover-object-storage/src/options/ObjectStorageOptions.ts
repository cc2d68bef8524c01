import type { AccessKey, ObjectCompression, ObjectFormat } from "@headgate/mover"
import type { SourceError } from "@headgate/mover"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/** Which objects a source reads, and how. */
export interface ObjectStorageOptions {
  /**
   * The storage, the bucket and the keys, `https://s3.eu-central-1.amazonaws.com/bucket/logs/*.json` or
   * `https://bucket.s3.eu-central-1.amazonaws.com/logs/*.json`. Keys are written as they are, not percent-encoded. `?` is
   * one character and `*` any number of them, except `/`; `**` is any number of any characters.
   */
  readonly url: string
  readonly format: ObjectFormat
  readonly compression: ObjectCompression
  /** Between the values of a line of CSV. By default a comma. */
  readonly delimiter?: string
  /** Absent: anyone may list and read the objects. */
  readonly accessKey?: Redacted.Redacted<AccessKey>
  /** Whether the source waits for new objects, whose keys must sort above the last one, or ends when it has read all. */
  readonly isContinuous: boolean
  /** The key after which it begins. By default the first one. */
  readonly startAfter?: string
  /** How often a continuous source looks for new objects. By default each 30 seconds. */
  readonly pollEvery?: Duration.Duration
  /**
   * The address of a host, or why it is not connected to. By default the system is asked, and every address is taken that is
   * not link-local. The warehouse resolves the name by itself.
   */
  readonly resolve?: (host: string) => Effect.Effect<string, SourceError>
  /** Larger objects are refused. By default 10 GB. */
  readonly maxBytes?: number
}
