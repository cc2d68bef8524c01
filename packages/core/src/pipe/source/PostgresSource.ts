import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../../schema/LooseStruct.ts"
import { login } from "./credentials.ts"
import type { SourceRules } from "./FieldRule.ts"
import { flag, known, text } from "./optionalFields.ts"
import {
  columnFields,
  replicationFields,
  replicationRules,
  serverAuthentications,
  serverFields,
  tableMappingsRule,
  targetFields
} from "./relationalFields.ts"

const types = [
  "postgres",
  "supabase",
  "neon",
  "alloydb",
  "planetscale",
  "rdspostgres",
  "aurorapostgres",
  "cloudsqlpostgres",
  "azurepostgres",
  "crunchybridge",
  "tigerdata"
] as const

/**
 * A table of a {@link PostgresSource} and its destination table. Contract: docs/wire-contract.md#source,
 * `tableMappings[]`.
 */
export const TableMapping = looseStruct({
  sourceSchemaName: text("The database schema of the source table."),
  sourceTable: text("The name of the source table."),
  ...targetFields,
  ...columnFields,
  partitionKey: text("The column by which the initial load is split."),
  partitionByExpr: text("The partition key of the destination table, as an SQL expression.")
}).pipe(
  withIdentifier("TableMapping", "A table of a relational source and the destination table that receives its rows.")
)
export type TableMapping = typeof TableMapping.Type

// Contract: docs/wire-contract.md#source, `source.postgres.settings`.
const PostgresSettings = looseStruct({
  ...replicationFields,
  enableFailoverSlots: flag("Whether the replication slot supports failover."),
  publicationName: text("The name of the publication."),
  replicationSlotName: text("The name of the replication slot.")
}).pipe(withIdentifier("PostgresSettings", "The replication settings of a relational source."))
type PostgresSettings = typeof PostgresSettings.Type

const fields = {
  type: known(types, "The kind of database server."),
  ...serverFields,
  settings: nullish(PostgresSettings, "The settings of the replication."),
  tableMappings: nullish(Schema.Array(TableMapping), "Which table of the source goes to which destination table.")
}

/** A source that is a replicated relational database. Contract: docs/wire-contract.md#source, `source.postgres`. */
export const PostgresSource = looseStruct(fields).pipe(
  withIdentifier("PostgresSource", "A source that is a replicated relational database.")
)
export type PostgresSource = typeof PostgresSource.Type

/** A {@link PostgresSource} in a request, with its credentials. */
export const PostgresSourceCreate = looseStruct({ ...fields, credentials: login }).pipe(
  withIdentifier("PostgresSourceCreate", "A new source that is a replicated relational database.")
)
export type PostgresSourceCreate = typeof PostgresSourceCreate.Type

/** The rules of a {@link PostgresSourceCreate}. */
export const postgresRules: SourceRules = {
  credentials: ["credentials"],
  fields: {
    type: { values: types },
    host: { isRequired: true },
    port: { isRequired: true, range: [1, 65_535] },
    database: { isRequired: true },
    settings: {
      isRequired: true,
      fields: {
        ...replicationRules,
        replicationSlotName: { onlyWith: [{ field: "replicationMode", is: ["cdc_only"] }] },
        enableFailoverSlots: { notWith: { field: "replicationSlotName" } }
      }
    },
    tableMappings: tableMappingsRule(["sourceSchemaName", "sourceTable"])
  },
  authentications: serverAuthentications,
  defaultAuthentication: "basic"
}
