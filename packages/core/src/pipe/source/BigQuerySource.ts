import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { looseStruct, nullish, withIdentifier } from "../../schema/LooseStruct.ts"
import { serviceAccount } from "./credentials.ts"
import { atLeastOne, type FieldRule, type SourceRules } from "./FieldRule.ts"
import { integer, known, text } from "./optionalFields.ts"
import {
  columnFields,
  replicationFields,
  replicationModes,
  replicationRules,
  tableMappingsRule,
  targetFields
} from "./relationalFields.ts"

const authentications = ["SERVICE_ACCOUNT", "SERVICE_ACCOUNT_WORKLOAD_IDENTITY"] as const
const replicationMethods = ["query_based", "events_based"] as const
const eventsFunctions = ["appends", "changes"] as const

/** A table of a {@link BigQuerySource} and its destination table. */
export const DatasetMapping = looseStruct({
  sourceDatasetName: text("The dataset of the source table."),
  sourceTable: text("The name of the source table."),
  ...targetFields,
  ...columnFields,
  queryCdcWatermarkColumn: text("The TIMESTAMP column of the source by which changes are found: `query_based` alone."),
  eventsFunction: known(eventsFunctions, "The table function that changes are read with: `events_based` alone.")
}).pipe(withIdentifier("DatasetMapping", "A table of a dataset and the destination table that receives its rows."))
export type DatasetMapping = typeof DatasetMapping.Type

const BigQuerySettings = looseStruct({
  ...Struct.omit(replicationFields, ["deleteOnMerge", "pullBatchSize"]),
  replicationMethod: known(
    replicationMethods,
    "How changes are found: by a column with a time, or in the change history."
  ),
  queryCdcPullSyncParallelism: integer("The number of tables whose changes are read in parallel."),
  syncDelaySeconds: integer("The age that a change must have to be read, in seconds."),
  pullWindowSizeSeconds: integer("The longest time whose changes are read by one query, in seconds."),
  syncCron: text("When changes are read, as a cron expression of 5 fields, in UTC. Not with `syncIntervalSeconds`.")
}).pipe(withIdentifier("BigQuerySettings", "The settings of the replication of a BigQuery source."))
type BigQuerySettings = typeof BigQuerySettings.Type

const fields = {
  snapshotStagingPath: text("The path of the bucket in which the data is staged, such as `gs://bucket/staging/`."),
  authentication: known(authentications, "The authentication method of the dataset. Absent: `SERVICE_ACCOUNT`."),
  projectId: text("The project that owns the dataset."),
  settings: nullish(BigQuerySettings, "The settings of the replication."),
  tableMappings: nullish(Schema.Array(DatasetMapping), "Which table of the source goes to which destination table.")
}

/** A source that is a BigQuery dataset. */
export const BigQuerySource = looseStruct(fields).pipe(
  withIdentifier("BigQuerySource", "A source that is a BigQuery dataset.")
)
export type BigQuerySource = typeof BigQuerySource.Type

/** A {@link BigQuerySource} in a request, with its credentials. */
export const BigQuerySourceCreate = looseStruct({ ...fields, credentials: serviceAccount }).pipe(
  withIdentifier("BigQuerySourceCreate", "A new source that is a BigQuery dataset.")
)
export type BigQuerySourceCreate = typeof BigQuerySourceCreate.Type

const readsChanges = { field: "replicationMode", is: ["cdc", "cdc_only"] }
const ofChanges: FieldRule = { ...atLeastOne, onlyWith: [readsChanges] }
const names = ["sourceDatasetName", "sourceTable"]
const eventsFunction: FieldRule = { values: eventsFunctions }

/** The rules of a {@link BigQuerySourceCreate}. */
export const bigqueryRules: SourceRules = {
  credentials: ["credentials"],
  fields: {
    snapshotStagingPath: { isRequired: true },
    settings: {
      isRequired: true,
      fields: {
        ...replicationRules,
        replicationMode: { isRequired: true, values: replicationModes },
        replicationMethod: { isRequired: readsChanges, onlyWith: [readsChanges], values: replicationMethods },
        syncIntervalSeconds: ofChanges,
        queryCdcPullSyncParallelism: ofChanges,
        syncDelaySeconds: { ...ofChanges, range: [0, Number.MAX_SAFE_INTEGER] },
        pullWindowSizeSeconds: ofChanges,
        syncCron: { onlyWith: [readsChanges], notWith: { field: "syncIntervalSeconds" } }
      }
    },
    tableMappings: tableMappingsRule(names, { eventsFunction })
  },
  fieldsByType: {
    query_based: {
      tableMappings: tableMappingsRule(names, { queryCdcWatermarkColumn: { isRequired: true }, eventsFunction })
    },
    events_based: {
      tableMappings: tableMappingsRule(names, { eventsFunction: { ...eventsFunction, isRequired: true } })
    }
  },
  typeField: "settings.replicationMethod",
  authentications: {
    SERVICE_ACCOUNT: [["credentials.serviceAccountFile"]],
    SERVICE_ACCOUNT_WORKLOAD_IDENTITY: [["projectId"]]
  },
  defaultAuthentication: "SERVICE_ACCOUNT"
}
