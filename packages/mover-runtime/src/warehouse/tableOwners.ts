import type { OrganizationId, Pipe, PipeId, PipeSource } from "@headgate/core"
import type { MovedPipes } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { type Connectors, loadTables } from "../source/Connectors.ts"
import type { FoundTable, WarehouseEngine } from "./WarehouseEngine.ts"

/** What is known of tables: how they are named, and which sources name some. */
export interface TableNames {
  readonly engine: Pick<WarehouseEngine, "database" | "errorTableOf">
  readonly connectors: Connectors
}

/** The pipe for which tables are looked at; without an id it is to be created. */
export interface TableUser {
  readonly organizationId: OrganizationId
  readonly warehouse: string
  readonly pipe: {
    readonly id?: PipeId
    readonly createdAt?: Pipe["createdAt"]
    readonly destination?: Pipe["destination"] | undefined
    readonly source?: PipeSource | null | undefined
  }
}

/** The tables of the rows of a pipe, without its error tables. */
export const targetTablesOf = Effect.fnUntraced(function* (
  connectors: Connectors,
  { destination, source }: TableUser["pipe"]
) {
  const connector = yield* loadTables(connectors, source)
  const targets = [destination?.table, ...(connector?.targetTables(source ?? {}) ?? [])]
  return targets.flatMap((name) => (typeof name === "string" && name !== "" ? [name] : []))
})

/** All tables that a pipe writes to, its error tables included. */
export const tablesOf = ({ connectors, engine }: TableNames, pipe: TableUser["pipe"]) =>
  Effect.map(targetTablesOf(connectors, pipe), (names) => names.flatMap((name) => [name, engine.errorTableOf(name)]))

const isEarlier = (one: TableUser["pipe"], other: TableUser["pipe"]): boolean => {
  const [first, second] = [one, other].map(({ createdAt }) => (createdAt ? DateTime.toEpochMillis(createdAt) : 0))
  return first === second ? (one.id ?? "") < (other.id ?? "") : (first ?? 0) < (second ?? 0)
}

/**
 * The tables that pipes of other organizations write to, their error tables included, of those pipes that name one of these tables of a
 * database in the warehouse.
 */
export const namedByOthers = Effect.fnUntraced(function* (
  moved: MovedPipes["Service"],
  names: TableNames,
  { organizationId, warehouse }: Pick<TableUser, "organizationId" | "warehouse">,
  database: string,
  tables: ReadonlyArray<string>,
  counts: (other: Pipe) => boolean = () => true
) {
  const { engine } = names
  const suffix = engine.errorTableOf("")
  // A pipe whose error table this is names the table without the end of its name.
  const texts = tables.flatMap((name) => [name, ...(name.endsWith(suffix) ? [name.slice(0, -suffix.length)] : [])])
  if (texts.length === 0) return new Set<string>()
  const others = (yield* moved.naming(warehouse, organizationId, texts)).filter(
    (other) => (other.destination?.database ?? engine.database) === database && counts(other)
  )
  return new Set((yield* Effect.forEach(others, (other) => tablesOf(names, other))).flat())
})

/**
 * The first of these tables that belongs to another organization: to the one of the pipe that created it, and as long as no pipe
 * of this store did, to the one of the first pipe that names it. `undefined` for none. A table that a pipe has created which the store
 * does not know is nobody's: that pipe was deleted, or is another server's.
 */
export const foreignTable = Effect.fnUntraced(function* (
  moved: MovedPipes["Service"],
  names: TableNames,
  { organizationId, pipe, warehouse }: TableUser,
  tables: ReadonlyArray<FoundTable>
) {
  const { engine } = names
  const organizations = yield* moved.organizationsOf(tables.flatMap(({ creator }) => creator ?? []))
  const creators = new Map(
    tables.map(({ creator, name }) => [name, creator === undefined ? undefined : organizations.get(creator)] as const)
  )
  const taken = tables.find(({ name }) => (creators.get(name) ?? organizationId) !== organizationId)
  if (taken !== undefined) return taken.name
  const suffix = engine.errorTableOf("")
  const isOwn = (name: string) => creators.get(name) === organizationId
  // An error table that is not there yet belongs to the table.
  const open = tables.flatMap(({ name }) =>
    creators.get(name) !== undefined || (name.endsWith(suffix) && isOwn(name.slice(0, -suffix.length))) ? [] : [name]
  )
  const database = pipe.destination?.database ?? engine.database
  const named = yield* namedByOthers(
    moved,
    names,
    { organizationId, warehouse },
    database,
    open,
    (other) => pipe.id === undefined || isEarlier(other, pipe)
  )
  return open.find((name) => named.has(name))
})

/** Why a pipe may not write to a table. It says nothing of the pipe that does. */
export const notOwn = (name: string): string =>
  `the table ${name}, or an error table of that name, is not this organization's: name another table`
