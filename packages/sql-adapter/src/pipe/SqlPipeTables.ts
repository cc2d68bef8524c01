import { OrganizationId, PipeId, ServiceId } from "@headgate/core"
import { type PipeTable, PipeTables } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { inChunks } from "../internal/inChunks.ts"
import { orServerError } from "../internal/outage.ts"
import { writeStatement } from "../internal/transaction.ts"

/** SQLite has no truth values. */
const Flag = Schema.Union([Schema.Boolean, Schema.Literals([0, 1])])

const Row = Schema.Struct({
  organizationId: OrganizationId,
  serviceId: ServiceId,
  pipeId: PipeId,
  warehouse: Schema.String,
  database: Schema.String,
  table: Schema.String,
  knownBy: Schema.String,
  isCreated: Flag,
  isVersioned: Flag
})

const isSet = (flag: typeof Flag.Type): boolean => flag === true || flag === 1

const keyOf = ({ database, pipeId, table, warehouse }: PipeTable): string =>
  JSON.stringify([pipeId, warehouse, database, table])

/** The last of each key: one statement changes a row once. */
const lastOfEach = (tables: ReadonlyArray<PipeTable>): ReadonlyArray<PipeTable> =>
  Array.from(new Map(tables.map((table) => [keyOf(table), table])).values())

const layer: Layer.Layer<PipeTables, never, SqlClient.SqlClient> = Layer.effect(
  PipeTables,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const flag = (value: boolean) => sql.literal(value ? "TRUE" : "FALSE")
    // An organization that is being removed is waited for: the row refers to it.
    const organization = sql.onDialectOrElse({ pg: () => sql`FOR KEY SHARE`, orElse: () => sql`` })
    const rowOf = (one: PipeTable) => sql`(
      ${one.organizationId}, ${one.serviceId}, ${one.pipeId}, ${one.warehouse}, ${one.database}, ${one.table},
      ${one.knownBy}, ${flag(one.isCreated)}, ${flag(one.isVersioned)})`
    const write = (tables: ReadonlyArray<PipeTable>) => sql`
      WITH given (organization_id, service_id, pipe_id, warehouse, database_name, table_name, known_by, is_created,
        is_versioned) AS (VALUES ${sql.csv(tables.map(rowOf))})
      INSERT INTO pipe_table (organization_id, service_id, pipe_id, warehouse, database_name, table_name, known_by,
        is_created, is_versioned)
      SELECT given.* FROM given
      WHERE EXISTS (SELECT 1 FROM organization WHERE id = given.organization_id ${organization})
      ON CONFLICT (pipe_id, warehouse, database_name, table_name) DO UPDATE SET
        organization_id = excluded.organization_id, service_id = excluded.service_id, known_by = excluded.known_by,
        is_created = excluded.is_created, is_versioned = excluded.is_versioned
      RETURNING seq`
    const list = SqlSchema.findAll({
      Request: Schema.UndefinedOr(OrganizationId),
      Result: Row,
      execute: (organizationId) => sql`
        SELECT organization_id AS "organizationId", service_id AS "serviceId", pipe_id AS "pipeId", warehouse,
          database_name AS database, table_name AS "table", known_by AS "knownBy", is_created AS "isCreated",
          is_versioned AS "isVersioned"
        FROM pipe_table WHERE ${organizationId === undefined ? sql`TRUE` : sql`organization_id = ${organizationId}`}
        ORDER BY seq`
    })
    return PipeTables.of({
      opened: Effect.fn("SqlPipeTables.opened")(function* (tables) {
        yield* orServerError(inChunks(lastOfEach(tables), (chunk) => writeStatement(sql)(write(chunk))))
      }),
      list: Effect.fn("SqlPipeTables.list")(function* (organizationId) {
        const rows = yield* orServerError(list(organizationId))
        return rows.map((row) => ({ ...row, isCreated: isSet(row.isCreated), isVersioned: isSet(row.isVersioned) }))
      }),
      forget: Effect.fn("SqlPipeTables.forget")(function* (warehouse, database, table) {
        const forgotten = yield* orServerError(
          writeStatement(sql)(sql`
            DELETE FROM pipe_table
            WHERE warehouse = ${warehouse} AND database_name = ${database} AND table_name = ${table} RETURNING seq`)
        )
        return forgotten.length > 0
      })
    })
  })
)

/** The `PipeTables` port over SQL. */
export const SqlPipeTables = { layer }
