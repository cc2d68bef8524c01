import type { ObjectStorageSource } from "@headgate/core"
import {
  type AccessKey,
  type ObjectCompression,
  type ObjectFormat,
  type SourceError,
  SourceRefused
} from "@headgate/mover"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { bucketOf } from "../key/Bucket.ts"

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
  /** Whether the source waits for new objects, or ends when it has read all. */
  readonly isContinuous: boolean
  /** Only keys that sort after this one are read. By default all. */
  readonly startAfter?: string
  /** The pause of a continuous source after a list, or ten times its duration if that is longer. By default 30 seconds. */
  readonly pollEvery?: Duration.Duration
  /**
   * The address of a host, or why it is not connected to. By default the system is asked, and every address is taken that is
   * not link-local. Over http the warehouse connects to that address, too.
   */
  readonly resolve?: (host: string) => Effect.Effect<string, SourceError>
  /**
   * Hosts that nobody controls who creates pipes, besides the storages of clouds: the warehouse gets the access key for their
   * Parquet, and its own client of S3 reads it. Of other hosts, Parquet that needs an access key is read up to 64 MiB.
   */
  readonly trustedHosts?: ReadonlyArray<string>
  /** Larger objects are refused. By default 10 GB. */
  readonly maxBytes?: number
}

const refuse = (field: string, message: string) =>
  Effect.fail(new SourceRefused({ path: `source.objectStorage.${field}`, message }))

const types = ["s3", "dospaces", "cloudflarer2", "ovhobjectstorage"]

const formats: ReadonlyArray<ObjectFormat> = [
  "JSONEachRow",
  "CSV",
  "CSVWithNames",
  "TabSeparated",
  "TabSeparatedWithNames",
  "Parquet"
]

const compressions: Readonly<Record<string, ObjectCompression>> = {
  auto: "auto",
  none: "none",
  gzip: "gzip",
  gz: "gzip",
  brotli: "brotli",
  br: "brotli",
  xz: "xz",
  LZMA: "xz",
  zstd: "zstd"
}

/** A text, or nothing for a field that is null or empty: official clients send empty texts. */
const given = (text: string | null | undefined): string | undefined => (text === null || text === "" ? undefined : text)

/** The access key of a pipe. */
export type ObjectStorageCredentials = Redacted.Redacted<{
  readonly accessKeyId?: string | null | undefined
  readonly secretKey?: string | null | undefined
}>

const accessKeyOf = Effect.fnUntraced(function* (
  source: ObjectStorageSource,
  credentials: ObjectStorageCredentials | undefined
) {
  const authentication = given(source.authentication)
  if (authentication === undefined) return undefined
  if (authentication !== "IAM_USER") {
    return yield* refuse("authentication", `${authentication} is not served: use IAM_USER, or none for public files`)
  }
  const key = credentials === undefined ? {} : Redacted.value(credentials)
  const [accessKeyId, secretKey] = [given(key.accessKeyId), given(key.secretKey)]
  if (accessKeyId === undefined || secretKey === undefined) {
    return yield* refuse("accessKey", "IAM_USER needs accessKeyId and secretKey")
  }
  return Redacted.make<AccessKey>({ accessKeyId, secretKey })
})

const notServed = ["azureContainerName", "path", "connectionString", "iamRole", "queueUrl", "skipInitialLoad"] as const

const typeNames: Readonly<Record<string, string>> = {
  gcs: "Google Cloud Storage",
  azureblobstorage: "Azure Blob Storage"
}

/** How the objects of a source are written. Fails with `SourceRefused` for what is not served. */
const encodingOf = Effect.fnUntraced(function* (source: ObjectStorageSource) {
  const { type } = source
  if (!types.some((one) => one === type)) {
    const name = typeNames[String(type)] ?? type
    return yield* refuse("type", `${name} is not served: use one of ${types.join(", ")}`)
  }
  const format = formats.find((one) => one === source.format)
  if (format === undefined) {
    return yield* refuse("format", `${source.format} is not served: use one of ${formats.join(", ")}`)
  }
  for (const field of notServed) if (source[field]) return yield* refuse(field, `${field} is not served`)
  const compression = compressions[given(source.compression) ?? "auto"]
  if (compression === undefined) {
    return yield* refuse("compression", `expected one of ${Object.keys(compressions).join(", ")}`)
  }
  return { format, compression }
})

/**
 * The options for the source of a pipe. Fails with `SourceRefused` for what is not served, and names the field.
 */
export const objectStorageOptionsOf = Effect.fnUntraced(function* (
  source: ObjectStorageSource,
  more: {
    readonly accessKey?: ObjectStorageCredentials | undefined
    /** The pipe's setting `object_storage_polling_interval_ms`. */
    readonly pollingIntervalMs?: number | null | undefined
  } = {}
) {
  const [delimiter, startAfter] = [given(source.delimiter), given(source.startAfter)]
  const encoding = yield* encodingOf(source)
  const url = source.url ?? ""
  const bucket = bucketOf(url)
  if ("refused" in bucket) return yield* refuse("url", bucket.refused)
  if (delimiter !== undefined && delimiter.length !== 1) return yield* refuse("delimiter", "expected one character")
  const interval = more.pollingIntervalMs ?? 0
  const accessKey = yield* accessKeyOf(source, more.accessKey)
  return {
    url,
    ...encoding,
    isContinuous: source.isContinuous === true,
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(startAfter === undefined ? {} : { startAfter }),
    ...(accessKey === undefined ? {} : { accessKey }),
    ...(interval > 0 ? { pollEvery: Duration.millis(interval) } : {})
  } satisfies ObjectStorageOptions
})
