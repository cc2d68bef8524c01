import { Dashboard, OrganizationId, Role, ServiceId, type Snapshot, Snapshots } from "@headgate/core"
import {
  type DocumentKindName,
  invalidRequest,
  joinSecrets,
  type OrganizationSummary,
  Sealing,
  secretsOf,
  type SnapshotContent,
  type SnapshotRows,
  snapshotRows,
  toSnapshot
} from "@headgate/core/adapter"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Statement } from "effect/sql/Statement"
import { tokenColumns, TokenRow } from "../access/SqlTokens.ts"
import { connectionTable, sealPassword } from "../dashboard/SqlConnections.ts"
import { documentTable, sealDocument } from "../dashboard/SqlDocumentStores.ts"
import { sourceTable } from "../dashboard/SqlSources.ts"
import { lockImports } from "../internal/advisoryLocks.ts"
import { dieOnOutage } from "../internal/outage.ts"
import { organizationRecords, snapshotTables } from "../internal/tables.ts"
import { ownTransaction, readTransaction } from "../internal/transaction.ts"
import { keyColumns, KeyRow, toKeyRecord } from "../key/KeyRow.ts"
import { OrganizationRow } from "../organization/SqlOrganizations.ts"
import { makeSelectMoving } from "../pipe/PipeRow.ts"
import { sealImported } from "../pipe/pipeSecrets.ts"
import { makeSelectEndpoints } from "../service/EndpointRow.ts"
import { makeSelectServices } from "../service/ServiceRow.ts"
import { makeImportRows, unstorable } from "./importRows.ts"

const RoleRow = Schema.Struct({ organizationId: OrganizationId, role: Schema.fromJsonString(Role) })
const DashboardRow = Schema.Struct({ organizationId: OrganizationId, dashboard: Schema.fromJsonString(Dashboard) })

const all = <Row extends Schema.Constraint>(Result: Row, statement: Statement<object>) =>
  SqlSchema.findAll({ Request: Schema.Void, Result, execute: () => statement })()

/** All rows, in order of insertion, as of one moment. Their secrets are sealed. */
const makeExportRows = (sql: SqlClient.SqlClient) => {
  const selectServices = makeSelectServices(sql)
  const selectEndpoints = makeSelectEndpoints(sql)
  const owner = sql`organization_id AS "organizationId"`
  const selectMoving = makeSelectMoving(sql)
  const selectDocuments = (kind: DocumentKindName) => {
    const { decode, table } = documentTable(kind)
    return Effect.flatMap(sql`SELECT * FROM ${sql(table)} ORDER BY seq`, decode)
  }
  const content = Effect.gen(function* () {
    const exported: SnapshotContent = {
      organizations: yield* all(
        OrganizationRow,
        sql`SELECT id, name, created_at AS "createdAt" FROM organization ORDER BY seq`
      ),
      services: yield* selectServices(sql`ORDER BY seq`),
      endpoints: yield* selectEndpoints(sql`ORDER BY seq`),
      pipes: (yield* selectMoving(sql`TRUE`)).map(({ moving, organizationId }) => ({ organizationId, ...moving })),
      roles: yield* all(RoleRow, sql`SELECT ${owner}, document AS role FROM custom_role ORDER BY seq`),
      keys: (yield* all(KeyRow, sql`SELECT ${keyColumns(sql)} FROM api_key ORDER BY seq`)).map(toKeyRecord),
      tokens: yield* all(TokenRow, sql`SELECT ${tokenColumns(sql)} FROM token ORDER BY seq`),
      dashboards: yield* all(DashboardRow, sql`SELECT ${owner}, document AS dashboard FROM dashboard ORDER BY seq`),
      connections: yield* Effect.flatMap(sql`SELECT * FROM connection ORDER BY seq`, connectionTable.decode),
      sources: yield* Effect.flatMap(sql`SELECT * FROM dashboard_source ORDER BY seq`, sourceTable.decode),
      savedSearches: yield* selectDocuments("savedSearches"),
      webhooks: yield* selectDocuments("webhooks"),
      alerts: yield* selectDocuments("alerts")
    }
    return exported
  })
  return readTransaction(sql)(content)
}

/** Deletes all rows of a snapshot's kinds; returns how many there were. Rate windows stay. */
const deleteAll = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  // A writer holds a row, then waits for the usage of its organization; this takes them in the other order.
  yield* sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql.unsafe(`LOCK TABLE ${snapshotTables.join(", ")} IN EXCLUSIVE MODE`)),
    orElse: () => Effect.void
  })
  let removed = 0
  for (const table of snapshotTables) {
    const [counted] = yield* sql<{ readonly held: number }>`
      SELECT CAST(COUNT(*) AS INTEGER) AS held FROM ${sql(table)}`
    removed += counted?.held ?? 0
    // Not TRUNCATE: in Postgres, transactions with an older snapshot would see the empty table.
    yield* sql`DELETE FROM ${sql(table)}`
  }
  return removed
})

/** An organization and one of its services. An organization without services has one row, without a service. */
const SummaryRow = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  serviceId: Schema.NullOr(ServiceId),
  serviceName: Schema.NullOr(Schema.String),
  pipes: Schema.Int,
  keys: Schema.Int,
  tokens: Schema.Int,
  dashboards: Schema.Int,
  roles: Schema.Int,
  endpoints: Schema.Int,
  connections: Schema.Int,
  sources: Schema.Int,
  savedSearches: Schema.Int,
  webhooks: Schema.Int,
  alerts: Schema.Int
})
type SummaryRow = typeof SummaryRow.Type

const summariesOf = (rows: ReadonlyArray<SummaryRow>): ReadonlyArray<OrganizationSummary> =>
  Object.values(Arr.groupBy(rows, ({ id }) => id)).map((group) => {
    const [{ serviceId: _id, serviceName: _name, id, name, ...counts }] = group
    const services = group.flatMap(({ serviceId, serviceName }) =>
      serviceId === null || serviceName === null ? [] : [{ id: serviceId, name: serviceName }]
    )
    return { id, name, services, ...counts }
  })

/** The rows of a snapshot that can be stored, their secrets as they are. */
const storableRows = Effect.fnUntraced(function* (snapshot: Snapshot, sealing: Sealing["Service"]) {
  const rows = yield* snapshotRows(snapshot, sealing.fingerprint)
  const issues = unstorable(rows)
  return issues.length > 0 ? yield* invalidRequest(issues) : rows
})

/**
 * The rows of a snapshot with their secrets sealed, for the transaction that stores them: a reseal comes before it or after it. Secrets
 * that are sealed already stay as they are.
 */
const sealedRows = Effect.fnUntraced(function* (
  rows: SnapshotRows,
  { secrets }: Snapshot,
  sealing: Sealing["Service"]
) {
  const pipes = yield* Effect.forEach(rows.pipes, ({ path, value }) =>
    Effect.map(sealImported(sealing, value.pipe), (pipe) => ({ path, value: { ...value, pipe } }))
  )
  const connections = yield* Effect.forEach(rows.connections, ({ path, value }) =>
    Effect.map(sealPassword(sealing, value), (value) => ({ path, value }))
  )
  const documents = (kind: DocumentKindName) =>
    Effect.forEach(rows[kind], ({ path, value }) =>
      Effect.map(sealDocument(sealing, kind, value), (value) => ({ path, value }))
    )
  const sealed: SnapshotRows = {
    ...rows,
    pipes,
    connections,
    savedSearches: yield* documents("savedSearches"),
    webhooks: yield* documents("webhooks"),
    alerts: yield* documents("alerts")
  }
  if (secrets?.sealingKey === undefined) return sealed
  // What is sealed already is not sealed again: this alone compares its key with that of the store.
  yield* sealing.seal("", "import")
  return yield* joinSecrets(sealed, secrets, sealing)
})

const layer: Layer.Layer<Snapshots, never, SqlClient.SqlClient | Sealing | SecureRandom.SecureRandom> = Layer.effect(
  Snapshots,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const crypto = yield* Effect.context<SecureRandom.SecureRandom>()
    const sealing = yield* Sealing
    const exportRows = makeExportRows(sql)
    const importRows = makeImportRows(sql)

    // Cast, because Postgres counts in BIGINT, which its driver reads as text. One statement, so that all counts are of
    // one moment.
    const count = (table: string) => sql`(
      SELECT CAST(COUNT(*) AS INTEGER) FROM ${sql(table)} AS t WHERE t.organization_id = o.id
    )`
    const selectSummaries = SqlSchema.findAll({
      Request: Schema.Void,
      Result: SummaryRow,
      execute: () => sql`
        SELECT o.id, o.name, s.id AS "serviceId", s.name AS "serviceName", ${count("pipe")} AS pipes,
          ${count("api_key")} AS keys, ${count("token")} AS tokens, ${count("dashboard")} AS dashboards,
          ${count("custom_role")} AS roles, ${count("reverse_private_endpoint")} AS endpoints,
          ${count("connection")} AS connections, ${count("dashboard_source")} AS sources,
          ${count("saved_search")} AS "savedSearches", ${count("webhook")} AS webhooks, ${count("alert")} AS alerts
        FROM organization AS o LEFT JOIN service AS s ON s.organization_id = o.id
        ORDER BY o.seq, s.seq`
    })

    return Snapshots.of({
      import: Effect.fn("SqlSnapshots.import")(
        function* (snapshot) {
          const rows = yield* storableRows(snapshot, sealing)
          return yield* ownTransaction(sql)(
            Effect.gen(function* () {
              yield* lockImports(sql)
              return yield* importRows(yield* sealedRows(rows, snapshot, sealing))
            })
          )
        },
        dieOnOutage,
        Effect.provideContext(crypto)
      ),
      replace: Effect.fn("SqlSnapshots.replace")(
        function* (snapshot) {
          const rows = yield* storableRows(snapshot, sealing)
          return yield* ownTransaction(sql)(
            Effect.gen(function* () {
              yield* lockImports(sql)
              const removed = yield* deleteAll(sql)
              // What they are about does not exist any more.
              for (const table of organizationRecords) yield* sql`DELETE FROM ${sql(table)}`
              const { added } = yield* importRows(yield* sealedRows(rows, snapshot, sealing))
              return { removed, added }
            })
          )
        },
        dieOnOutage,
        Effect.provideContext(crypto)
      ),
      export: exportRows.pipe(dieOnOutage, Effect.map(toSnapshot), Effect.withSpan("SqlSnapshots.export")),
      exportWithSecrets: exportRows.pipe(
        dieOnOutage,
        Effect.map((held): Snapshot => ({ ...toSnapshot(held), secrets: secretsOf(held, sealing.fingerprint) })),
        Effect.withSpan("SqlSnapshots.exportWithSecrets")
      ),
      organizations: Effect.suspend(() => selectSummaries()).pipe(
        dieOnOutage,
        Effect.map(summariesOf),
        Effect.withSpan("SqlSnapshots.organizations")
      )
    })
  })
)

/**
 * The `Snapshots` port over SQL: an import is one transaction, a replacement is one, and an export is of one moment. An
 * import never joins a group of writes: it is long, and interrupting it must roll it back.
 */
export const SqlSnapshots = { layer }
