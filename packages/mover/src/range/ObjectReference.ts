import type * as Redacted from "effect/Redacted"

/** The formats of objects that a warehouse reads by itself. `...WithNames`: the first line names the columns. */
export type ObjectFormat = "JSONEachRow" | "CSV" | "CSVWithNames" | "TabSeparated" | "TabSeparatedWithNames" | "Parquet"

/** How an object is compressed. `auto`: as the end of its name says. */
export type ObjectCompression = "auto" | "none" | "gzip" | "brotli" | "xz" | "zstd"

/** The access key of a user of an object storage. */
export interface AccessKey {
  readonly accessKeyId: string
  readonly secretKey: string
}

/** One object of a storage with the interface of S3, as the warehouse reads it. */
export interface ObjectReference {
  /** With the key percent-encoded, without credentials, query and fragment. */
  readonly url: string
  readonly format: ObjectFormat
  readonly compression: ObjectCompression
  /** Between the values of a line of CSV: one character. By default a comma. */
  readonly delimiter?: string
  /** Absent: anyone may read the object. */
  readonly accessKey?: Redacted.Redacted<AccessKey>
}
