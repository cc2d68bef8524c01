import { PipeDocuments, pipeNotFound } from "@headgate/core/pipe"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { orServerFault } from "../internal/outage.ts"

const layer: Layer.Layer<PipeDocuments, never, SqlClient.SqlClient> = Layer.effect(
  PipeDocuments,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    return PipeDocuments.of({
      // The document is stored as the text that is asked for: the schema read it before it was written.
      get: Effect.fnUntraced(function* (address) {
        const { organizationId, pipeId, serviceId } = address
        const [row] = yield* orServerFault(sql<{ readonly document: string }>`
          SELECT document FROM pipe
          WHERE id = ${pipeId} AND service_id = ${serviceId} AND organization_id = ${organizationId}`)
        return row === undefined ? yield* pipeNotFound(address) : row.document
      })
    })
  })
)

/**
 * The `PipeDocuments` port over SQL, over any migrated `SqlClient`.
 *
 * @example
 * ```ts
 * import { NodeSqlite, SqlPipeDocuments, SqlMigrations } from "@headgate/sql-adapter"
 * import * as Layer from "effect/Layer"
 *
 * export const layer = SqlPipeDocuments.layer.pipe(
 *   Layer.provide(SqlMigrations.layer),
 *   Layer.provide(NodeSqlite.layer({ filename: "headgate.sqlite" }))
 * )
 * ```
 */
export const SqlPipeDocuments = { layer }
