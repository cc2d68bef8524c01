import { Connection, type ConnectionId, OrganizationId } from "@headgate/core"
import {
  type ConnectionRecord,
  connectionRules,
  notFound,
  OrganizationConnections,
  Sealing,
  secretNames,
  withVersion
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import type { ResealText } from "../internal/openSealed.ts"
import { type DocumentTable, sqlDocuments } from "./sqlDocuments.ts"

const encodeConnection = Schema.encodeEffect(Schema.fromJsonString(Connection))

const Row = Schema.Struct({
  organization_id: OrganizationId,
  document: Schema.fromJsonString(Connection),
  version: Schema.Int
})
const SealedRow = Schema.Struct({
  ...Row.fields,
  credentials: Schema.NullOr(Schema.fromJsonString(Schema.Struct({ password: Schema.String })))
})

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))
const decodeSealedRows = Schema.decodeUnknownEffect(Schema.Array(SealedRow))

const toRecord = ({ document, organization_id, version }: typeof Row.Type): ConnectionRecord => ({
  organizationId: organization_id,
  connection: withVersion(document, version)
})

const toSealedRecord = (row: typeof SealedRow.Type): ConnectionRecord => ({
  ...toRecord(row),
  ...(row.credentials === null ? {} : { password: Redacted.make(row.credentials.password, { label: "password" }) })
})

/**
 * The table of connections. Their credentials are JSON text in a column of their own. The password of a record that is written
 * must be sealed, and is sealed in one that is read.
 */
export const connectionTable: DocumentTable<ConnectionRecord> = {
  table: "connection",
  idOf: ({ connection }) => connection.id,
  ownerOf: ({ organizationId }) => organizationId,
  encode: ({ connection, password }) =>
    Effect.map(encodeConnection(connection), (document) => ({
      document,
      ...(password === undefined ? {} : { credentials: JSON.stringify({ password: Redacted.value(password) }) })
    })),
  decode: (rows) => Effect.map(decodeSealedRows(rows), (rows) => rows.map(toSealedRecord))
}

/** A record with another password. `context` names the connection and the field. */
const mapPassword = (
  record: ConnectionRecord,
  replace: (password: string, context: string) => Effect.Effect<string>
): Effect.Effect<ConnectionRecord> => {
  const { connection, password } = record
  if (password === undefined) return Effect.succeed(record)
  return Effect.map(replace(Redacted.value(password), secretNames.connection(connection.id)), (replaced) => ({
    ...record,
    password: Redacted.make(replaced, { label: "password" })
  }))
}

/** Seals the password of a record before it is stored. */
export const sealPassword = ({ seal }: Sealing["Service"], record: ConnectionRecord) => mapPassword(record, seal)

/**
 * The table of connections, for records whose passwords are not sealed. Rows are read without their passwords, which no answer
 * holds: one that is damaged keeps no connection from being read, changed or deleted.
 */
const unsealedTable = (sealing: Sealing["Service"]): DocumentTable<ConnectionRecord> => ({
  ...connectionTable,
  encode: (record) => Effect.flatMap(sealPassword(sealing, record), connectionTable.encode),
  decode: (rows) => Effect.map(decodeRows(rows), (rows) => rows.map(toRecord))
})

/** Seals every password with another key. */
export const resealPasswords = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, resealText: ResealText) {
  const sealed = yield* connectionTable.decode(yield* sql`SELECT * FROM connection WHERE credentials IS NOT NULL`)
  for (const record of sealed) {
    const { credentials } = yield* connectionTable.encode(yield* mapPassword(record, resealText))
    yield* sql`UPDATE connection SET credentials = ${credentials ?? null} WHERE id = ${record.connection.id}`
  }
})

const layer: Layer.Layer<OrganizationConnections, never, SqlClient.SqlClient | SecureRandom | Sealing> = Layer.effect(
  OrganizationConnections,
  Effect.gen(function* () {
    const table = unsealedTable(yield* Sealing)
    const of = yield* sqlDocuments({
      counted: "connections",
      name: "SqlConnections",
      table,
      documentOf: ({ connection }: ConnectionRecord) => connection,
      idIn: ({ connectionId }: { readonly connectionId: ConnectionId }) => connectionId,
      notFound: (connectionId: ConnectionId) => notFound("ConnectionNotFound", { connectionId }),
      ...connectionRules,
      // A password that is absent in the request stays.
      removed: ({ password }) => (password === null ? { credentials: null } : {})
    })
    return { of }
  })
)

/** The `OrganizationConnections` port over SQL. Passwords are stored sealed. */
export const SqlConnections = { layer }
