import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as Struct from "effect/Struct"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { versionOf, withVersion } from "../access/Version.ts"
import type { OrganizationId } from "../id/organization.ts"
import { type InvalidRequest, invalidRequest, type PreconditionFailed } from "../error/CallError.ts"
import { decodeRequest, jsonIssues, validate } from "../error/validate.ts"
import type { FieldIssue } from "../error/FieldIssue.ts"
import type { JsonObject } from "./config/Issues.ts"
import { type DocumentKind, type DocumentKindName, documentKinds, OrganizationDocuments } from "./documentKinds.ts"
import type { DocumentRule, FindNamed } from "./DocumentRule.ts"
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

const isEmptyObject = (value: Schema.Json): boolean =>
  Predicate.isObject(value) && !Array.isArray(value) && Object.keys(value).length === 0

/** Splits the secrets of a request from a document. What is absent and write-only is taken from `kept`. */
const split = (
  kind: SecretFields,
  organizationId: OrganizationId,
  version: number,
  document: { readonly id: string },
  sent: object,
  kept: { readonly [field: string]: Schema.Json } = {}
): DocumentRecord => {
  const fields = fieldsOf(kind)
  const clear = Object.fromEntries(Object.entries(document).filter(([field]) => !fields.includes(field)))
  const secrets = fields.flatMap((field) => {
    const given = secretOf(sent, field)
    const value = given === undefined && kind.writeOnly.includes(field) ? kept[field] : given
    return Predicate.isNotNullish(value) && !isEmptyObject(value) ? [[field, value] as const] : []
  })
  return {
    organizationId,
    document: withVersion({ ...clear, id: document.id }, version),
    ...(secrets.length === 0 ? {} : { secrets: Redacted.make(Object.fromEntries(secrets), { label: "secrets" }) })
  }
}

/** The record of a document of a snapshot. */
export const importedDocument = (
  name: DocumentKindName,
  organizationId: OrganizationId,
  document: { readonly id: string }
): DocumentRecord => split(documentKinds[name], organizationId, 1, document, document)

/** Reads the secrets of a kind of documents; `undefined` if it has none. */
export const secretsDecoder = (name: DocumentKindName) => {
  const { Secrets } = documentKinds[name]
  return fieldsOf({ Secrets }).length === 0 ? undefined : Schema.decodeUnknownResult(Secrets)
}

/** A valid request as its rules read it: its secrets are open, and what is `null` is absent. */
const requestOf = (valid: object): JsonObject =>
  withoutNulls(
    Object.fromEntries(
      Object.entries(valid).map(([field, value]) => [field, Redacted.isRedacted(value) ? Redacted.value(value) : value])
    )
  )

/** The fields of a request that are `null`. */
const nullsIn = (valid: object): ReadonlyArray<string> =>
  Object.entries(valid).flatMap(([field, value]) => (value === null ? [field] : []))

const present = (document: JsonObject): object =>
  Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined))

const failIfAny = (issues: ReadonlyArray<FieldIssue>) => (issues.length === 0 ? Effect.void : invalidRequest(issues))

/** What an adapter that stores documents of one kind does with a request: `Stored` is what it stores. */
export interface DocumentRules<Request, Stored> {
  /**
   * Validates a request for a document, and fails with `InvalidRequest` when a field is wrong. The result makes the record, in the
   * transaction of the creation: it reads with `find` what the request names, and fails with `InvalidRequest` if that is not there.
   */
  readonly make: (
    organizationId: OrganizationId,
    request: Request
  ) => Effect.Effect<<E>(find: FindNamed<E>) => Effect.Effect<Stored, InvalidRequest | E>, InvalidRequest, SecureRandom>
  /**
   * Validates a request to replace a document. The result reads what the request names, in the transaction of the change, and fails as
   * that of `make`. Its result makes the record from the stored one. It fails with `PreconditionFailed` if that one does not have the
   * version of `IfMatch`, and with `InvalidRequest` if the request leaves out a secret to be kept that does not open.
   */
  readonly replace: (
    request: Request
  ) => Effect.Effect<
    <E>(
      id: string,
      find: FindNamed<E>
    ) => Effect.Effect<
      (stored: Stored) => Effect.Effect<Stored, PreconditionFailed | InvalidRequest>,
      InvalidRequest | E
    >,
    InvalidRequest
  >
  /** The ids of the alerts that are deleted with a document. Fails with `Conflict` if something needs it. */
  readonly deletion: DocumentRule["deletion"]
}

/**
 * The rules of one kind of documents. Every adapter that stores them uses these: {@link DocumentRules}, and
 *
 * - `validate` tells whether the fields of a request are those that `make` takes, and which are wrong.
 * - `documentOf` is the document that callers read.
 *
 * @example
 * ```ts
 * import type { OrganizationId, WebhookCreate } from "@headgate/core"
 * import { documentKinds, documentRules } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 *
 * const { documentOf, make } = documentRules(documentKinds.webhooks)
 * const url = Redacted.make("https://hooks.example.com/T0")
 * const headers = Redacted.make({ authorization: "secret" })
 * const request: WebhookCreate = { name: "On call", service: "generic", url, headers }
 * // Yours: the other webhooks of the organization. No headers in the answer: they are beside the document, in `secrets` of the record.
 * export const answered = (organizationId: OrganizationId) =>
 *   Effect.flatMap(make(organizationId, request), (record) => Effect.map(record(() => Effect.succeed([])), documentOf))
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
  const { Document, Id, Request, rule, Update, writeOnly } = kind
  const fields = fieldsOf(kind)
  const decodeDocument = Schema.decodeUnknownSync(Document)
  const makeId = Schema.decodeSync(Id)

  const longSecrets = (valid: object): ReadonlyArray<FieldIssue> =>
    fields
      .filter((field) => JSON.stringify(secretOf(valid, field) ?? null).length > maxSecretLength)
      .map((path) => ({ path, message: `Expected at most ${maxSecretLength} characters as JSON` }))

  const names = SchemaAST.isObjects(Request.ast) ? Request.ast.propertySignatures.map(({ name }) => String(name)) : []
  // An unknown field may be a misspelt secret.
  const normalizedOf = (request: JsonObject): object =>
    Object.fromEntries(Object.entries(request).filter(([name]) => names.includes(name) && !fields.includes(name)))

  const validateRequest = validate(Request)
  const validateUpdate = validate(Update)
  const decodeFields = decodeRequest(Request)

  const check = Effect.fnUntraced(function* (valid: object) {
    const now = yield* DateTime.now
    const request = requestOf(valid)
    const issues = rule.issues(request, now)
    yield* failIfAny([...issues, ...longSecrets(valid).filter(({ path }) => issues.every((one) => one.path !== path))])
    return { request, now: DateTime.formatIso(now), removed: nullsIn(valid) }
  })

  return {
    make: Effect.fnUntraced(function* (organizationId: OrganizationId, request: Request) {
      const valid = yield* validateRequest(request)
      const checked = yield* check(valid)
      yield* failIfAny(rule.changeIssues(checked.request, undefined))
      const id = yield* objectId()
      return Effect.fnUntraced(function* <E>(find: FindNamed<E>) {
        const named = yield* rule.references(checked.request, undefined, find)
        const document = rule.document(checked.request, { ...checked, organizationId, named })
        return split(kind, organizationId, 1, { ...present(document), id }, valid)
      })
    }),
    replace: Effect.fnUntraced(function* (update: Update) {
      const valid = yield* validateUpdate(update)
      const { request, ...checked } = yield* check(valid)
      return Effect.fnUntraced(function* <E>(id: string, find: FindNamed<E>) {
        const named = yield* rule.references(request, id, find)
        return Effect.fnUntraced(function* (record: DocumentRecord) {
          const { organizationId } = record
          const stored: JsonObject = { ...record.document }
          const version = yield* nextVersion(record.document)
          yield* failIfAny(rule.changeIssues(request, stored))
          const secrets = openSecrets(record)
          const lost = record.hasLostSecrets === true ? writeOnly : []
          const message = "Expected a new value, or null for none: the one that is stored does not open"
          yield* failIfAny(lost.flatMap((path) => (secretOf(valid, path) === undefined ? [{ path, message }] : [])))
          const document = rule.document(request, { ...checked, organizationId, named, stored })
          const kept = rule.keepsSecrets(request, { ...stored, ...secrets }) ? secrets : {}
          return split(kind, organizationId, version, { ...present(document), id: record.document.id }, valid, kept)
        })
      })
    }),
    deletion: rule.deletion,
    validate: (document: object) => {
      const issues = jsonIssues(document)
      const checked = issues.length > 0 ? invalidRequest(issues) : Effect.flatMap(decodeFields(document), check)
      return Effect.match(checked, {
        onFailure: ({ issues }) => ({ valid: false, errors: issues, normalized: null }),
        onSuccess: ({ request }) => ({ valid: true, errors: [], normalized: normalizedOf(request) })
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
