import { OrganizationId, ServiceId, type Snapshot, Snapshots } from "@headgate/core"
import {
  invalidRequest,
  joinSecrets,
  type KindName,
  type KindRecords,
  kindNames,
  summedKinds,
  mapKinds,
  type OrganizationSummary,
  type RowLists,
  Sealing,
  secretsOf,
  type SnapshotContent,
  type SnapshotRows,
  snapshotRows,
  type SummedKind,
  toSnapshot
} from "@headgate/core/adapter"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { lockImports } from "../internal/advisoryLocks.ts"
import { dieOnOutage } from "../internal/outage.ts"
import { kindTables, organizationRecords, snapshotTables } from "../internal/tables.ts"
import { ownTransaction, readTransaction } from "../internal/transaction.ts"
import { makeImportRows, unstorable } from "./importRows.ts"
import { makeSqlKinds, type SqlKinds } from "./sqlKinds.ts"

/** All rows, in order of insertion, as of one moment. Their secrets are sealed. */
const makeExportRows = (sql: SqlClient.SqlClient, sqlKinds: SqlKinds) => {
  const content = Effect.gen(function* () {
    const rows: { readonly [Kind in KindName]: Array<KindRecords[Kind]> } = mapKinds(kindNames, () => [])
    const add = <Kind extends KindName>(kind: Kind) =>
      Effect.map(sqlKinds[kind].select, (held) => held.forEach((stored) => rows[kind].push(stored)))
    yield* Effect.forEach(kindNames, add, { discard: true })
    const exported: SnapshotContent = rows
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
  ...mapKinds<Readonly<Record<SummedKind, Schema.Int>>>(summedKinds, () => Schema.Int)
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
  sealing: Sealing["Service"],
  sqlKinds: SqlKinds
) {
  const lists: RowLists = mapKinds(kindNames, () => [])
  const add = Effect.fnUntraced(function* <Kind extends KindName>(kind: Kind) {
    const { seal } = sqlKinds[kind]
    for (const { path, value } of rows[kind]) {
      lists[kind].push({ path, value: seal === undefined ? value : yield* seal(sealing, value) })
    }
  })
  yield* Effect.forEach(kindNames, (kind) => add(kind), { discard: true })
  const sealed: SnapshotRows = lists
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
    const sqlKinds = makeSqlKinds(sql)
    const exportRows = makeExportRows(sql, sqlKinds)
    const importRows = makeImportRows(sql, sqlKinds)

    // Cast, because Postgres counts in BIGINT, which its driver reads as text. One statement, so that all counts are of
    // one moment.
    const counts = summedKinds.map(
      (kind) => `(
        SELECT CAST(COUNT(*) AS INTEGER) FROM ${kindTables[kind].table} AS t WHERE t.organization_id = o.id
      ) AS "${kind}"`
    )
    const selectSummaries = SqlSchema.findAll({
      Request: Schema.Void,
      Result: SummaryRow,
      execute: () => sql`
        SELECT o.id, o.name, s.id AS "serviceId", s.name AS "serviceName", ${sql.literal(counts.join(", "))}
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
              return yield* importRows(yield* sealedRows(rows, snapshot, sealing, sqlKinds))
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
              const { added } = yield* importRows(yield* sealedRows(rows, snapshot, sealing, sqlKinds))
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
