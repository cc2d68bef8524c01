import { isFields } from "../../format/fields.ts"

// As the command line decides it. Answers have no secret but one; whatever comes later is not shown either.
const looksSecret = /secret|password|token|credential|private_?key|access_?key|connection_?string/i

/** What stands in the place of a secret. */
const redacted = "<redacted>"

/** A value without its secrets. */
export const masked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(masked)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      looksSecret.test(name) && field !== null && field !== undefined ? redacted : masked(field)
    ])
  )
}

/** A line of a list of definitions. */
export interface Detail {
  /** The path of the field, such as `settings.replicationMode`. */
  readonly name: string
  readonly value: string
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value))
    return value.every((one) => !isFields(one)) ? value.map(textOf).join(", ") : JSON.stringify(value)
  return typeof value === "string" ? value : JSON.stringify(value)
}

const detailsBelow = (prefix: string, value: unknown): ReadonlyArray<Detail> => {
  if (value === null || value === undefined || value === "") return []
  if (isFields(value)) {
    return Object.entries(value).flatMap(([name, field]) =>
      detailsBelow(prefix === "" ? name : `${prefix}.${name}`, field)
    )
  }
  return Array.isArray(value) && value.length === 0 ? [] : [{ name: prefix, value: textOf(value) }]
}

/** The fields of a document as lines, without its secrets and what is empty; those named in `without` have a place of their own. */
export const detailsOf = (value: unknown, without: ReadonlyArray<string> = []): ReadonlyArray<Detail> => {
  const shown = masked(value)
  return isFields(shown)
    ? detailsBelow("", Object.fromEntries(Object.entries(shown).filter(([name]) => !without.includes(name))))
    : []
}

/** What differs between two versions of a document: the path of each field with the value before and after. */
export const differences = (before: unknown, after: unknown): ReadonlyArray<string> => {
  const lines = (value: unknown) =>
    new Map(detailsOf(value, ["updatedAt", "state"]).map(({ name, value }) => [name, value]))
  const [old, present] = [lines(before), lines(after)]
  return Array.from(new Set([...old.keys(), ...present.keys()])).flatMap((name) =>
    old.get(name) === present.get(name)
      ? []
      : [`${name}: ${old.get(name) ?? "none"} is now ${present.get(name) ?? "none"}`]
  )
}

/** A table that a pipe copies from a database, and its target. */
export interface CopiedTable {
  readonly source: string
  readonly target: string
  readonly engine: string
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")

/** The tables of a pipe from a database; none of another. */
export const tablesOf = (source: unknown): ReadonlyArray<CopiedTable> =>
  isFields(source)
    ? Object.values(source).flatMap((kind) => {
        const mappings = isFields(kind) ? kind["tableMappings"] : undefined
        return (Array.isArray(mappings) ? mappings : []).filter(isFields).map((mapping) => ({
          source: ["sourceSchemaName", "sourceDatabaseName", "sourceDatasetName", "sourceTable", "sourceCollection"]
            .map((name) => text(mapping[name]))
            .filter((part) => part !== "")
            .join("."),
          target: text(mapping["targetTable"]),
          engine: text(mapping["tableEngine"])
        }))
      })
    : []

/** The tables of the warehouse that a pipe writes to. */
export const targetsOf = (pipe: {
  readonly source?: unknown
  readonly destination?: unknown
}): ReadonlyArray<string> => {
  const copied = tablesOf(pipe.source).map(({ target }) => target)
  if (copied.length > 0) return Array.from(new Set(copied))
  const table = isFields(pipe.destination) ? text(pipe.destination["table"]) : ""
  return table === "" ? [] : [table]
}
