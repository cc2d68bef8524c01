import { Dashboard, OrganizationId, Role, Timestamp } from "@headgate/core"
import {
  type DocumentKindName,
  documentKinds,
  type DocumentRecord,
  type KindName,
  type KindRecords,
  mapKinds,
  pipeLifecycle,
  type Sealing,
  type TransitionTime
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Statement } from "effect/sql/Statement"
import { makeInsertToken, tokenColumns, TokenRow } from "../access/SqlTokens.ts"
import { connectionTable, sealPassword } from "../dashboard/SqlConnections.ts"
import { makeInsertDashboard } from "../dashboard/SqlDashboards.ts"
import { documentTable, sealDocument } from "../dashboard/SqlDocumentStores.ts"
import { type DocumentTable, makeInsertDocument } from "../dashboard/sqlDocuments.ts"
import { sourceTable } from "../dashboard/SqlSources.ts"
import { keyColumns, KeyRow, makeInsertKey, toKeyRecord } from "../key/KeyRow.ts"
import { makeInsertRole } from "../key/SqlRoles.ts"
import { OrganizationRow } from "../organization/SqlOrganizations.ts"
import { makeInsertPipe, makeSelectRecords } from "../pipe/PipeRow.ts"
import { sealImported } from "../pipe/pipeSecrets.ts"
import { makeInsertEndpoint, makeSelectEndpoints } from "../service/EndpointRow.ts"
import { makeInsertService, makeSelectServices } from "../service/ServiceRow.ts"

type Failure = SqlError | Schema.SchemaError

/** How the resources of one kind are stored. */
interface SqlKind<Stored> {
  /** All of them, oldest first, with their secrets sealed. */
  readonly select: Effect.Effect<ReadonlyArray<Stored>, Failure>
  /**
   * Inserts a resource with sealed secrets unless it exists. Returns whether it inserted it. One in a passing state goes on from
   * `start`, the time of the import.
   */
  readonly insert: (stored: Stored, start: TransitionTime) => Effect.Effect<boolean, Failure>
  /** Seals the secrets of a resource; `undefined`: it has none. */
  readonly seal: ((sealing: Sealing["Service"], stored: Stored) => Effect.Effect<Stored>) | undefined
}

/** How the resources of each kind are stored. */
export type SqlKinds = { readonly [Kind in KindName]: SqlKind<KindRecords[Kind]> }

const RoleRow = Schema.Struct({ organizationId: OrganizationId, role: Schema.fromJsonString(Role) })
const DashboardRow = Schema.Struct({ organizationId: OrganizationId, dashboard: Schema.fromJsonString(Dashboard) })

const encodeTimestamp = Schema.encodeEffect(Timestamp)

const all = <Row extends Schema.Constraint>(Result: Row, statement: Statement<object>) =>
  Effect.suspend(SqlSchema.findAll({ Request: Schema.Void, Result, execute: () => statement }))

/** Each kind over this database. */
export const makeSqlKinds = (sql: SqlClient.SqlClient): SqlKinds => {
  const oldestFirst = sql`ORDER BY seq`
  const owner = sql`organization_id AS "organizationId"`
  const insertEndpoint = makeInsertEndpoint(sql)
  const insertPipe = makeInsertPipe(sql)
  const insertRole = makeInsertRole(sql)
  const insertDashboard = makeInsertDashboard(sql)
  const inTable = <Stored>(table: DocumentTable<Stored>) => ({
    select: Effect.flatMap(sql`SELECT * FROM ${sql(table.table)} ${oldestFirst}`, table.decode),
    insert: makeInsertDocument(sql, table)
  })
  const documents = (kind: DocumentKindName): SqlKind<DocumentRecord> => ({
    ...inTable(documentTable(kind)),
    seal: (sealing, stored) => sealDocument(sealing, kind, stored)
  })
  return {
    organizations: {
      select: all(OrganizationRow, sql`SELECT id, name, created_at AS "createdAt" FROM organization ${oldestFirst}`),
      insert: Effect.fnUntraced(function* ({ createdAt, id, name }) {
        const inserted = yield* sql`
          INSERT INTO organization (id, name, created_at) VALUES (${id}, ${name}, ${yield* encodeTimestamp(createdAt)})
          ON CONFLICT (id) DO NOTHING RETURNING id`
        return inserted.length > 0
      }),
      seal: undefined
    },
    services: { select: makeSelectServices(sql)(oldestFirst), insert: makeInsertService(sql), seal: undefined },
    endpoints: {
      select: makeSelectEndpoints(sql)(oldestFirst),
      insert: ({ endpoint, organizationId }) => insertEndpoint(organizationId, endpoint),
      seal: undefined
    },
    pipes: {
      select: Effect.map(makeSelectRecords(sql)(sql`TRUE`), (held) =>
        held.map(({ record, organizationId }) => ({ organizationId, ...record }))
      ),
      insert: ({ organizationId, pipe }, start) => insertPipe(organizationId, pipeLifecycle.resume(pipe, start)),
      seal: (sealing, stored) => Effect.map(sealImported(sealing, stored.pipe), (pipe) => ({ ...stored, pipe }))
    },
    roles: {
      select: all(RoleRow, sql`SELECT ${owner}, document AS role FROM custom_role ${oldestFirst}`),
      insert: ({ organizationId, role }) => insertRole(organizationId, role),
      seal: undefined
    },
    keys: {
      select: Effect.map(all(KeyRow, sql`SELECT ${keyColumns(sql)} FROM api_key ${oldestFirst}`), (rows) =>
        rows.map(toKeyRecord)
      ),
      insert: makeInsertKey(sql),
      seal: undefined
    },
    tokens: {
      select: all(TokenRow, sql`SELECT ${tokenColumns(sql)} FROM token ${oldestFirst}`),
      insert: makeInsertToken(sql),
      seal: undefined
    },
    dashboards: {
      select: all(DashboardRow, sql`SELECT ${owner}, document AS dashboard FROM dashboard ${oldestFirst}`),
      insert: ({ dashboard, organizationId }) => insertDashboard(organizationId, dashboard),
      seal: undefined
    },
    connections: { ...inTable(connectionTable), seal: sealPassword },
    sources: { ...inTable(sourceTable), seal: undefined },
    ...mapKinds<{ readonly [Kind in DocumentKindName]: SqlKind<DocumentRecord> }>(Struct.keys(documentKinds), documents)
  }
}
