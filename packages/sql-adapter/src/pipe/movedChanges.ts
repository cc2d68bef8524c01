import { OrganizationId, PipeId, PipeState, ServiceId } from "@headgate/core"
import { type MovedPipes, type PipeAssignments, restingStates } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Fragment } from "effect/sql/Statement"
import { orServerError } from "../internal/outage.ts"
import { notMoved } from "./deletedPipes.ts"

/** More changes than these are answered as the whole list. */
const mostChanges = 1000

const PipeAnswer = Schema.Struct({
  kind: Schema.Literal("pipe"),
  id: PipeId,
  organizationId: OrganizationId,
  serviceId: ServiceId,
  warehouse: Schema.String,
  state: PipeState,
  goal: Schema.NullOr(PipeState),
  version: Schema.Int
})
const DeletedAnswer = Schema.Struct({ kind: Schema.Literal("deleted"), id: PipeId })
/** Its id is the cursor. */
const CursorAnswer = Schema.Struct({ kind: Schema.Literal("cursor"), id: Schema.String })
const AnswerRow = Schema.Union([PipeAnswer, DeletedAnswer, CursorAnswer])

/** A cursor is a whole number: of changes in SQLite, and of transactions in Postgres, of which no store has seen more. */
const isCursor = (text: string): boolean => /^(?:0|[1-9]\d{0,14})$/.test(text)

/**
 * `MovedPipes.changes`. One statement reads the rows and the cursor, so that they are of the same moment.
 *
 * In Postgres a transaction commits later than one that began after it, so the cursor is not the last change that was seen but the
 * oldest transaction that was running then: what it and those after it have changed is asked for, and may be answered twice. A
 * transaction that stays open makes answers longer, and hides nothing.
 */
export const movedChanges = (sql: SqlClient.SqlClient): MovedPipes["Service"]["changes"] => {
  const cursor = sql.onDialectOrElse({
    pg: () => sql`CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT)`,
    orElse: () => sql`(SELECT CAST(counter AS TEXT) FROM pipe_changes)`
  })
  const changedSince = (after: string) =>
    sql.onDialectOrElse({
      pg: () => sql`changed >= CAST(${after} AS XID8)`,
      orElse: () => sql`changed > ${Number(after)}`
    })
  const answer = (pipes: Fragment, deleted: Fragment) => sql`
    ${pipes} UNION ALL ${deleted}
    UNION ALL SELECT 'cursor', ${cursor}, NULL, NULL, NULL, NULL, NULL, NULL`
  const columns = sql`'pipe' AS kind, id, organization_id AS "organizationId", service_id AS "serviceId", warehouse, state, goal,
    version`
  const select = SqlSchema.findAll({
    Request: Schema.UndefinedOr(Schema.String),
    Result: AnswerRow,
    execute: (after) => {
      if (after === undefined) {
        const moving = sql`SELECT ${columns} FROM pipe WHERE warehouse IS NOT NULL AND state NOT IN ${sql.in(restingStates)}`
        return answer(moving, sql`SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL WHERE FALSE`)
      }
      const since = changedSince(after)
      // The order is that of the index, so that it is used whatever the database knows of the table.
      const order = sql`ORDER BY changed LIMIT ${sql.literal(String(mostChanges + 1))}`
      return answer(
        sql`SELECT * FROM (SELECT ${columns} FROM pipe
          WHERE warehouse IS NOT NULL AND state IS NOT NULL AND ${since} ${order}) AS pipes`,
        sql`SELECT 'deleted', id, NULL, NULL, NULL, NULL, NULL, NULL FROM (
          SELECT id FROM deleted_pipe WHERE ${since} AND ${notMoved(sql)} ${order}) AS deleted`
      )
    }
  })

  const read = Effect.fnUntraced(function* (after?: string) {
    const pipes: Array<PipeAssignments["pipes"][number]> = []
    const deleted: Array<PipeId> = []
    let next = ""
    for (const row of yield* orServerError(select(after))) {
      if (row.kind === "cursor") next = row.id
      else if (row.kind === "deleted") deleted.push(row.id)
      else {
        const { goal, id: pipeId, organizationId, serviceId, state, version, warehouse } = row
        pipes.push({
          address: { organizationId, serviceId, pipeId },
          warehouse,
          state,
          goal: goal ?? undefined,
          version
        })
      }
    }
    const found: PipeAssignments = { isWhole: after === undefined, pipes, deleted, cursor: next }
    return found
  })

  return Effect.fn("SqlMovedPipes.changes")(function* (after) {
    if (after === undefined || !isCursor(after)) return yield* read()
    const found = yield* read(after)
    const isAhead = Number(after) > Number(found.cursor)
    return isAhead || found.pipes.length + found.deleted.length > mostChanges ? yield* read() : found
  })
}
