import { OrganizationId, ServiceId, type Snapshot, Snapshots } from "@headgate/core"
import { invalidRequest, type OrganizationSummary, snapshotRows, toSnapshot } from "@headgate/core/adapter"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { lockImports } from "../internal/advisoryLocks.ts"
import { dieOnOutage } from "../internal/outage.ts"
import { ownTransaction } from "../internal/transaction.ts"
import { makeExportRows } from "./exportRows.ts"
import { makeImportRows, unstorable } from "./importRows.ts"

/** In the order in which nothing is left that names what is gone. */
const tables = ["dashboard", "token", "api_key", "pipe", "service", "organization"]

/** Deletes all that a snapshot speaks of; answers how much that was. Rate windows stay. */
export const deleteAll = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  let removed = 0
  for (const table of tables) {
    const [counted] = yield* sql<{ readonly held: number }>`
      SELECT CAST(COUNT(*) AS INTEGER) AS held FROM ${sql(table)}`
    removed += counted?.held ?? 0
    // Not Postgres's TRUNCATE, which whoever reads an older moment would see too.
    yield* sql`DELETE FROM ${sql(table)}`
  }
  return removed
})

/** An organization and one of its services; an organization without services has one row without one. */
const SummaryRow = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  serviceId: Schema.NullOr(ServiceId),
  serviceName: Schema.NullOr(Schema.String),
  pipes: Schema.Int,
  keys: Schema.Int,
  tokens: Schema.Int,
  dashboards: Schema.Int
})
type SummaryRow = typeof SummaryRow.Type

const summariesOf = (rows: ReadonlyArray<SummaryRow>): ReadonlyArray<OrganizationSummary> =>
  Object.values(Arr.groupBy(rows, ({ id }) => id)).map((group) => {
    const [{ dashboards, id, keys, name, pipes, tokens }] = group
    const services = group.flatMap(({ serviceId, serviceName }) =>
      serviceId === null || serviceName === null ? [] : [{ id: serviceId, name: serviceName }]
    )
    return { id, name, services, pipes, keys, tokens, dashboards }
  })

const storableRows = Effect.fnUntraced(function* (snapshot: Snapshot) {
  const rows = yield* snapshotRows(snapshot)
  const issues = unstorable(rows)
  return issues.length === 0 ? rows : yield* invalidRequest(issues)
})

const layer: Layer.Layer<Snapshots, never, SqlClient.SqlClient | SecureRandom.SecureRandom> = Layer.effect(
  Snapshots,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const crypto = yield* Effect.context<SecureRandom.SecureRandom>()
    const exportRows = makeExportRows(sql)
    const importRows = makeImportRows(sql)

    // A cast, since Postgres counts in bigint, which its driver reads as text. One statement, so that the counts are of
    // one moment.
    const count = (table: string) => sql`(
      SELECT CAST(COUNT(*) AS INTEGER) FROM ${sql(table)} AS t WHERE t.organization_id = o.id
    )`
    const selectSummaries = SqlSchema.findAll({
      Request: Schema.Void,
      Result: SummaryRow,
      execute: () => sql`
        SELECT o.id, o.name, s.id AS "serviceId", s.name AS "serviceName", ${count("pipe")} AS pipes,
          ${count("api_key")} AS keys, ${count("token")} AS tokens, ${count("dashboard")} AS dashboards
        FROM organization AS o LEFT JOIN service AS s ON s.organization_id = o.id
        ORDER BY o.seq, s.seq`
    })

    return Snapshots.of({
      import: Effect.fn("SqlSnapshots.import")(
        function* (snapshot) {
          const rows = yield* storableRows(snapshot)
          return yield* ownTransaction(sql)(Effect.andThen(lockImports(sql), importRows(rows)))
        },
        dieOnOutage,
        Effect.provideContext(crypto)
      ),
      replace: Effect.fn("SqlSnapshots.replace")(
        function* (snapshot) {
          const rows = yield* storableRows(snapshot)
          return yield* ownTransaction(sql)(
            Effect.gen(function* () {
              yield* lockImports(sql)
              const removed = yield* deleteAll(sql)
              const { added } = yield* importRows(rows)
              return { removed, added }
            })
          )
        },
        dieOnOutage,
        Effect.provideContext(crypto)
      ),
      export: exportRows.pipe(dieOnOutage, Effect.map(toSnapshot), Effect.withSpan("SqlSnapshots.export")),
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
