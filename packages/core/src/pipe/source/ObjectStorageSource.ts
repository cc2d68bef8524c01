import { looseStruct, nullish, withIdentifier } from "../../schema/LooseStruct.ts"
import { secretText } from "../../schema/fieldSchemas.ts"
import { accessKey } from "./credentials.ts"
import { noUserInformation, type SourceRules } from "./FieldRule.ts"
import { flag, known, text } from "./optionalFields.ts"

const types = ["s3", "gcs", "dospaces", "azureblobstorage", "cloudflarer2", "ovhobjectstorage"] as const
const formats = [
  "JSONEachRow",
  "JSONAsObject",
  "CSV",
  "CSVWithNames",
  "TabSeparated",
  "TabSeparatedWithNames",
  "Parquet",
  "Avro"
] as const
const compressions = ["none", "gzip", "gz", "brotli", "br", "xz", "LZMA", "zstd", "auto"] as const
const authentications = [
  "IAM_ROLE",
  "IAM_USER",
  "CONNECTION_STRING",
  "SERVICE_ACCOUNT",
  "SERVICE_ACCOUNT_WORKLOAD_IDENTITY"
] as const

const fields = {
  type: known(types, "The kind of object storage."),
  format: known(formats, "The format of the files."),
  url: text("The URL of the files; may contain wildcards."),
  path: text("The path of the files in an Azure container; may contain wildcards."),
  azureContainerName: text("The name of the Azure container."),
  authentication: known(authentications, "The authentication method. Absent: the files are public."),
  connectionString: nullish(
    secretText("connectionString"),
    "The connection string of Azure Blob Storage. It contains credentials."
  ),
  iamRole: text("The identifier of the cloud role that the pipe uses."),
  queueUrl: text("The URL of the queue that announces new files."),
  compression: known(compressions, "The compression of the files."),
  delimiter: text("The delimiter between the values of a line."),
  isContinuous: flag("Whether the pipe keeps reading new files, or reads the files once."),
  skipInitialLoad: flag("Whether only the files that the queue announces are read."),
  startAfter: text("The key of the last file that the initial load skips.")
}

/**
 * An object storage source. Contract: docs/wire-contract.md#source, `source.objectStorage`. Its `connectionString` is a
 * secret: it is `Redacted`, so it prints as a label, and only `Redacted.value` returns it.
 *
 * @example
 * ```ts
 * import { ObjectStorageSource } from "@headgate/core"
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
export const ObjectStorageSource = looseStruct(fields).pipe(
  withIdentifier("ObjectStorageSource", "A source that is files in object storage.")
)
export type ObjectStorageSource = typeof ObjectStorageSource.Type

/** An {@link ObjectStorageSource} in a request, with its credentials. */
export const ObjectStorageSourceCreate = looseStruct({
  ...fields,
  accessKey,
  serviceAccountKey: nullish(
    secretText("serviceAccountKey"),
    "The JSON key of the service account, as base64. Write-only."
  )
}).pipe(withIdentifier("ObjectStorageSourceCreate", "A new source that is files in object storage."))
export type ObjectStorageSourceCreate = typeof ObjectStorageSourceCreate.Type

const withUrl = types.filter((type) => type !== "azureblobstorage")

/** The rules of an {@link ObjectStorageSourceCreate}. */
export const objectStorageRules: SourceRules = {
  credentials: ["accessKey", "serviceAccountKey"],
  answeredSecrets: ["connectionString"],
  fields: {
    type: { isRequired: true, values: types },
    format: { isRequired: true, values: formats },
    url: { isRequired: { field: "type", is: withUrl }, pattern: noUserInformation },
    azureContainerName: { isRequired: { field: "type", is: ["azureblobstorage"] } },
    compression: { values: compressions },
    queueUrl: {
      onlyWith: [{ field: "isContinuous", is: [true] }, { field: "authentication" }],
      pattern: noUserInformation
    },
    skipInitialLoad: { onlyWith: [{ field: "queueUrl" }] },
    startAfter: { notWith: { field: "skipInitialLoad", is: [true] } }
  },
  authentications: {
    IAM_ROLE: [["iamRole"]],
    IAM_USER: [["accessKey.accessKeyId", "accessKey.secretKey"]],
    CONNECTION_STRING: [["connectionString"]],
    SERVICE_ACCOUNT: [["serviceAccountKey"]],
    SERVICE_ACCOUNT_WORKLOAD_IDENTITY: [[]]
  },
  authenticationsByType: {
    s3: ["IAM_ROLE", "IAM_USER"],
    gcs: ["IAM_USER", "SERVICE_ACCOUNT", "SERVICE_ACCOUNT_WORKLOAD_IDENTITY"],
    dospaces: ["IAM_USER"],
    azureblobstorage: ["CONNECTION_STRING"],
    cloudflarer2: ["IAM_USER"],
    ovhobjectstorage: ["IAM_USER"]
  }
}
