import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { looseStruct, nullish, withIdentifier } from "../../schema/LooseStruct.ts"
import { login } from "./credentials.ts"
import { noUserInformation, type SourceRules } from "./FieldRule.ts"
import { flag, known, text } from "./optionalFields.ts"
import {
  connectionFields,
  replicationFields,
  replicationRules,
  tableMappingsRule,
  targetFields
} from "./relationalFields.ts"

const readPreferences = ["primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"] as const

/** A collection of a {@link MongoDbSource} and its destination table. */
export const CollectionMapping = looseStruct({
  sourceDatabaseName: text("The database of the source collection."),
  sourceCollection: text("The name of the source collection."),
  ...targetFields
}).pipe(withIdentifier("CollectionMapping", "A collection of a source and the destination table of its documents."))
export type CollectionMapping = typeof CollectionMapping.Type

const MongoDbSettings = looseStruct({
  ...Struct.omit(replicationFields, ["allowNullableColumns", "initialLoadParallelism"]),
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
    tableMappings: tableMappingsRule("sourceDatabaseName", "sourceCollection"),
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
