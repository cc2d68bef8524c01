import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { SourceError } from "./MoveError.ts"

/** The formats of objects that a warehouse reads by itself. `...WithNames`: the first line names the columns. */
export type ObjectFormat = "JSONEachRow" | "CSV" | "CSVWithNames" | "TabSeparated" | "TabSeparatedWithNames" | "Parquet"

/** How an object is compressed. `auto`: as the end of its name says. */
export type ObjectCompression = "auto" | "none" | "gzip" | "brotli" | "xz" | "zstd"

/** The access key of a user of an object storage. */
export interface AccessKey {
  readonly accessKeyId: string
  readonly secretKey: string
}

/** Where a warehouse reads an object, and what it sends there. */
export type ObjectAddress =
  | {
      /** By a request of HTTP as it stands here. Nothing that the storage answers leads to another address. */
      readonly _tag: "Url"
      /**
       * Over http the host is the address that was checked, and `headers` have its name. A signed address is as good as the object
       * until it expires, and is in no text.
       */
      readonly url: Redacted.Redacted<string>
      readonly headers: Readonly<Record<string, string>>
      /** It is signed for GET, and for no other method. */
      readonly isSigned: boolean
    }
  | {
      /**
       * By the warehouse's own client of S3, which follows what the storage answers: for hosts that nobody controls who creates
       * pipes.
       */
      readonly _tag: "S3"
      /** With the key percent-encoded, without credentials, query and fragment. */
      readonly url: string
      /** Absent: anyone may read the object. */
      readonly accessKey?: Redacted.Redacted<AccessKey>
    }

/** One object of a storage with the interface of S3, as the warehouse reads it. */
export interface ObjectReference {
  /** The key of the object, for messages. */
  readonly key: string
  readonly format: ObjectFormat
  readonly compression: ObjectCompression
  /** Between the values of a line of CSV: one character. By default a comma. */
  readonly delimiter?: string
  /** Asked for before each statement that reads the object: an address that is signed expires, and a name is looked up again. */
  readonly address: Effect.Effect<ObjectAddress, SourceError>
}
