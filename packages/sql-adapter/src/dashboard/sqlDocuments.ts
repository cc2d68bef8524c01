import { type InvalidRequest, type OrganizationId, type PreconditionFailed, versionOf } from "@headgate/core"
import { checkVersion, type CountedKind, type OwnedDocuments } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment, Statement } from "effect/sql/Statement"
import { makeCheckBytes, makeCheckLimits } from "../internal/checkLimits.ts"
import { orServerError } from "../internal/outage.ts"
import { isStorable } from "../internal/storableText.ts"
import { forUpdate, writeTransaction } from "../internal/transaction.ts"

/** The columns of a row that a caller writes. */
interface Columns {
  readonly document: string
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
interface Kind<Id extends string, Request, Document extends object, Missing, Stored> {
  readonly counted: CountedKind
  /** The name of the spans, as in `SqlConnections`. */
  readonly name: string
  readonly table: DocumentTable<Stored>
  readonly documentOf: (stored: Stored) => Document
  readonly notFound: (id: Id) => Missing
  readonly make: (
    organizationId: OrganizationId,
    request: Request
  ) => Effect.Effect<Stored, InvalidRequest, SecureRandom.SecureRandom>
  readonly replace: (
    request: Request
  ) => Effect.Effect<(stored: Stored) => Effect.Effect<Stored, PreconditionFailed>, InvalidRequest>
}

/** The port to the documents of one kind, for each organization. */
export const sqlDocuments = Effect.fnUntraced(function* <
  Id extends string,
  Request,
  Document extends object,
  Missing,
  Stored
>(kind: Kind<Id, Request, Document, Missing, Stored>) {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const { counted, documentOf, make, name, notFound, replace } = kind
  const { decode, encode, table } = kind.table
  const insert = makeInsertDocument(sql, kind.table)
  const checkLimits = makeCheckLimits(sql)
  const checkBytes = makeCheckBytes(sql)
  const write = writeTransaction(sql)

  const rowsOf = (statement: Statement<object>) => Effect.flatMap(statement, decode)

  return (organizationId: OrganizationId): OwnedDocuments<Id, Request, Document, Missing> => {
    const ofId = (id: Id) => sql`id = ${id} AND organization_id = ${organizationId}`

    const find = Effect.fnUntraced(function* (id: Id, lock: Fragment = sql``) {
      const rows = isStorable(id) ? yield* rowsOf(sql`SELECT * FROM ${sql(table)} WHERE ${ofId(id)} ${lock}`) : []
      const [stored] = rows
      return stored === undefined ? yield* Effect.fail(notFound(id)) : stored
    })

    return {
      create: Effect.fn(`${name}.create`)(function* (request: Request) {
        const stored = yield* Effect.provideService(make(organizationId, request), SecureRandom.SecureRandom, random)
        yield* orServerError(write(Effect.andThen(insert(stored), checkLimits(counted, organizationId))))
        return documentOf(stored)
      }),
      list: Effect.fn(`${name}.list`)(function* () {
        const select = sql`SELECT * FROM ${sql(table)} WHERE organization_id = ${organizationId} ORDER BY seq`
        return (yield* orServerError(rowsOf(select))).map(documentOf)
      }),
      get: Effect.fn(`${name}.get`)(function* (id: Id) {
        return documentOf(yield* orServerError(find(id)))
      }),
      update: Effect.fn(`${name}.update`)(function* (id: Id, request: Request) {
        const replaced = yield* replace(request)
        const change = Effect.gen(function* () {
          const held = yield* find(id, forUpdate(sql))
          const stored = yield* replaced(held)
          const columns = { ...(yield* encode(stored)), version: versionOf(documentOf(stored)) ?? 1 }
          yield* sql`UPDATE ${sql(table)} SET ${sql.update(columns)} WHERE ${ofId(id)}`
          if (columns.document.length > (yield* encode(held)).document.length) yield* checkBytes(organizationId)
          return documentOf(stored)
        })
        return yield* orServerError(write(change))
      }),
      delete: Effect.fn(`${name}.delete`)(function* (id: Id) {
        const change = Effect.gen(function* () {
          yield* checkVersion(versionOf(documentOf(yield* find(id, forUpdate(sql)))) ?? 1)
          yield* sql`DELETE FROM ${sql(table)} WHERE ${ofId(id)}`
        })
        yield* orServerError(write(change))
      })
    }
  }
})
