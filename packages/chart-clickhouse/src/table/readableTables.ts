import { creatorOf, isErrorTableName, isOwnName, isSameTable, knownBy, ownTable } from "@headgate/clickhouse"
import type { CallError, OrganizationId } from "@headgate/core"
import type { PipeTable } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type { FoundTable } from "./lookUpTable.ts"

/** What a store knows of tables. */
export interface TableFacts {
  /** The tables that pipes have opened: of one organization, or of all. */
  readonly opened: (organizationId?: OrganizationId) => Effect.Effect<ReadonlyArray<PipeTable>, CallError>
  /** How many organizations there are. */
  readonly organizations: Effect.Effect<number, CallError>
  /** Which of these tables a pipe of another organization names as a table that it writes to. */
  readonly namedByOthers: (
    organizationId: OrganizationId,
    warehouse: string,
    database: string,
    tables: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlySet<string>, CallError>
  /** Databases that the operator lets organizations read; without one, the only organization of the store. */
  readonly queryDatabases: ReadonlyArray<{ readonly organizationId?: OrganizationId; readonly database: string }>
}

/** A table of a warehouse, and who asks for it. */
export interface AskedTable {
  readonly organizationId: OrganizationId
  readonly warehouse: string
  readonly database: string
  readonly table: string
}

const hiddenDatabases = new Set(["system", "information_schema", "_temporary_and_external_tables"])

/** Whether a name is that of a table which no chart reads: of the engine, or of the movers. */
export const isHidden = (database: string, table: string): boolean =>
  hiddenDatabases.has(database.toLowerCase()) || isOwnName(table) || isErrorTableName(table)

const isOfFamily = ({ engine }: FoundTable): boolean => engine.endsWith("MergeTree")

const otherEngines = new Set(["View", "MaterializedView", "Distributed"])

/** Whether a table holds rows itself, or reads them from where its owner has said. Other engines read files, addresses and queues. */
export const holdsRows = (found: FoundTable): boolean => isOfFamily(found) || otherEngines.has(found.engine)

/** Whether a table is one of the movers, whatever its name. */
export const isOfMovers = ({ comment }: FoundTable): boolean => comment.startsWith(ownTable)

/**
 * Whether an organization may read a table of a warehouse that several may share, as it is now: one that a pipe of it has created, which
 * is still that one, and which no pipe of another organization names or has opened; what the operator lets it read; and if it is the only
 * organization, what its pipes have opened. A name alone proves nothing: any pipe can name any table. Hidden names are not asked for.
 */
export const mayRead = Effect.fnUntraced(function* (
  facts: TableFacts,
  { database, organizationId, table, warehouse }: AskedTable,
  found: FoundTable
) {
  if (isOfMovers(found) || !holdsRows(found)) return false
  const isNamed = (one: PipeTable) =>
    one.database === database && one.table === table && isSameTable(one.knownBy, knownBy(found))
  const isIt = (one: PipeTable) => one.warehouse === warehouse && isNamed(one)
  // One server may be a warehouse under several names.
  const isAnywhere = (one: PipeTable) => isIt(one) || (one.knownBy.trim() !== "" && isNamed(one))
  const opened = (yield* facts.opened(organizationId)).filter(isIt)
  const creator = creatorOf(found)
  const isCreated = opened.some(({ isCreated, pipeId }) => isCreated && pipeId === creator)
  const namedDatabase = facts.queryDatabases.filter((one) => one.database === database)
  if (opened.length === 0 && namedDatabase.length === 0) return false
  // A pipe of another organization may have moved rows into it and be gone: then nothing but this names it.
  const isOthers = Effect.gen(function* () {
    if ((yield* facts.opened()).some((one) => one.organizationId !== organizationId && isAnywhere(one))) return true
    return (yield* facts.namedByOthers(organizationId, warehouse, database, [table])).has(table)
  })
  if (isCreated && isOfFamily(found)) return !(yield* isOthers)
  if ((yield* facts.organizations) === 1) {
    return opened.length > 0 || namedDatabase.some((one) => (one.organizationId ?? organizationId) === organizationId)
  }
  // A view reads what its definer could, of whichever organization.
  if (!isOfFamily(found) || !namedDatabase.some((one) => one.organizationId === organizationId)) return false
  return !(yield* isOthers)
})
