import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { versionOf, withVersion } from "../access/Version.ts"
import type { OrganizationId } from "../id/organization.ts"
import { invalidRequest } from "../error/CallError.ts"
import { decodeRequest, jsonIssues, validate } from "../error/validate.ts"
import { type DocumentKind, type DocumentKindName, documentKinds, OrganizationDocuments } from "./documentKinds.ts"
import type { OwnedDocuments } from "./OwnedDocuments.ts"
import { nextVersion, objectId, withoutNulls } from "./storedDocuments.ts"

/** A document of any kind as a store keeps it. Its secrets are apart from it: as one JSON object, or as the text of `Sealing`. */
export interface DocumentRecord {
  readonly organizationId: OrganizationId
  readonly document: { readonly id: string }
  readonly secrets?: Redacted.Redacted<Schema.Json>
  /** Whether its stored secrets do not open. It has none then, and a request to replace it cannot keep them. */
  readonly hasLostSecrets?: boolean
}

const maxSecretLength = 8192

const isJson = Schema.is(Schema.Json)
const isJsonObject = Schema.is(Schema.Record(Schema.String, Schema.Json))

/** The JSON of a field that is a secret, `null` included; `undefined` if it is absent. */
const secretOf = (sent: object, field: string): Schema.Json | undefined => {
  const value: unknown = Reflect.get(sent, field)
  const open = Redacted.isRedacted(value) ? Redacted.value(value) : value
  return isJson(open) ? open : undefined
}

/** The secrets of a stored document by field. */
const openSecrets = ({ secrets }: DocumentRecord): { readonly [field: string]: Schema.Json } => {
  const open = secrets === undefined ? undefined : Redacted.value(secrets)
  return isJsonObject(open) ? open : {}
}

type SecretFields = Pick<DocumentKind, "Secrets" | "writeOnly">

/** The names of the secrets of a kind of documents. */
const fieldsOf = ({ Secrets }: Pick<SecretFields, "Secrets">): ReadonlyArray<string> =>
  Object.keys(Secrets.schema.fields)

/** Splits the secrets from a document. What is absent and write-only is taken from `kept`. */
const split = (
  kind: SecretFields,
  organizationId: OrganizationId,
  id: string,
  version: number,
  sent: object,
  kept: { readonly [field: string]: Schema.Json } = {}
): DocumentRecord => {
  const fields = fieldsOf(kind)
  const secrets = fields.flatMap((field) => {
    const given = secretOf(sent, field)
    const value = given === undefined && kind.writeOnly.includes(field) ? kept[field] : given
    return Predicate.isNotNullish(value) ? [[field, value] as const] : []
  })
  return {
    organizationId,
    document: withVersion({ ...Struct.omit(withoutNulls(sent), fields), id }, version),
    ...(secrets.length === 0 ? {} : { secrets: Redacted.make(Object.fromEntries(secrets), { label: "secrets" }) })
  }
}

/** The record of a document of a snapshot. */
export const importedDocument = (
  name: DocumentKindName,
  organizationId: OrganizationId,
  document: { readonly id: string }
): DocumentRecord => split(documentKinds[name], organizationId, document.id, 1, document)

/** Reads the secrets of a kind of documents; `undefined` if it has none. */
export const secretsDecoder = (name: DocumentKindName) => {
  const { Secrets } = documentKinds[name]
  return fieldsOf({ Secrets }).length === 0 ? undefined : Schema.decodeUnknownResult(Secrets)
}

/**
 * The rules of one kind of documents. Every adapter that stores them uses these.
 *
 * - `make` makes a record from a request, with an id of 24 hex digits; it fails with `InvalidRequest` when a field is wrong.
 * - `replace` validates a request to replace a document. The result makes the record from the stored one, in the transaction of the
 *   change. It fails with `PreconditionFailed` if that one does not have the version of `IfMatch`, and with `InvalidRequest` if the
 *   request leaves out a secret to be kept that does not open.
 * - `validate` tells whether `make` would take a document, and which fields are wrong.
 * - `documentOf` is the document that callers read.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core"
 * import { documentKinds, documentRules } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 *
 * const { documentOf, make } = documentRules(documentKinds.webhooks)
 * const request = { name: "On call", headers: Redacted.make({ authorization: "secret" }) }
 * // No headers: they are beside the document, in `secrets` of the record.
 * export const answered = (organizationId: OrganizationId) => Effect.map(make(organizationId, request), documentOf)
 * ```
 */
export const documentRules = <
  Id extends string,
  Address,
  Request extends object,
  Document extends object,
  Missing,
  Update extends object
>(
  kind: DocumentKind<Id, Address, Request, Document, Missing, Update>
) => {
  const { assigned, Document, Id, kept, Request, Update, writeOnly } = kind
  const fields = fieldsOf(kind)
  const decodeDocument = Schema.decodeUnknownSync(Document)
  const makeId = Schema.decodeSync(Id)

  const validateSecrets = Effect.fnUntraced(function* <Sent extends object>(valid: Sent) {
    const long = fields.filter((field) => JSON.stringify(secretOf(valid, field) ?? null).length > maxSecretLength)
    if (long.length === 0) return valid
    const message = `Expected at most ${maxSecretLength} characters as JSON`
    return yield* invalidRequest(long.map((path) => ({ path, message })))
  })

  const validateRequest = validate(Request)
  const validateUpdate = validate(Update)
  const decodeFields = decodeRequest(Request)
  const now = Effect.map(DateTime.now, DateTime.formatIso)

  return {
    make: Effect.fnUntraced(function* (organizationId: OrganizationId, request: Request) {
      const valid = yield* Effect.flatMap(validateRequest(request), validateSecrets)
      return split(kind, organizationId, yield* objectId(), 1, { ...valid, ...assigned(yield* now) })
    }),
    replace: (request: Update) =>
      Effect.map(Effect.flatMap(validateUpdate(request), validateSecrets), (valid) =>
        Effect.fnUntraced(function* (stored: DocumentRecord) {
          const version = yield* nextVersion(stored.document)
          const lost = stored.hasLostSecrets === true ? writeOnly : []
          const missing = lost.filter((field) => secretOf(valid, field) === undefined)
          if (missing.length > 0) {
            const message = "Expected a new value, or null for none: the one that is stored does not open"
            return yield* invalidRequest(missing.map((path) => ({ path, message })))
          }
          const held = Object.fromEntries(Object.entries(stored.document).filter(([field]) => kept.includes(field)))
          const sent = { ...held, ...valid, ...assigned(yield* now, stored.document) }
          return split(kind, stored.organizationId, stored.document.id, version, sent, openSecrets(stored))
        })
      ),
    validate: (document: object) => {
      const issues = jsonIssues(document)
      const checked =
        issues.length > 0 ? invalidRequest(issues) : Effect.flatMap(decodeFields(document), validateSecrets)
      return Effect.match(checked, {
        onFailure: ({ issues }) => ({ valid: false, errors: issues, normalized: null }),
        onSuccess: () => ({ valid: true, errors: [], normalized: { ...Struct.omit(withoutNulls(document), fields) } })
      })
    },
    documentOf: (record: DocumentRecord): Document => {
      const answered = Struct.omit(openSecrets(record), writeOnly)
      return withVersion(decodeDocument({ ...record.document, ...answered }), versionOf(record.document) ?? 1)
    },
    idOf: ({ document }: DocumentRecord): Id => makeId(document.id)
  }
}

/** The port to the documents of one kind, for each organization. */
type DocumentsOf = (organizationId: OrganizationId) => OwnedDocuments<any, any, any, any>

/**
 * The ports to the documents of every kind, for adapters that store them: `make` is called once for each kind.
 *
 * @example
 * ```ts
 * import { documentStores, type DocumentKind, OrganizationDocuments, type OwnedDocuments } from "@headgate/core/adapter"
 * import type { OrganizationId } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // Yours: the documents of one kind in your store.
 * declare const documentsOf: (
 *   name: string,
 *   kind: DocumentKind
 * ) => Effect.Effect<(organizationId: OrganizationId) => OwnedDocuments<any, any, any, any>>
 *
 * export const layer = Layer.effect(OrganizationDocuments, documentStores(documentsOf))
 * ```
 */
export const documentStores = <E, R>(
  make: (name: DocumentKindName, kind: DocumentKind) => Effect.Effect<DocumentsOf, E, R>
) =>
  Effect.map(
    Effect.forEach(Struct.keys(documentKinds), (name) => {
      const kind: DocumentKind = documentKinds[name]
      const rules = documentRules(kind)
      // Every kind could be validated. The port of webhooks alone has the method.
      return Effect.map(make(name, kind), (documentsOf) => (organizationId: OrganizationId) => ({
        [name]: { ...documentsOf(organizationId), validate: rules.validate }
      }))
    }),
    (stores) =>
      OrganizationDocuments.of({
        of: (organizationId) => Object.assign({}, ...stores.map((documentsOf) => documentsOf(organizationId)))
      })
  )
