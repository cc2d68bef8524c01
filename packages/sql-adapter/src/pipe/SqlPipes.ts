import { Pipe, PipeAddress, Pipes, ServiceAddress } from "@headgate/core"
import { checkVersion, pipeNotFound, withVersion } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { orServerError } from "../internal/outage.ts"
import { forUpdate, writeTransaction } from "../internal/transaction.ts"
import { makeRequireRunning, makeRequireService } from "../service/ServiceRow.ts"

const PipeRow = Schema.Struct({ document: Schema.fromJsonString(Pipe), version: Schema.Int })

const pipeOf = ({ document, version }: typeof PipeRow.Type): Pipe => withVersion(document, version)

const layer: Layer.Layer<Pipes, never, SqlClient.SqlClient> = Layer.effect(
  Pipes,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const select = SqlSchema.findOneOption({
      Request: PipeAddress,
      Result: PipeRow,
      execute: ({ organizationId, pipeId, serviceId }) => sql`
        SELECT document, version FROM pipe
        WHERE id = ${pipeId} AND service_id = ${serviceId} AND organization_id = ${organizationId}`
    })

    const selectAll = SqlSchema.findAll({
      Request: ServiceAddress,
      Result: PipeRow,
      execute: ({ organizationId, serviceId }) => sql`
        SELECT document, version FROM pipe
        WHERE service_id = ${serviceId} AND organization_id = ${organizationId} ORDER BY seq`
    })
    const requireService = makeRequireService(sql)
    const requireRunning = makeRequireRunning(sql)

    const remove = Effect.fnUntraced(function* (address: PipeAddress) {
      const { organizationId, pipeId, serviceId } = address
      yield* requireRunning(address, () => pipeNotFound(address))
      const [held] = yield* sql<Pick<typeof PipeRow.Type, "version">>`
        SELECT version FROM pipe
        WHERE id = ${pipeId} AND service_id = ${serviceId} AND organization_id = ${organizationId} ${forUpdate(sql)}`
      if (held === undefined) return yield* pipeNotFound(address)
      yield* checkVersion(held.version)
      yield* sql`DELETE FROM pipe WHERE id = ${pipeId}`
    })

    return Pipes.of({
      list: Effect.fn("SqlPipes.list")(function* (address) {
        const rows = yield* orServerError(selectAll(address))
        if (rows.length === 0) yield* requireService(address)
        return rows.map(pipeOf)
      }),
      get: Effect.fn("SqlPipes.get")(function* (address) {
        const row = yield* orServerError(select(address))
        return Option.isSome(row) ? pipeOf(row.value) : yield* pipeNotFound(address)
      }),
      delete: Effect.fn("SqlPipes.delete")(function* (address) {
        yield* orServerError(writeTransaction(sql)(remove(address)))
      })
    })
  })
)

/** The `Pipes` port over SQL. Pipes are stored by imports of snapshots. */
export const SqlPipes = { layer }
