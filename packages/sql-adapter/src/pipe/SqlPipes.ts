import { Pipe, PipeAddress, Pipes } from "@headgate/core"
import { pipeNotFound } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { orServerFault } from "../internal/outage.ts"

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
        const row = yield* orServerFault(select(address))
        return Option.isSome(row) ? row.value.document : yield* pipeNotFound(address)
      }),
      delete: Effect.fn("SqlPipes.delete")(function* (address) {
        const { organizationId, pipeId, serviceId } = address
        const deleted = yield* orServerFault(sql`
          DELETE FROM pipe
          WHERE id = ${pipeId} AND service_id = ${serviceId} AND organization_id = ${organizationId}
          RETURNING id`)
        if (deleted.length === 0) return yield* pipeNotFound(address)
      })
    })
  })
)

/**
 * The `Pipes` port over SQL, over any migrated `SqlClient`. Pipes come into the store by `SqlSnapshots`. An outage of
 * the database is a `ServerError`.
 *
 * @example
 * ```ts
 * import { NodeSqlite, SqlMigrations, SqlPipes } from "@headgate/sql-adapter"
 * import * as Layer from "effect/Layer"
 *
 * // One port alone. `SqlAdapter` is all of them.
 * export const layer = SqlPipes.layer.pipe(
 *   Layer.provide(SqlMigrations.layer),
 *   Layer.provide(NodeSqlite.layer({ filename: ".headgate/headgate.db" }))
 * )
 * ```
 */
export const SqlPipes = { layer }
