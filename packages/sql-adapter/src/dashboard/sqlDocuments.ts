import { type OrganizationId, versionOf } from "@headgate/core"
import { checkVersion, type CountedKind, type DocumentRules, type OwnedDocuments } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment, Statement } from "effect/sql/Statement"
import { makeCheckBytes } from "../internal/checkLimits.ts"
import { makeCreateWithinLimits } from "../internal/createWithinLimits.ts"
import { orServerError } from "../internal/outage.ts"
import { isStorable } from "../internal/storableText.ts"
import { forUpdate, writeTransaction } from "../internal/transaction.ts"
import { deleteAlerts, findNamed } from "./findNamed.ts"

/** The columns of a row that a caller writes. */
interface Columns {
  readonly document: string
  /** Absent: NULL in a new row, and unchanged in one that exists. */
  readonly credentials?: string | null
}

/** How one kind of documents is stored. */
export interface DocumentTable<Stored> {
  readonly table: string
  readonly idOf: (stored: Stored) => string
  readonly ownerOf: (stored: Stored) => OrganizationId
  readonly encode: (stored: Stored) => Effect.Effect<Columns, Schema.SchemaError>
  /** Reads rows of the table: every column. */
  readonly decode: (rows: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<Stored>, Schema.SchemaError>
}

/** Inserts a document unless its id is taken. Returns whether it inserted the document. */
export const makeInsertDocument = <Stored>(
  sql: SqlClient.SqlClient,
  { encode, idOf, ownerOf, table }: DocumentTable<Stored>
) =>
  Effect.fnUntraced(function* (stored: Stored) {
    const row = { id: idOf(stored), organization_id: ownerOf(stored), ...(yield* encode(stored)) }
    const inserted = yield* sql`INSERT INTO ${sql(table)} ${sql.insert(row)} ON CONFLICT (id) DO NOTHING RETURNING id`
    return inserted.length > 0
  })

/** One kind of documents. */
interface Kind<Id extends string, Address, Request, Document extends object, Missing, Stored> extends DocumentRules<
  Request,
  Stored
> {
  readonly counted: CountedKind
  /** The name of the spans, as in `SqlConnections`. */
  readonly name: string
  readonly table: DocumentTable<Stored>
  readonly documentOf: (stored: Stored) => Document
  readonly idIn: (address: Address) => Id
  readonly notFound: (id: Id) => Missing
  /** The columns that a request to replace a document empties. */
  readonly removed?: (request: Request) => Pick<Columns, "credentials">
}

/** The port to the documents of one kind, for each organization. */
export const sqlDocuments = Effect.fnUntraced(function* <
  Id extends string,
  Address,
  Request,
  Document extends object,
  Missing,
  Stored
>(kind: Kind<Id, Address, Request, Document, Missing, Stored>) {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const { counted, deletion, documentOf, idIn, make, name, notFound, removed, replace } = kind
  const { decode, encode, table } = kind.table
  const insert = makeInsertDocument(sql, kind.table)
  const createWithinLimits = makeCreateWithinLimits(sql)
  const checkBytes = makeCheckBytes(sql)
  const write = writeTransaction(sql)
  const named = findNamed(sql)

  const rowsOf = (statement: Statement<object>) => Effect.flatMap(statement, decode)

  const ofId = (organizationId: OrganizationId, id: Id) => sql`id = ${id} AND organization_id = ${organizationId}`

  const find = Effect.fnUntraced(function* (organizationId: OrganizationId, id: Id, lock: Fragment = sql``) {
    const condition = ofId(organizationId, id)
    const rows = isStorable(id) ? yield* rowsOf(sql`SELECT * FROM ${sql(table)} WHERE ${condition} ${lock}`) : []
    const [stored] = rows
    return stored === undefined ? yield* Effect.fail(notFound(id)) : stored
  })

  const create = Effect.fn(`${name}.create`)(function* (organizationId: OrganizationId, request: Request) {
    const made = yield* Effect.provideService(make(organizationId, request), SecureRandom.SecureRandom, random)
    const inserted = Effect.tap(made(named(organizationId)), insert)
    return documentOf(yield* orServerError(createWithinLimits(counted, organizationId, inserted)))
  })

  const list = Effect.fn(`${name}.list`)(function* (organizationId: OrganizationId) {
    const select = sql`SELECT * FROM ${sql(table)} WHERE organization_id = ${organizationId} ORDER BY seq`
    return (yield* orServerError(rowsOf(select))).map(documentOf)
  })

  const get = Effect.fn(`${name}.get`)(function* (organizationId: OrganizationId, id: Id) {
    return documentOf(yield* orServerError(find(organizationId, id)))
  })

  const update = Effect.fn(`${name}.update`)(function* (organizationId: OrganizationId, id: Id, request: Request) {
    const checked = yield* replace(request)
    const change = Effect.gen(function* () {
      // What the document names is locked before it, as by a deletion, which takes what names the deleted one along.
      const replaced = yield* checked(id, named(organizationId))
      const held = yield* find(organizationId, id, forUpdate(sql))
      const stored = yield* replaced(held)
      const version = versionOf(documentOf(stored)) ?? 1
      const columns = { ...(yield* encode(stored)), ...removed?.(request), version }
      yield* sql`UPDATE ${sql(table)} SET ${sql.update(columns)} WHERE ${ofId(organizationId, id)}`
      if (columns.document.length > (yield* encode(held)).document.length) yield* checkBytes(organizationId)
      return documentOf(stored)
    })
    return yield* orServerError(write(change))
  })

  const remove = Effect.fn(`${name}.delete`)(function* (organizationId: OrganizationId, id: Id) {
    const change = Effect.gen(function* () {
      yield* checkVersion(versionOf(documentOf(yield* find(organizationId, id, forUpdate(sql)))) ?? 1)
      const alerts = yield* deletion(id, named(organizationId))
      yield* sql`DELETE FROM ${sql(table)} WHERE ${ofId(organizationId, id)}`
      yield* deleteAlerts(sql, organizationId, alerts)
    })
    yield* orServerError(write(change))
  })

  // It is called for each request, so it makes no function with a span.
  return (organizationId: OrganizationId): OwnedDocuments<Address, Request, Document, Missing> => ({
    create: (request) => create(organizationId, request),
    list: () => list(organizationId),
    get: (address) => get(organizationId, idIn(address)),
    update: (address, request) => update(organizationId, idIn(address), request),
    delete: (address) => remove(organizationId, idIn(address))
  })
})
