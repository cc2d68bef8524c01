import { OrganizationId, Pipe, PipeId } from "@headgate/core"
import { type DeletedPipe, type MovedPipes, PipeCredentials, type Sealing } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Fragment } from "effect/sql/Statement"
import { orServerError } from "../internal/outage.ts"
import { makeTransitionTime } from "../internal/storeClock.ts"
import { writeStatement } from "../internal/transaction.ts"
import { decryptAvailable } from "./pipeSecrets.ts"

const DeletedListRow = Schema.Struct({ pipeId: PipeId, warehouse: Schema.String, attempts: Schema.Int })

const DeletedRow = Schema.Struct({
  organizationId: OrganizationId,
  document: Schema.fromJsonString(Pipe),
  credentials: Schema.NullOr(Schema.fromJsonString(PipeCredentials)),
  warehouse: Schema.String,
  deletedAt: Schema.Finite,
  attempts: Schema.Int,
  lastError: Schema.NullOr(Schema.String)
})

/**
 * The condition of a deleted pipe whose id no pipe that moves rows has. What such a pipe has made is not removed, whatever an older
 * version has left of a deleted pipe of its id.
 */
export const notMoved = (sql: SqlClient.SqlClient): Fragment => sql`NOT EXISTS (
  SELECT 1 FROM pipe WHERE pipe.id = deleted_pipe.id AND pipe.warehouse IS NOT NULL)`

/** The methods of `MovedPipes` about deleted pipes, whose tables and slots are still to be removed. */
export const deletedPipes = (sql: SqlClient.SqlClient, sealing: Sealing["Service"]) => {
  const transitionTime = makeTransitionTime(sql)
  const listDeleted = SqlSchema.findAll({
    Request: Schema.Any,
    Result: DeletedListRow,
    execute: (condition: Fragment) => sql`
      SELECT id AS "pipeId", warehouse, attempts FROM deleted_pipe WHERE ${condition} AND ${notMoved(sql)} ORDER BY id`
  })
  // Cast, because Postgres's driver reads BIGINT as text.
  const selectDeleted = SqlSchema.findAll({
    Request: PipeId,
    Result: DeletedRow,
    execute: (pipeId) => sql`
      SELECT organization_id AS "organizationId", document, credentials, warehouse, attempts, last_error AS "lastError",
        CAST(deleted_at AS DOUBLE PRECISION) AS "deletedAt"
      FROM deleted_pipe WHERE id = ${pipeId} AND ${notMoved(sql)}`
  })

  const findDeleted = Effect.fn("SqlMovedPipes.findDeleted")(function* (pipeId: PipeId) {
    const [found] = yield* orServerError(selectDeleted(pipeId))
    if (found === undefined) return undefined
    const { credentials, document, lastError, organizationId, ...row } = found
    const held = { pipe: document, credentials: credentials ?? undefined, warehouse: row.warehouse }
    const deleted: DeletedPipe = {
      ...row,
      address: { organizationId, serviceId: document.serviceId, pipeId },
      record: yield* decryptAvailable(sealing, held),
      lastError: lastError ?? undefined
    }
    return deleted
  })

  return {
    findDeleted,
    deleted: (warehouses) => {
      const ofWarehouses = warehouses === undefined ? sql`TRUE` : sql`warehouse IN ${sql.in(warehouses)}`
      return orServerError(listDeleted(ofWarehouses))
    },
    claimDeleted: Effect.fn("SqlMovedPipes.claimDeleted")(function* (pipeId, duration) {
      const { now } = yield* orServerError(transitionTime)
      const claimed = yield* orServerError(
        writeStatement(sql)(sql`
          UPDATE deleted_pipe SET claimed_until = ${now + Duration.toMillis(duration)}
          WHERE id = ${pipeId} AND claimed_until <= ${now} AND ${notMoved(sql)} RETURNING id`)
      )
      return claimed.length === 0 ? undefined : yield* findDeleted(pipeId)
    }),
    markCleanupFailed: Effect.fn("SqlMovedPipes.markCleanupFailed")(function* (pipeId, message) {
      yield* orServerError(
        writeStatement(sql)(sql`
          UPDATE deleted_pipe SET attempts = attempts + 1, last_error = ${message}, claimed_until = 0
          WHERE id = ${pipeId}`)
      )
    }),
    forget: Effect.fn("SqlMovedPipes.forget")(function* (pipeId) {
      yield* orServerError(writeStatement(sql)(sql`DELETE FROM deleted_pipe WHERE id = ${pipeId}`))
    })
  } satisfies Partial<MovedPipes["Service"]>
}
