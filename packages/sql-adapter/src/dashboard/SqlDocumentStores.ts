import { OrganizationId } from "@headgate/core"
import {
  type DocumentKind,
  type DocumentKindName,
  documentKinds,
  type DocumentRecord,
  documentRules,
  documentStores,
  looseStruct,
  OrganizationDocuments,
  Sealing,
  secretNames,
  withVersion
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Str from "effect/String"
import * as Struct from "effect/Struct"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import { damagedSecret, type ResealText } from "../internal/openSealed.ts"
import { kindTables } from "../internal/tables.ts"
import { type DocumentTable, sqlDocuments } from "./sqlDocuments.ts"

const Document = Schema.fromJsonString(looseStruct({ id: Schema.String }))
const Row = Schema.Struct({
  organization_id: OrganizationId,
  document: Document,
  version: Schema.Int,
  credentials: Schema.NullOr(Schema.String)
})

const encodeDocument = Schema.encodeEffect(Document)
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))
const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

const label = "secrets"

/** The table of one kind of documents. The secrets of a record that is written must be sealed, and are sealed in one that is read. */
export const documentTable = (kind: DocumentKindName): DocumentTable<DocumentRecord> => ({
  table: kindTables[kind].table,
  idOf: ({ document }) => document.id,
  ownerOf: ({ organizationId }) => organizationId,
  encode: ({ document, secrets }) =>
    Effect.map(encodeDocument(document), (document) => ({
      document,
      credentials: secrets === undefined ? null : String(Redacted.value(secrets))
    })),
  decode: (rows) =>
    Effect.map(decodeRows(rows), (rows) =>
      rows.map(({ credentials, document, organization_id, version }) => ({
        organizationId: organization_id,
        document: withVersion(document, version),
        ...(credentials === null ? {} : { secrets: Redacted.make(credentials, { label }) })
      }))
    )
})

/** A record with other secrets. `context` names the document. */
const mapSecrets = (
  kind: DocumentKindName,
  record: DocumentRecord,
  replace: (secrets: Schema.Json, context: string) => Effect.Effect<Schema.Json>
): Effect.Effect<DocumentRecord> => {
  const { document, secrets } = record
  if (secrets === undefined) return Effect.succeed(record)
  return Effect.map(replace(Redacted.value(secrets), secretNames.document(kind, document.id)), (replaced) => ({
    ...record,
    secrets: Redacted.make(replaced, { label })
  }))
}

/** Seals the secrets of a record before it is stored. */
export const sealDocument = ({ seal }: Sealing["Service"], kind: DocumentKindName, record: DocumentRecord) =>
  mapSecrets(kind, record, (secrets, context) => seal(JSON.stringify(secrets), context))

/**
 * A stored record for a caller. Secrets that do not open are left out, so that they keep no document from being read or deleted. It
 * can be replaced by a request that brings all of them.
 */
const readDocument = Effect.fnUntraced(function* (
  { open }: Sealing["Service"],
  kind: DocumentKindName,
  record: DocumentRecord
) {
  const { secrets, ...others } = record
  if (secrets === undefined) return record
  const context = secretNames.document(kind, record.document.id)
  const text = yield* open(String(Redacted.value(secrets)), context)
  if (Option.isSome(text)) {
    return { ...others, secrets: Redacted.make(yield* Effect.orDie(decodeJson(text.value)), { label }) }
  }
  yield* Effect.logError(`answered without its secrets: ${damagedSecret(context)}`)
  return { ...others, hasLostSecrets: true }
})

/** The table of one kind of documents, for records whose secrets are not sealed. */
const openTable = (kind: DocumentKindName, sealing: Sealing["Service"]): DocumentTable<DocumentRecord> => {
  const sealed = documentTable(kind)
  return {
    ...sealed,
    encode: (record) => Effect.flatMap(sealDocument(sealing, kind, record), sealed.encode),
    decode: (rows) =>
      Effect.flatMap(
        sealed.decode(rows),
        Effect.forEach((record) => readDocument(sealing, kind, record))
      )
  }
}

/** Seals the secrets of all documents with another key. */
export const resealDocuments = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, resealText: ResealText) {
  for (const kind of Struct.keys(documentKinds)) {
    const { decode, encode, table } = documentTable(kind)
    const sealed = yield* decode(yield* sql`SELECT * FROM ${sql(table)} WHERE credentials IS NOT NULL`)
    for (const record of sealed) {
      const { credentials } = yield* encode(
        yield* mapSecrets(kind, record, (text, context) => resealText(String(text), context))
      )
      yield* sql`UPDATE ${sql(table)} SET credentials = ${credentials ?? null} WHERE id = ${record.document.id}`
    }
  }
})

const documentsOf = Effect.fnUntraced(function* (counted: DocumentKindName, kind: DocumentKind) {
  return yield* sqlDocuments({
    counted,
    name: `Sql${Str.capitalize(counted)}`,
    table: openTable(counted, yield* Sealing),
    idIn: kind.idIn,
    notFound: kind.notFound,
    ...documentRules(kind)
  })
})

const layer: Layer.Layer<OrganizationDocuments, never, SqlClient.SqlClient | SecureRandom | Sealing> = Layer.effect(
  OrganizationDocuments,
  documentStores(documentsOf)
)

/** The `OrganizationDocuments` port over SQL. Secrets are stored sealed. */
export const SqlDocumentStores = { layer }
