import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"
import { TableMapping } from "./TableMapping.ts"

/** How a relational source is replicated; sizes are in rows. Contract: section 2.2.4, `source.postgres.settings`. */
export const PostgresSettings = openStruct({
  allowNullableColumns: absentOrNull(Schema.Boolean),
  enableFailoverSlots: absentOrNull(Schema.Boolean),
  initialLoadParallelism: absentOrNull(Schema.Int),
  publicationName: absentOrNull(Schema.String),
  /** In rows. */
  pullBatchSize: absentOrNull(Schema.Int),
  replicationSlotName: absentOrNull(Schema.String),
  /** In rows. */
  snapshotNumRowsPerPartition: absentOrNull(Schema.Int),
  snapshotNumberOfParallelTables: absentOrNull(Schema.Int),
  /** In seconds. */
  syncIntervalSeconds: absentOrNull(Schema.Int)
}).pipe(identified("PostgresSettings"))
/** What {@link PostgresSettings} decodes to. */
export type PostgresSettings = typeof PostgresSettings.Type

/** A replicated relational database as a source. Contract: section 2.2.4, `source.postgres`. */
export const PostgresSource = openStruct({
  host: absentOrNull(Schema.String),
  port: absentOrNull(Schema.Int),
  database: absentOrNull(Schema.String),
  settings: absentOrNull(PostgresSettings),
  tableMappings: absentOrNull(Schema.Array(TableMapping))
}).pipe(identified("PostgresSource"))
/** What {@link PostgresSource} decodes to. */
export type PostgresSource = typeof PostgresSource.Type
