import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { looseStruct, nullish, withIdentifier } from "../../schema/LooseStruct.ts"
import { login } from "./credentials.ts"
import { noUserInformation, type SourceRules } from "./FieldRule.ts"
import { flag, known, text, texts } from "./optionalFields.ts"
import {
  connectionFields,
  replicationFields,
  replicationRules,
  tableMappingsRule,
  targetFields
} from "./relationalFields.ts"

const readPreferences = ["primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"] as const

const TypedColumn = looseStruct({
  name: text("The name of a field at the top of the documents."),
  type: text("The data type of the column, as the database writes it.")
}).pipe(withIdentifier("TypedColumn", "A field of the documents that has a column of its own."))
type TypedColumn = typeof TypedColumn.Type

const StructuredIngestion = looseStruct({
  enabled: flag(
    "Whether the fields of the documents have columns of their own, instead of one column for the document."
  ),
  dropUnexpectedValues: flag("Whether an error about a value that its column cannot take leaves out the value."),
  columns: nullish(Schema.Array(TypedColumn), "The columns. Absent: they are inferred from some documents."),
  excludedColumns: texts("The names of the columns that are not copied."),
  sortingKeys: texts(
    "The columns of the sorting key of the destination table, in order. Absent: that of the document."
  ),
  partitionByExpr: text("The partition key of the destination table, as an SQL expression.")
}).pipe(withIdentifier("StructuredIngestion", "How the fields of documents become columns."))
type StructuredIngestion = typeof StructuredIngestion.Type

/** A collection of a {@link MongoDbSource} and its destination table. */
export const CollectionMapping = looseStruct({
  sourceDatabaseName: text("The database of the source collection."),
  sourceCollection: text("The name of the source collection."),
  ...targetFields,
  structuredIngestion: nullish(StructuredIngestion, "How the fields of the documents become columns.")
}).pipe(withIdentifier("CollectionMapping", "A collection of a source and the destination table of its documents."))
export type CollectionMapping = typeof CollectionMapping.Type

const MongoDbSettings = looseStruct({
  ...Struct.omit(replicationFields, ["allowNullableColumns"]),
  useJsonNativeFormat: flag("Whether documents are stored in the JSON type of the database; if not, as text.")
}).pipe(withIdentifier("MongoDbSettings", "The replication settings of a MongoDB source."))
type MongoDbSettings = typeof MongoDbSettings.Type

const fields = {
  uri: text("The connection URI, without user information."),
  readPreference: known(readPreferences, "From which members of a replica set the pipe reads."),
  ...connectionFields,
  settings: nullish(MongoDbSettings, "The settings of the replication."),
  tableMappings: nullish(
    Schema.Array(CollectionMapping),
    "Which collection of the source goes to which destination table."
  )
}

/** A source that is a replicated MongoDB database. */
export const MongoDbSource = looseStruct(fields).pipe(
  withIdentifier("MongoDbSource", "A source that is a replicated MongoDB database.")
)
export type MongoDbSource = typeof MongoDbSource.Type

/** A {@link MongoDbSource} in a request, with its credentials. */
export const MongoDbSourceCreate = looseStruct({ ...fields, credentials: login }).pipe(
  withIdentifier("MongoDbSourceCreate", "A new source that is a replicated MongoDB database.")
)
export type MongoDbSourceCreate = typeof MongoDbSourceCreate.Type

/** The rules of a {@link MongoDbSourceCreate}. */
export const mongodbRules: SourceRules = {
  credentials: ["credentials"],
  fields: {
    uri: { isRequired: true, pattern: noUserInformation },
    readPreference: { isRequired: true, values: readPreferences },
    settings: { isRequired: true, fields: replicationRules },
    tableMappings: tableMappingsRule(["sourceDatabaseName", "sourceCollection"], {
      structuredIngestion: {
        fields: {
          enabled: { isRequired: true },
          columns: { fields: { name: { isRequired: true }, type: { isRequired: true } } },
          excludedColumns: { isUnique: true },
          sortingKeys: { isUnique: true }
        }
      }
    }),
    credentials: { isRequired: true, fields: { username: { isRequired: true }, password: { isRequired: true } } }
  },
  // Official clients rely on these four in the answer to a creation, and on no default of another source.
  defaultSettings: {
    pullBatchSize: 100_000,
    snapshotNumRowsPerPartition: 100_000,
    snapshotNumberOfParallelTables: 1,
    syncIntervalSeconds: 60
  }
}
