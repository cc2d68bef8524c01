import {
  type CallError,
  ListedPipeStatus,
  type OrganizationId,
  type PipeAddress,
  type PipeNotFound,
  type ServiceAddress,
  type ServiceNotFound
} from "@headgate/core"
import { jsonEncoder, Sealing } from "@headgate/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { documentPages, type ReadPage, rowPages } from "./internal/documentPages.ts"
import { makeCurrentRows, makeReadPipe, pipeColumns, type PipeRow } from "./pipe/PipeRow.ts"
import { openPipeText } from "./pipe/pipeSecrets.ts"
import { makeStatusPages } from "./pipe/statusPages.ts"
import { makeRequireService } from "./service/ServiceRow.ts"

const encodeStatus = jsonEncoder(ListedPipeStatus)

/** A stored resource as JSON text, and its version. */
export interface StoredDocument {
  readonly document: string
  readonly version: number
}

/**
 * Stored resources as JSON text, with the neutral field names. `headgate-server` answers reads with it: a document is
 * neither decoded nor encoded. It is a contract between this adapter and the server; other programs use the ports.
 *
 * @example
 * ```ts
 * import type { PipeAddress } from "@headgate/core"
 * import { StoredDocuments } from "@headgate/sql-adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const textOf = (address: PipeAddress) =>
 *   Effect.map(StoredDocuments.use((stored) => stored.pipe(address)), ({ document }) => document)
 * ```
 */
export class StoredDocuments extends Context.Service<
  StoredDocuments,
  {
    /** The text of one pipe. Fails as `Pipes.get` does. */
    readonly pipe: (address: PipeAddress) => Effect.Effect<StoredDocument, PipeNotFound | CallError>
    /** Reads the texts of a service's pipes in pages, as `dashboards` does. Fails as `Pipes.list` does. */
    readonly pipes: (address: ServiceAddress) => ReadPage<ServiceNotFound | CallError>
    /** Reads the statuses of a service's pipes in pages, as texts. Fails as `Pipes.statuses` does. */
    readonly statuses: (address: ServiceAddress) => ReadPage<ServiceNotFound | CallError>
    /**
     * Reads the texts of an organization's dashboards in pages of at most 256 documents and 256 KiB; a larger document is a
     * page of its own. Between pages it holds neither a transaction nor a connection: a dashboard that exists all the
     * while is in exactly one page. Fails as `Dashboards.list` does.
     */
    readonly dashboards: (organizationId: OrganizationId) => ReadPage
  }
>()("@headgate/sql-adapter/StoredDocuments") {
  static readonly layer: Layer.Layer<StoredDocuments, never, SqlClient.SqlClient | Sealing> = Layer.effect(
    StoredDocuments,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const sealing = yield* Sealing
      const readPipe = makeReadPipe(sql)
      const currentRows = makeCurrentRows(sql)
      const requireService = makeRequireService(sql)
      const statusPages = makeStatusPages(sql)
      return StoredDocuments.of({
        pipe: (address) =>
          Effect.flatMap(readPipe(address), ({ document, version }) =>
            Effect.mapEager(openPipeText(sealing, document), (opened) => ({ document: opened, version }))
          ),
        pipes: (address) => {
          const { organizationId, serviceId } = address
          const owner = sql`organization_id = ${organizationId} AND service_id = ${serviceId}`
          const readRows = rowPages<PipeRow>(sql, "pipe", pipeColumns(sql), owner)
          return Effect.fnUntraced(function* (after) {
            const { next, rows } = yield* readRows(after)
            if (after === 0 && rows.length === 0) yield* requireService(address)
            const documents = (yield* currentRows(rows)).map(({ document }) => document)
            return { documents: yield* Effect.forEach(documents, (text) => openPipeText(sealing, text)), next }
          })
        },
        statuses: (address) => {
          const readStatuses = statusPages(address)
          return (after) =>
            Effect.flatMap(readStatuses(after), ({ next, statuses }) =>
              Effect.map(Effect.forEach(statuses, encodeStatus), (documents) => ({ documents, next }))
            )
        },
        dashboards: (organizationId) => documentPages(sql, "dashboard", sql`organization_id = ${organizationId}`)
      })
    })
  )
}
