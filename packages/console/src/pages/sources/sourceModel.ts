import type { ObjectNode } from "../../parts/schemaForm/schemaNode.ts"

type Values = Readonly<Record<string, unknown>>

/** What the server sets, and no request has. */
const ofServer = ["id", "createdAt", "updatedAt", "team", "_id", "__v"]

/**
 * The request that replaces a document. A field of the form that is empty now is removed, and one that no form knows stays. A secret is not
 * in the document: an empty one stays as it is, and `null` of `removed` ends it.
 */
export const replacing = (
  node: ObjectNode,
  document: Values,
  values: Values,
  removed: ReadonlyArray<string>
): Values => {
  const isOfForm = (name: string) => node.members.some((member) => member.name === name)
  const kept = Object.entries(document).filter(([name]) => !isOfForm(name) && !ofServer.includes(name))
  const emptied = Object.entries(document).filter(
    ([name, value]) => isOfForm(name) && value !== null && value !== undefined && values[name] === undefined
  )
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(emptied.map(([name]) => [name, null])),
    ...values,
    ...Object.fromEntries(removed.map((name) => [name, null]))
  }
}

/** The names of the fields in which two versions of a document differ. */
export const changedFields = (before: Values, after: Values): ReadonlyArray<string> =>
  Array.from(new Set([...Object.keys(before), ...Object.keys(after)])).filter(
    (name) => name !== "updatedAt" && JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null)
  )

/** A connection as far as the page tells them apart. */
interface Connection {
  readonly id: string
  readonly name: string
  readonly host?: string | null | undefined
}

/** Whether a connection is the server's own, to its warehouse: it cannot be changed. */
export const isOwn = ({ host, name }: Connection): boolean =>
  name === "warehouse" && (host === undefined || host === null || host === "")

/** What the connections are called in a choice: names that are there twice have their ids. */
export const connectionTitles = (connections: ReadonlyArray<Connection>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    connections.map(({ id, name }) => [
      id,
      connections.filter((one) => one.name === name).length > 1 ? `${name} (${id})` : name
    ])
  )

/** The names of the sources that name a connection. */
export const usersOf = (
  connectionId: string,
  sources: ReadonlyArray<{ readonly name: string; readonly connection?: string | null | undefined }>
): ReadonlyArray<string> => sources.filter(({ connection }) => connection === connectionId).map(({ name }) => name)

/** `database.table` of a source, or what there is of it. */
export const tableOf = ({
  from
}: {
  readonly from?:
    | { readonly databaseName?: string | null | undefined; readonly tableName?: string | null | undefined }
    | null
    | undefined
}): string => [from?.databaseName, from?.tableName].filter(Boolean).join(".")
