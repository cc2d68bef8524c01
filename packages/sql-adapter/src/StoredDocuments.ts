import type { CallError, OrganizationId, PipeAddress, PipeNotFound } from "@headgate/core"
import { pipeNotFound } from "@headgate/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { orServerFault } from "./internal/outage.ts"

/**
 * Stored resources as the JSON text that the tables hold, under the neutral names. `headgate-server` answers reads with
 * it, so that a document is neither decoded nor encoded on its way out. It is a contract between this adapter and the
 * server alone: programs use the ports.
 */
export class StoredDocuments extends Context.Service<
  StoredDocuments,
  {
    /** The text of one pipe. Fails as `Pipes.get` does. */
    readonly pipe: (address: PipeAddress) => Effect.Effect<string, PipeNotFound | CallError>
    /** The texts of an organization's dashboards, in pages. Fails as `Dashboards.list` does. */
    readonly dashboards: (organizationId: OrganizationId) => Stream.Stream<ReadonlyArray<string>, CallError>
  }
>()("@headgate/sql-adapter/StoredDocuments") {
  static readonly layer: Layer.Layer<StoredDocuments, never, SqlClient.SqlClient> = Layer.effect(
    StoredDocuments,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return StoredDocuments.of({
        pipe: Effect.fnUntraced(function* (address) {
          const { organizationId, pipeId, serviceId } = address
          const [row] = yield* orServerFault(sql<{ readonly document: string }>`
            SELECT document FROM pipe
            WHERE id = ${pipeId} AND service_id = ${serviceId} AND organization_id = ${organizationId}`)
          return row === undefined ? yield* pipeNotFound(address) : row.document
        }),
        dashboards: (organizationId) =>
          Stream.fromEffect(
            orServerFault(sql<{ readonly document: string }>`
              SELECT document FROM dashboard WHERE organization_id = ${organizationId} ORDER BY seq`)
          ).pipe(Stream.map((rows) => rows.map(({ document }) => document)))
      })
    })
  )
}
