import { Pipe, PipeAddress, Pipes } from "@headgate/core"
import { pipeNotFound } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { orServerError } from "../internal/outage.ts"
import { writeStatement } from "../internal/transaction.ts"

const layer: Layer.Layer<Pipes, never, SqlClient.SqlClient> = Layer.effect(
  Pipes,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const select = SqlSchema.findOneOption({
      Request: PipeAddress,
      Result: Schema.Struct({ document: Schema.fromJsonString(Pipe) }),
      execute: ({ organizationId, pipeId, serviceId }) => sql`
        SELECT document FROM pipe
        WHERE id = ${pipeId} AND service_id = ${serviceId} AND organization_id = ${organizationId}`
    })

    return Pipes.of({
      get: Effect.fn("SqlPipes.get")(function* (address) {
        const row = yield* orServerError(select(address))
        return Option.isSome(row) ? row.value.document : yield* pipeNotFound(address)
      }),
      delete: Effect.fn("SqlPipes.delete")(function* (address) {
        const { organizationId, pipeId, serviceId } = address
        const statement = sql`
          DELETE FROM pipe
          WHERE id = ${pipeId} AND service_id = ${serviceId} AND organization_id = ${organizationId}
          RETURNING id`
        const deleted = yield* orServerError(writeStatement(sql)(statement))
        if (deleted.length === 0) return yield* pipeNotFound(address)
      })
    })
  })
)

/** The `Pipes` port over SQL. Pipes are stored by imports of snapshots. */
export const SqlPipes = { layer }
