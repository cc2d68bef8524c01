import { integer, flag, known, text, texts } from "./optionalFields.ts"
import { atLeastOne, type FieldRule, type FieldRules } from "./FieldRule.ts"

/** How a database is replicated: continuously with or without an initial load, or by an initial load alone. */
export const replicationModes = ["cdc", "snapshot", "cdc_only"] as const

const tableEngines = ["MergeTree", "ReplacingMergeTree", "Null"] as const

/** The fields of the connection to a database that most database sources have. */
export const connectionFields = {
  tlsHost: text("The host name that the TLS certificate of the server must have."),
  caCertificate: text("The CA certificates that the server is verified with, in PEM."),
  disableTls: flag("Whether the connection is made without TLS."),
  skipCertVerification: flag("Whether the certificate of the server is not verified.")
}

/** The fields of a relational server. */
export const serverFields = {
  host: text("The host name or IP address of the database server."),
  port: integer("The port of the database server."),
  database: text("The name of the database."),
  authentication: known(
    ["basic", "IAM_ROLE", "SERVICE_ACCOUNT_WORKLOAD_IDENTITY"],
    "The authentication method of the database server."
  ),
  iamRole: text("The identifier of the cloud role that the pipe uses."),
  ...connectionFields
}

/** The fields of the replication that most database sources have. */
export const replicationFields = {
  replicationMode: known(replicationModes, "What is copied: the initial load, the changes, or both."),
  syncIntervalSeconds: integer("The interval between two reads of changes, in seconds."),
  pullBatchSize: integer("The size of a batch during replication, in rows."),
  allowNullableColumns: flag(
    "Whether nullable columns of the source stay nullable; if not, NULL becomes the default value of the type."
  ),
  initialLoadParallelism: integer("The number of parallel workers per table during the initial load."),
  snapshotNumRowsPerPartition: integer("The size of a partition during the initial load, in rows."),
  snapshotNumberOfParallelTables: integer("The number of tables that are loaded in parallel."),
  deleteOnMerge: flag("Whether a row that is deleted in the source is deleted in a ReplacingMergeTree table.")
}

/** The fields of a table mapping that every database source has. */
export const targetFields = {
  targetTable: text("The name of the destination table."),
  tableEngine: known(tableEngines, "The engine of the destination table.")
}

/** The fields of a table mapping that choose columns. */
export const columnFields = {
  excludedColumns: texts("The names of the columns that are not copied."),
  sortingKeys: texts("The columns of the sorting key of the destination table, in order."),
  useCustomSortingKey: flag("Whether `sortingKeys` is the sorting key; if not, the primary key of the source table is.")
}

/** The bounds of {@link replicationFields}. */
export const replicationRules: FieldRules = {
  replicationMode: { isRequired: true, values: replicationModes },
  syncIntervalSeconds: atLeastOne,
  pullBatchSize: atLeastOne,
  initialLoadParallelism: atLeastOne,
  snapshotNumRowsPerPartition: { range: [1000, Number.MAX_SAFE_INTEGER] },
  snapshotNumberOfParallelTables: atLeastOne
}

/** The rules of a table mapping, whose source has the given names, and of more fields. */
export const tableMappingsRule = (names: ReadonlyArray<string>, more: FieldRules = {}): FieldRule => ({
  isRequired: true,
  fields: {
    ...more,
    ...Object.fromEntries([...names, "targetTable"].map((name) => [name, { isRequired: true }])),
    tableEngine: { values: tableEngines },
    excludedColumns: { isUnique: true },
    sortingKeys: { isRequired: { field: "useCustomSortingKey", is: [true] }, isUnique: true }
  }
})

/**
 * The authentication methods of a relational server. A role or a service account may come with the database user that it logs in
 * as.
 */
export const serverAuthentications = {
  basic: [["credentials.username", "credentials.password"]],
  IAM_ROLE: [["iamRole"], ["iamRole", "credentials.username"]],
  SERVICE_ACCOUNT_WORKLOAD_IDENTITY: [[], ["credentials.username"]]
}
