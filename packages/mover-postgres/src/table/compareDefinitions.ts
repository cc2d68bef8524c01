import type { Pgoutput } from "pg-logical-replication"
import type { DefinedColumn, TableDefinition } from "./TableDefinition.ts"

// What has changed of a table since it was copied. A message of the log says how the table was when its rows were written, and
// knows neither the numbers of columns nor who rewrote the rows. The catalog knows both, and is of now. Each finds what the
// other cannot.

const resync = "A resync copies the table as it is now"

const firstOf = (problems: ReadonlyArray<string | undefined>): string | undefined =>
  problems.find((problem) => problem !== undefined)

const identities: Readonly<Record<string, string>> = { d: "DEFAULT", n: "NOTHING", f: "FULL", i: "USING INDEX" }

const identityOf: Readonly<Record<Pgoutput.MessageRelation["replicaIdentity"], string>> = {
  default: "d",
  nothing: "n",
  full: "f",
  index: "i"
}

/** The columns of a definition that are copied, in the order of the table. */
const copiedOf = ({ columns }: TableDefinition, copied: ReadonlySet<string>): ReadonlyArray<DefinedColumn> =>
  columns.filter(({ name }) => copied.has(name))

const typeProblem = (
  recorded: DefinedColumn,
  found: Pick<DefinedColumn, "typeOid" | "typeModifier"> | undefined
): string | undefined => {
  if (found === undefined) return `column ${recorded.name} was dropped or renamed`
  const isSame = found.typeOid === recorded.typeOid && found.typeModifier === recorded.typeModifier
  return isSame ? undefined : `column ${recorded.name} has another type`
}

const identityProblem = (recorded: TableDefinition, identity: string): string | undefined =>
  recorded.identity === identity
    ? undefined
    : `its replica identity was ${identities[recorded.identity] ?? "another one"} and is ${identities[identity] ?? "another one"}`

const keyProblem = (recorded: ReadonlyArray<string>, key: ReadonlyArray<string>): string | undefined =>
  recorded.join("\n") === key.join("\n")
    ? undefined
    : `its key was (${recorded.join(", ")}) and is ${key.length === 0 ? "gone" : `(${key.join(", ")})`}`

/**
 * Columns arrive in the order of their numbers, so names that were given to other columns stand in another order, or behind columns
 * that were not there. A column that is not copied may have got another name where it stands.
 */
const orderProblem = (
  recorded: TableDefinition,
  names: ReadonlyArray<string>,
  copied: ReadonlySet<string>
): string | undefined => {
  const expected = copiedOf(recorded, copied).map(({ name }) => name)
  const known = new Set(recorded.columns.map(({ name }) => name))
  const isSameOrder = names.filter((name) => copied.has(name)).join("\n") === expected.join("\n")
  if (!isSameOrder) return `its columns stand in another order: ${names.join(", ")}`
  const present = new Set(names)
  return firstOf(
    expected.map((name) => {
      const added = names.slice(0, names.indexOf(name)).filter((each) => !known.has(each))
      const before = recorded.columns.slice(
        0,
        recorded.columns.findIndex((column) => column.name === name)
      )
      const renamed = before.filter((column) => !present.has(column.name))
      return added.length > renamed.length
        ? `its columns stand in another order: ${added.join(", ")} before ${name}`
        : undefined
    })
  )
}

const changedMessage = (name: string, problem: string): string => `${name} has changed: ${problem}. ${resync}`

/** What has changed of a table by a message of the log; `undefined` if nothing of what is copied has. */
export const messageDifference = (
  name: string,
  recorded: TableDefinition,
  copied: ReadonlySet<string>,
  relation: Pgoutput.MessageRelation
): string | undefined => {
  const found = new Map(relation.columns.map((column) => [column.name, column] as const))
  const types = copiedOf(recorded, copied).map((column) => {
    const now = found.get(column.name)
    return typeProblem(column, now && { typeOid: now.typeOid >>> 0, typeModifier: now.typeMod })
  })
  const identity = identityOf[relation.replicaIdentity]
  // Of a full identity every column is marked.
  const isMarked = identity !== "f" && recorded.identity === identity
  const problem = firstOf([
    ...types,
    orderProblem(recorded, Array.from(found.keys()), copied),
    identityProblem(recorded, identity),
    isMarked ? keyProblem(recorded.key.toSorted(), relation.keyColumns.toSorted()) : undefined
  ])
  return problem === undefined ? undefined : changedMessage(name, problem)
}

/** `Other`: its rows are not those that were copied. `Changed`: nothing of its rows has changed, and `definition` is to be recorded. */
export type CatalogDifference =
  | { readonly _tag: "Same" }
  | { readonly _tag: "Changed"; readonly definition: TableDefinition }
  | { readonly _tag: "Rewritten"; readonly message: string }
  | { readonly _tag: "Other"; readonly message: string }

/** What has changed of a table by the catalog. `now` is absent if the table is gone. */
export const catalogDifference = (
  name: string,
  recorded: TableDefinition,
  copied: ReadonlySet<string>,
  now: TableDefinition | undefined
): CatalogDifference => {
  if (now === undefined) {
    const message = `${name} is no longer the table that was copied: it was made again. A resync copies it as it is now`
    return { _tag: "Other", message }
  }
  const found = new Map(now.columns.map((column) => [column.name, column] as const))
  const columns = copiedOf(recorded, copied)
  const problem = firstOf([
    ...columns.map((column) => {
      const other = found.get(column.name)
      return other !== undefined && other.number !== column.number
        ? `column ${column.name} is another one: a column of that name was dropped or renamed, and this one added`
        : typeProblem(column, other)
    }),
    identityProblem(recorded, now.identity),
    keyProblem(recorded.key, now.key)
  ])
  if (problem !== undefined) return { _tag: "Other", message: changedMessage(name, problem) }
  const isRedefined = columns.some(({ name, xmin }) => found.get(name)?.xmin !== xmin)
  const isMoved = Object.entries(recorded.files).some(([oid, file]) => (now.files[oid] ?? file) !== file)
  if (isRedefined && isMoved) {
    // ALTER TYPE .. USING does both. TRUNCATE, CLUSTER and new partitions leave the columns alone, SET DEFAULT the rows.
    const message = `${name} was rewritten since it was copied (ALTER COLUMN .. TYPE, or VACUUM FULL): values that it changed are not in the target`
    return { _tag: "Rewritten", message }
  }
  const isSame =
    !isRedefined &&
    !isMoved &&
    Object.keys(now.files).toSorted().join() === Object.keys(recorded.files).toSorted().join()
  if (isSame) return { _tag: "Same" }
  const kept = recorded.columns.map((column) => ({ ...column, xmin: found.get(column.name)?.xmin ?? column.xmin }))
  return { _tag: "Changed", definition: { ...recorded, columns: kept, files: now.files } }
}
