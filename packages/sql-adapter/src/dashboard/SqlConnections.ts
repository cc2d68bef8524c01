import { Connection, OrganizationId } from "@headgate/core"
import {
  connectionNotFound,
  type ConnectionRecord,
  makeConnection,
  OrganizationConnections,
  replaceConnection,
  withVersion
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { SqlClient } from "effect/sql/SqlClient"
import { type DocumentTable, sqlDocuments } from "./sqlDocuments.ts"

const encodeConnection = Schema.encodeEffect(Schema.fromJsonString(Connection))

const Row = Schema.Struct({
  organization_id: OrganizationId,
  document: Schema.fromJsonString(Connection),
  version: Schema.Int,
  credentials: Schema.NullOr(Schema.fromJsonString(Schema.Struct({ password: Schema.String })))
})

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

const toRecord = ({ credentials, document, organization_id, version }: typeof Row.Type): ConnectionRecord => ({
  organizationId: organization_id,
  connection: withVersion(document, version),
  ...(credentials === null ? {} : { password: Redacted.make(credentials.password, { label: "password" }) })
})

/** The table of connections. Their credentials are JSON text in a column of their own. */
export const connectionTable: DocumentTable<ConnectionRecord> = {
  table: "connection",
  idOf: ({ connection }) => connection.id,
  ownerOf: ({ organizationId }) => organizationId,
  encode: ({ connection, password }) =>
    Effect.map(encodeConnection(connection), (document) => ({
      document,
      credentials: password === undefined ? null : JSON.stringify({ password: Redacted.value(password) })
    })),
  decode: (rows) => Effect.map(decodeRows(rows), (rows) => rows.map(toRecord))
}

const layer: Layer.Layer<OrganizationConnections, never, SqlClient | SecureRandom> = Layer.effect(
  OrganizationConnections,
  Effect.map(
    sqlDocuments({
      counted: "connections",
      name: "SqlConnections",
      table: connectionTable,
      documentOf: ({ connection }: ConnectionRecord) => connection,
      notFound: connectionNotFound,
      make: makeConnection,
      replace: replaceConnection
    }),
    (of) => ({ of })
  )
)

/** The `OrganizationConnections` port over SQL. */
export const SqlConnections = { layer }
