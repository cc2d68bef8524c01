import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { looseStruct, nullish, withIdentifier } from "../../schema/LooseStruct.ts"
import { serviceAccount } from "./credentials.ts"
import type { SourceRules } from "./FieldRule.ts"
import { known, text } from "./optionalFields.ts"
import {
  columnFields,
  replicationFields,
  replicationRules,
  tableMappingsRule,
  targetFields
} from "./relationalFields.ts"

const bigqueryModes = ["snapshot"] as const

/** A table of a {@link BigQuerySource} and its destination table. */
export const DatasetMapping = looseStruct({
  sourceDatasetName: text("The dataset of the source table."),
  sourceTable: text("The name of the source table."),
  ...targetFields,
  ...columnFields
}).pipe(withIdentifier("DatasetMapping", "A table of a dataset and the destination table that receives its rows."))
export type DatasetMapping = typeof DatasetMapping.Type

const BigQuerySettings = looseStruct({
  ...Struct.omit(replicationFields, ["deleteOnMerge", "pullBatchSize", "syncIntervalSeconds"]),
  replicationMode: known(bigqueryModes, "What is copied: the initial load alone.")
}).pipe(withIdentifier("BigQuerySettings", "The settings of the initial load of a BigQuery source."))
type BigQuerySettings = typeof BigQuerySettings.Type

const fields = {
  snapshotStagingPath: text("The path of the bucket in which the data is staged, such as `gs://bucket/staging/`."),
  settings: nullish(BigQuerySettings, "The settings of the initial load."),
  tableMappings: nullish(Schema.Array(DatasetMapping), "Which table of the source goes to which destination table.")
}

/** A source that is a BigQuery dataset, which is copied once. */
export const BigQuerySource = looseStruct(fields).pipe(
  withIdentifier("BigQuerySource", "A source that is a BigQuery dataset, which is copied once.")
)
export type BigQuerySource = typeof BigQuerySource.Type

/** A {@link BigQuerySource} in a request, with its credentials. */
export const BigQuerySourceCreate = looseStruct({ ...fields, credentials: serviceAccount }).pipe(
  withIdentifier("BigQuerySourceCreate", "A new source that is a BigQuery dataset.")
)
export type BigQuerySourceCreate = typeof BigQuerySourceCreate.Type

/** The rules of a {@link BigQuerySourceCreate}. */
export const bigqueryRules: SourceRules = {
  credentials: ["credentials"],
  fields: {
    snapshotStagingPath: { isRequired: true },
    settings: { isRequired: true, fields: { ...replicationRules, replicationMode: { values: bigqueryModes } } },
    tableMappings: tableMappingsRule("sourceDatasetName", "sourceTable"),
    credentials: { isRequired: true, fields: { serviceAccountFile: { isRequired: true } } }
  }
}
