import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../../schema/LooseStruct.ts"
import { login } from "./credentials.ts"
import type { FieldRule, SourceRules } from "./FieldRule.ts"
import { flag, integer, known, text } from "./optionalFields.ts"
import {
  columnFields,
  replicationFields,
  replicationRules,
  serverAuthentications,
  serverFields,
  tableMappingsRule,
  targetFields
} from "./relationalFields.ts"

const types = ["mysql", "rdsmysql", "auroramysql", "cloudsqlmysql", "mariadb", "rdsmariadb"] as const
const replicationMechanisms = ["GTID", "FILE_POS"] as const

/** A table of a {@link MySqlSource} and its destination table. */
export const MySqlTableMapping = looseStruct({
  sourceSchemaName: text("The database of the source table."),
  sourceTable: text("The name of the source table."),
  ...targetFields,
  ...columnFields,
  partitionKey: text("The column by which the initial load is split."),
  partitionByExpr: text("The partition key of the destination table, as an SQL expression.")
}).pipe(withIdentifier("MySqlTableMapping", "A table of a MySQL source and the destination table of its rows."))
export type MySqlTableMapping = typeof MySqlTableMapping.Type

const MySqlSettings = looseStruct({
  ...replicationFields,
  replicationMechanism: known(
    replicationMechanisms,
    "How the position in the binary log is kept: MariaDB takes `GTID` only."
  ),
  useCompression: flag("Whether the connection is compressed.")
}).pipe(withIdentifier("MySqlSettings", "The replication settings of a MySQL source."))
type MySqlSettings = typeof MySqlSettings.Type

const fields = {
  type: known(types, "The kind of database server."),
  ...serverFields,
  serverId: integer("The `server_id` of the pipe in the replication topology."),
  settings: nullish(MySqlSettings, "The settings of the replication."),
  tableMappings: nullish(Schema.Array(MySqlTableMapping), "Which table of the source goes to which destination table.")
}

/** A source that is a replicated MySQL or MariaDB database. */
export const MySqlSource = looseStruct(fields).pipe(
  withIdentifier("MySqlSource", "A source that is a replicated MySQL or MariaDB database.")
)
export type MySqlSource = typeof MySqlSource.Type

/** A {@link MySqlSource} in a request, with its credentials. */
export const MySqlSourceCreate = looseStruct({ ...fields, credentials: login }).pipe(
  withIdentifier("MySqlSourceCreate", "A new source that is a replicated MySQL or MariaDB database.")
)
export type MySqlSourceCreate = typeof MySqlSourceCreate.Type

const settingsRule = (mechanisms: ReadonlyArray<string>): FieldRule => ({
  isRequired: true,
  fields: { ...replicationRules, replicationMechanism: { values: mechanisms } }
})

const mariaDb = { settings: settingsRule(["GTID"]) }

/** The rules of a {@link MySqlSourceCreate}. */
export const mysqlRules: SourceRules = {
  credentials: ["credentials"],
  fields: {
    type: { values: types },
    host: { isRequired: true },
    port: { isRequired: true, range: [1, 65_535] },
    serverId: { range: [1, 4_294_967_295] },
    settings: settingsRule(replicationMechanisms),
    tableMappings: tableMappingsRule(["sourceSchemaName", "sourceTable"])
  },
  fieldsByType: { mariadb: mariaDb, rdsmariadb: mariaDb },
  authentications: serverAuthentications,
  defaultAuthentication: "basic"
}
