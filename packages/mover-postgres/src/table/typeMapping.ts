import { parse as parseArray } from "postgres-array"

/** The type of a column as Postgres describes it; a domain is its base type. */
export interface SourceType {
  /** The name of a type that Postgres itself has; absent for every other one. */
  readonly name?: string
  /** -1: none. */
  readonly modifier: number
  /** The name of the type of the elements, for an array. */
  readonly element?: string
  readonly isArray: boolean
}

/** How the values of a column reach the engine. */
export interface TypeMapping {
  /** The engine's type. */
  readonly type: string
  /** Whether the engine can have it within `Nullable`. */
  readonly takesNull: boolean
  /** The expression of SQL whose text the engine reads, given that of the column. */
  readonly select: (column: string) => string
  /** A condition of SQL that is false for values that the type cannot hold. Absent: it holds all. */
  readonly fits?: (column: string) => string
  /** What the engine reads, made of the text that Postgres writes; `undefined` if the type cannot hold it. */
  readonly convert: (text: string) => string | undefined
}

const same = (text: string): string => text

const plain = (type: string): TypeMapping => ({ type, takesNull: true, select: same, convert: same })

/** Types whose texts the engine reads as they stand. Every type that is not named here is a text. */
const plainTypes: Readonly<Record<string, string>> = {
  bool: "Bool",
  int2: "Int16",
  int4: "Int32",
  int8: "Int64",
  oid: "UInt32",
  float4: "Float32",
  float8: "Float64",
  uuid: "UUID"
}

const text = plain("String")

const firstDay = "1900-01-01"
const lastDay = "2299-12-31"
// Infinity, years of other lengths and those before Christ are written in other ways.
const day = /^\d{4}-\d\d-\d\d$/
const time = /^(\d{4}-\d\d-\d\d) \d\d:\d\d:\d\d(?:\.\d+)?$/

const isWithin = (date: string): boolean => date >= firstDay && date <= lastDay

const date: TypeMapping = {
  type: "Date32",
  takesNull: true,
  select: same,
  fits: (column) => `${column} BETWEEN '${firstDay}' AND '${lastDay}'`,
  convert: (text) => (day.test(text) && isWithin(text) ? text : undefined)
}

const instant = (select: (column: string) => string, zone: string): TypeMapping => ({
  type: "DateTime64(6, 'UTC')",
  takesNull: true,
  select,
  fits: (column) => `(${column} >= '${firstDay} 00:00:00${zone}' AND ${column} < '2300-01-01 00:00:00${zone}')`,
  convert: (text) => {
    const local = text.endsWith(zone) ? text.slice(0, text.length - zone.length) : text
    const found = time.exec(local)?.[1]
    return found !== undefined && isWithin(found) ? local : undefined
  }
})

const timestamp = instant(same, "")
// Sessions are in UTC.
const timestampTz = instant((column) => `(${column} AT TIME ZONE 'UTC')`, "+00")

// The engine's decimals have at most 76 digits, and Postgres's scale may be negative or above the precision.
const numeric = (modifier: number): TypeMapping => {
  if (modifier < 4) return text
  const packed = modifier - 4
  const precision = (packed >> 16) & 0xffff
  const scale = ((packed & 0x7ff) ^ 1024) - 1024
  if (precision > 76 || scale < 0 || scale > precision) return text
  return {
    type: `Decimal(${precision}, ${scale})`,
    takesNull: true,
    select: same,
    fits: (column) => `${column} <> 'NaN'`,
    convert: (text) => (text === "NaN" ? undefined : text)
  }
}

/** Elements that the engine reads without quotes. Those of the other types that are not named here are texts. */
const bareElements: Readonly<Record<string, string>> = {
  int2: "Int16",
  int4: "Int32",
  int8: "Int64",
  oid: "UInt32",
  float4: "Float32",
  float8: "Float64"
}
const quotedElements: Readonly<Record<string, string>> = { bool: "Bool", uuid: "UUID" }

/** The elements of an array of one dimension that begins at 1, as Postgres writes it. */
const elementsOf = (text: string): ReadonlyArray<string | null> | undefined => {
  if (!text.startsWith("{")) return undefined
  const elements: ReadonlyArray<unknown> = parseArray(text)
  const flat = elements.filter((each) => each === null || typeof each === "string")
  return flat.length === elements.length ? flat : undefined
}

const arrayOf = (element: string | undefined): TypeMapping => {
  const bare = bareElements[element ?? ""]
  const type = bare ?? quotedElements[element ?? ""] ?? "String"
  const literal = (each: string): string => (bare === undefined ? `'${each.replaceAll("'", "''")}'` : each)
  return {
    type: `Array(Nullable(${type}))`,
    takesNull: false,
    // `unnest` in FROM would divide composite elements into their fields, and a composite value of nulls alone IS NULL.
    select: (column) =>
      bare === undefined
        ? `CASE WHEN ${column} IS NOT NULL THEN '[' || coalesce((SELECT string_agg(CASE WHEN num_nulls(e) = 1 THEN 'NULL' ELSE '''' || replace(format('%s', e), '''', '''''') || '''' END, ',' ORDER BY n) FROM (SELECT unnest(${column}), generate_series(1, cardinality(${column}))) AS u (e, n)), '') || ']' END`
        : `translate(${column}::text, '{}', '[]')`,
    fits: (column) => `(coalesce(array_ndims(${column}), 1) = 1 AND coalesce(array_lower(${column}, 1), 1) = 1)`,
    convert: (text) => {
      const elements = elementsOf(text)
      // Postgres's escapes of a backslash and of line breaks within texts are those of the row's own fields.
      return elements === undefined
        ? undefined
        : `[${elements.map((each) => (each === null ? "NULL" : literal(each))).join(",")}]`
    }
  }
}

/** How the values of a type reach the engine. */
export const typeMapping = ({ element, isArray, modifier, name = "" }: SourceType): TypeMapping => {
  if (isArray) return arrayOf(element)
  if (name === "numeric") return numeric(modifier)
  if (name === "date") return date
  if (name === "timestamp") return timestamp
  if (name === "timestamptz") return timestampTz
  const type = plainTypes[name]
  return type === undefined ? text : plain(type)
}
