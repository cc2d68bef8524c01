import * as Schema from "effect/Schema"
import { atMostOneOf, looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { pipeFields } from "./Pipe.ts"
import { PipeSourceCreate, pipeSourceKinds } from "./PipeSource.ts"
import { SettingsUpdate } from "./SettingsUpdate.ts"
import { BigQuerySourceCreate, DatasetMapping } from "./source/BigQuerySource.ts"
import { CollectionMapping, MongoDbSourceCreate } from "./source/MongoDbSource.ts"
import { MySqlSourceCreate, MySqlTableMapping } from "./source/MySqlSource.ts"
import { PostgresSourceCreate, TableMapping } from "./source/PostgresSource.ts"

/** The changes of `tableMappings` in an update. */
const mappingChanges = <Mapping extends Schema.Constraint>(mapping: Mapping) => ({
  tableMappingsToAdd: nullish(
    Schema.Array(mapping),
    "Table mappings that are added. The pipe must be paused or stopped."
  ),
  tableMappingsToRemove: nullish(
    Schema.Array(mapping),
    "Table mappings that are removed, found by the names of their source. The pipe must be paused or stopped."
  )
})

/** The changes of the source of a pipe. */
export const PipeSourceUpdate = looseStruct({
  ...PipeSourceCreate.schema.fields,
  postgres: nullish(
    looseStruct({ ...PostgresSourceCreate.schema.fields, ...mappingChanges(TableMapping) }).pipe(
      withIdentifier("PostgresSourceUpdate", "The changes of a relational source.")
    ),
    "A replicated relational database."
  ),
  mysql: nullish(
    looseStruct({ ...MySqlSourceCreate.schema.fields, ...mappingChanges(MySqlTableMapping) }).pipe(
      withIdentifier("MySqlSourceUpdate", "The changes of a MySQL source.")
    ),
    "A replicated MySQL or MariaDB database."
  ),
  mongodb: nullish(
    looseStruct({ ...MongoDbSourceCreate.schema.fields, ...mappingChanges(CollectionMapping) }).pipe(
      withIdentifier("MongoDbSourceUpdate", "The changes of a MongoDB source.")
    ),
    "A replicated MongoDB database."
  ),
  bigquery: nullish(
    looseStruct({ ...BigQuerySourceCreate.schema.fields, ...mappingChanges(DatasetMapping) }).pipe(
      withIdentifier("BigQuerySourceUpdate", "The changes of a BigQuery source.")
    ),
    "A BigQuery dataset."
  )
}).pipe(
  withIdentifier("PipeSourceUpdate", "The changes of the source of a pipe: of its own kind."),
  atMostOneOf(pipeSourceKinds)
)

/** The fields of {@link PipeUpdate}. */
const pipeUpdateFields = {
  name: nullish(Schema.String, "The name of the pipe: 1 to 255 characters."),
  source: nullish(PipeSourceUpdate, "The members of the source that change. The kind of a source cannot change."),
  destination: pipeFields.destination,
  fieldMappings: pipeFields.fieldMappings,
  settings: nullish(SettingsUpdate, "The settings that change; `null` restores the default.")
}

/**
 * The changes of a pipe. An absent field stays, and so does one that is `null` at the top level. Each member of
 * `source.<kind>` replaces the stored one, `null` removes it; credentials that are absent or `null` stay. The members of
 * `settings` are merged with the stored ones. Of `destination`, only `columns` can change.
 *
 * @example
 * ```ts
 * import type { PipeUpdate } from "@headgate/core"
 *
 * // Adds a table to a paused pipe.
 * export const update: PipeUpdate = {
 *   source: {
 *     postgres: {
 *       tableMappingsToAdd: [{ sourceSchemaName: "public", sourceTable: "refunds", targetTable: "refunds" }]
 *     }
 *   }
 * }
 * ```
 */
export const PipeUpdate = looseStruct(pipeUpdateFields).pipe(withIdentifier("PipeUpdate", "The changes of a pipe."))
export type PipeUpdate = typeof PipeUpdate.Type
