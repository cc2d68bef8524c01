import { OrganizationId, ServiceId, type Snapshot, Snapshots } from "@headgate/core"
import { invalidRequest, type OrganizationSummary, snapshotRows, toSnapshot } from "@headgate/core/adapter"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { orDie } from "../internal/outage.ts"
import { importTurn, writing } from "../internal/turns.ts"
import { deleteAll } from "./deleteAll.ts"
import { makeExportContent } from "./exportContent.ts"
import { makeImportRows } from "./importRows.ts"
import { unstorable } from "./unstorable.ts"

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

const layerNoDeps: Layer.Layer<Snapshots, never, SqlClient.SqlClient | SecureRandom.SecureRandom> = Layer.effect(
  Snapshots,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const crypto = yield* Effect.context<SecureRandom.SecureRandom>()
    const exportContent = makeExportContent(sql)
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
          return yield* writing(sql)(Effect.andThen(importTurn(sql), importRows(rows)))
        },
        orDie,
        Effect.provideContext(crypto)
      ),
      replace: Effect.fn("SqlSnapshots.replace")(
        function* (snapshot) {
          const rows = yield* storableRows(snapshot)
          return yield* writing(sql)(
            Effect.gen(function* () {
              yield* importTurn(sql)
              const removed = yield* deleteAll(sql)
              const { added } = yield* importRows(rows)
              return { removed, added }
            })
          )
        },
        orDie,
        Effect.provideContext(crypto)
      ),
      export: exportContent.pipe(orDie, Effect.map(toSnapshot), Effect.withSpan("SqlSnapshots.export")),
      organizations: Effect.suspend(() => selectSummaries()).pipe(
        orDie,
        Effect.map(summariesOf),
        Effect.withSpan("SqlSnapshots.organizations")
      )
    })
  })
)

const layer: Layer.Layer<Snapshots, never, SqlClient.SqlClient> = Layer.provide(
  layerNoDeps,
  SecureRandom.layerWebCrypto
)

/**
 * The `Snapshots` port over SQL, over any migrated `SqlClient`: an import is one transaction, so is a
 * replacement, and an export is of one moment. `layerNoDeps` leaves the cryptography to the caller.
 *
 * @example
 * ```ts
 * import { Snapshots } from "@headgate/core"
 * import { SqlAdapter } from "@headgate/sql-adapter"
 * import * as Effect from "effect/Effect"
 *
 * // From one database into another, of the other kind too.
 * export const copy = (from: string, to: string) =>
 *   Snapshots.use((snapshots) => snapshots.export).pipe(
 *     Effect.provide(SqlAdapter.layerSqlite({ filename: from })),
 *     Effect.flatMap((all) =>
 *       Snapshots.use((snapshots) => snapshots.import(all)).pipe(
 *         Effect.provide(SqlAdapter.layerSqlite({ filename: to }))
 *       )
 *     )
 *   )
 * ```
 */
export const SqlSnapshots = { layer, layerNoDeps }
