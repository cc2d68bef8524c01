import { Pipe, PipeAddress, Pipes, ServiceAddress } from "@headgate/core"
import { pipeNotFound, serviceNotFound } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { orServerError } from "../internal/outage.ts"
import { writeStatement } from "../internal/transaction.ts"

/** Fails unless the organization has the service. */
export const makeRequireService = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (address: ServiceAddress) {
    const { organizationId, serviceId } = address
    const found = yield* orServerError(
      sql`SELECT id FROM service WHERE id = ${serviceId} AND organization_id = ${organizationId}`
    )
    if (found.length === 0) return yield* serviceNotFound(address)
  })

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

    const selectAll = SqlSchema.findAll({
      Request: ServiceAddress,
      Result: Schema.Struct({ document: Schema.fromJsonString(Pipe) }),
      execute: ({ organizationId, serviceId }) => sql`
        SELECT document FROM pipe
        WHERE service_id = ${serviceId} AND organization_id = ${organizationId} ORDER BY seq`
    })
    const requireService = makeRequireService(sql)

    return Pipes.of({
      list: Effect.fn("SqlPipes.list")(function* (address) {
        const rows = yield* orServerError(selectAll(address))
        if (rows.length === 0) yield* requireService(address)
        return rows.map(({ document }) => document)
      }),
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
