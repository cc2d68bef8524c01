import { DashboardSource, OrganizationId, type SourceId } from "@headgate/core"
import { notFound, OrganizationSources, type SourceRecord, sourceRules, withVersion } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { SqlClient } from "effect/sql/SqlClient"
import { type DocumentTable, sqlDocuments } from "./sqlDocuments.ts"

const encodeSource = Schema.encodeEffect(Schema.fromJsonString(DashboardSource))

const Row = Schema.Struct({
  organization_id: OrganizationId,
  document: Schema.fromJsonString(DashboardSource),
  version: Schema.Int
})

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

const toRecord = ({ document, organization_id, version }: typeof Row.Type): SourceRecord => ({
  organizationId: organization_id,
  source: withVersion(document, version)
})

/** The table of data sources. */
export const sourceTable: DocumentTable<SourceRecord> = {
  table: "dashboard_source",
  idOf: ({ source }) => source.id,
  ownerOf: ({ organizationId }) => organizationId,
  encode: ({ source }) => Effect.map(encodeSource(source), (document) => ({ document })),
  decode: (rows) => Effect.map(decodeRows(rows), (rows) => rows.map(toRecord))
}

const layer: Layer.Layer<OrganizationSources, never, SqlClient | SecureRandom> = Layer.effect(
  OrganizationSources,
  Effect.map(
    sqlDocuments({
      counted: "sources",
      name: "SqlSources",
      table: sourceTable,
      documentOf: ({ source }: SourceRecord) => source,
      idIn: ({ sourceId }: { readonly sourceId: SourceId }) => sourceId,
      notFound: (sourceId: SourceId) => notFound("SourceNotFound", { sourceId }),
      ...sourceRules
    }),
    (of) => ({ of })
  )
)

/** The `OrganizationSources` port over SQL. */
export const SqlSources = { layer }
