import { calls } from "../../data/calls.ts"

/** A document of one of the two tables: a connection or a source. */
export interface Document {
  readonly id: string
  readonly name: string
}

/** What can be done with the documents of a kind. */
export interface DocumentKind {
  /** What one is called. */
  readonly one: "connection" | "source"
  /** The operation of whose body the form is made. */
  readonly creation: { readonly method: string; readonly path: string }
  /** The fields that are shown at once. */
  readonly first: ReadonlyArray<string>
  readonly read: (id: string) => Promise<{ readonly value: Document; readonly etag: string | undefined }>
  readonly create: (values: Readonly<Record<string, unknown>>, idempotencyKey: string) => Promise<unknown>
  readonly replace: (
    id: string,
    values: Readonly<Record<string, unknown>>,
    ifMatch: string | undefined
  ) => Promise<unknown>
  readonly remove: (id: string, ifMatch: string | undefined) => Promise<unknown>
}

// A form that is read has what its schema requires: the types of the requests say no more.
type ConnectionRequest = Parameters<typeof calls.connection.create>[0]
type SourceRequest = Parameters<typeof calls.source.create>[0]

/** The connections of dashboards to databases. */
export const connectionKind: DocumentKind = {
  one: "connection",
  creation: calls.connection.create,
  first: ["username", "password"],
  read: (id) => calls.connection.get.versioned({ id }),
  create: (values, idempotencyKey) => calls.connection.create(values as ConnectionRequest, { idempotencyKey }),
  replace: (id, values, ifMatch) => calls.connection.update({ ...(values as ConnectionRequest), id }, { ifMatch }),
  remove: (id, ifMatch) => calls.connection.delete({ id }, { ifMatch })
}

/** The data sources of dashboards. */
export const sourceKind: DocumentKind = {
  one: "source",
  creation: calls.source.create,
  first: ["from", "from.databaseName", "from.tableName", "timestampValueExpression"],
  read: (id) => calls.source.get.versioned({ id }),
  create: (values, idempotencyKey) => calls.source.create(values as SourceRequest, { idempotencyKey }),
  replace: (id, values, ifMatch) => calls.source.update({ ...(values as SourceRequest), id }, { ifMatch }),
  remove: (id, ifMatch) => calls.source.delete({ id }, { ifMatch })
}
