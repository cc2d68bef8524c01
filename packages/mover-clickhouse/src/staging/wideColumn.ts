import type { ObjectFormat } from "@headgate/mover"
import { type Column, takesNull as holdsNull } from "../row/typeMapping.ts"
import { quoteIdentifier, quoteString } from "../sql/quote.ts"
import { withoutNull } from "./exactText.ts"
import { wideParquet } from "./wideParquet.ts"
import { every, wideNullable, type WideType, wideType } from "./WideType.ts"

/** A column, and the field of an object that it is read from. */
export interface ReadColumn extends Column {
  readonly field: string
}

/** The reason for an object whose rows lack a column; for rows that pass through the mover it is the same. */
export const missing = (field: string): string => `column ${field}: missing, and the column has no default`

/**
 * A default that fails where the engine needs it: for a row without the field. A null is an error of the format. The engine would
 * compute a constant before it reads a row.
 */
const failingDefault = (field: string, type: string): string => {
  const value = `defaultValueOfTypeName(${quoteString(type)})`
  return `if(throwIf(rand() >= 0, ${quoteString(missing(field))}) = 0, ${value}, ${value})`
}

/** How a column is read, what makes its value of that, and whether that value is the same. All three are SQL. */
interface WideColumn {
  readonly structure: string
  readonly select: string
  readonly exact: string
}

const isContainer = (type: string): boolean => /^(Array|Map|Tuple|Nested)\(/.test(type)

/** Whether a null, or a missing value, is one that the column takes. */
export const takesNull = ({ hasDefault, type }: ReadColumn): boolean => hasDefault || holdsNull(type)

/** The type of a column, or one that also holds a null: the default then takes its place. */
const typeWithNull = ({ hasDefault, type }: ReadColumn): string => {
  if (!hasDefault || holdsNull(type)) return type
  const [, inner] = /^LowCardinality\(([^]*)\)$/.exec(type) ?? []
  return inner === undefined ? `Nullable(${type})` : `LowCardinality(Nullable(${inner}))`
}

// Types that Nullable cannot wrap, and whose values nothing is said about here.
const neverNull =
  /^(Nested|LowCardinality|JSON|Object|AggregateFunction|SimpleAggregateFunction|Dynamic|Variant|Point|Ring|LineString|MultiLineString|Polygon|MultiPolygon|Geometry)/

/** A column whose values the engine reads as it does in an insert. */
const asItself = (read: ReadColumn, isText: boolean): WideColumn => {
  const column = quoteIdentifier(read.field)
  if (holdsNull(read.type) || neverNull.test(read.type) || isContainer(read.type)) {
    const fails = !isText && !holdsNull(read.type)
    const otherwise = fails ? ` DEFAULT ${failingDefault(read.field, read.type)}` : ""
    return { structure: `${column} ${read.type}${otherwise}`, select: column, exact: "true" }
  }
  const exact = takesNull(read) ? "true" : `isNotNull(${column})`
  const select = read.hasDefault ? column : `CAST(${column}, ${quoteString(read.type)})`
  return { structure: `${column} Nullable(${read.type})`, select, exact }
}

const fromWide = (read: ReadColumn, wide: WideType): WideColumn => {
  const column = quoteIdentifier(read.field)
  if (isContainer(read.type)) {
    return {
      structure: `${column} ${wide.type} DEFAULT ${failingDefault(read.field, wide.type)}`,
      select: `CAST(${column}, ${quoteString(read.type)})`,
      exact: wide.isExact(column, 0)
    }
  }
  const { isExact, type } = wideNullable(wide, takesNull(read))
  return {
    structure: `${column} ${type}`,
    select: `CAST(${column}, ${quoteString(typeWithNull(read))})`,
    exact: isExact(column, 0)
  }
}

const isOfTexts = (type: string): boolean => /^(Nullable\(|LowCardinality\()*(String|FixedString)/.test(type)

/**
 * How a column of CSV or TSV is read: as its text. An empty value of CSV is a null where the column takes one and holds no texts.
 * A container must stand there as the engine writes it; the rows of other objects are looked at one by one.
 */
const fromText = (read: ReadColumn, format: ObjectFormat): WideColumn => {
  const column = quoteIdentifier(read.field)
  const [structure, isCsv] = [`${column} Nullable(String)`, format.startsWith("CSV")]
  // The engine reads a carriage return as a part of a value of TSV.
  const hasEnd = isCsv ? "true" : `ifNull(position(${column}, '\\r') = 0, true)`
  if (isContainer(read.type)) {
    const value = `assumeNotNull(${column})`
    const cast = (text: string) => `CAST(${text}, ${quoteString(read.type)})`
    // The engine makes no map of a text.
    if (/\b(Map|Tuple|Nested)\(/.test(read.type)) {
      return { structure, select: `defaultValueOfTypeName(${quoteString(read.type)})`, exact: "false" }
    }
    return {
      structure,
      select: cast(`if(${value} = '', '[]', ${value})`),
      exact: `(isNotNull(${column}) AND (${value} = '' OR toString(${cast(`if(${value} = '', '[]', ${value})`)}) = ${value}))`
    }
  }
  const wide = wideType(withoutNull(read.type))
  if (wide === undefined) return asItself(read, true)
  const whole = fromWide(read, wide)
  if (isOfTexts(read.type)) return { ...whole, exact: every([whole.exact, hasEnd]) }
  if (!isCsv || !takesNull(read)) return whole
  return {
    structure,
    select: `CAST(nullIf(${column}, ''), ${quoteString(typeWithNull(read))})`,
    exact: `(ifNull(${column} = '', false) OR ${whole.exact})`
  }
}

const mark = "\\xEF\\xBB\\xBF"

/**
 * How these columns are read from an object of a format: the types that take its values, what makes them values of the columns, and
 * whether those are certainly the same. `fields`: the types that a Parquet file has; without them, all leaves are read as texts.
 */
export const wideColumns = (
  format: ObjectFormat,
  columns: ReadonlyArray<ReadColumn>,
  fields: ReadonlyMap<string, string> = new Map()
) => {
  const read = columns.map((column) => {
    if (format !== "JSONEachRow" && format !== "Parquet") return fromText(column, format)
    const field = fields.get(column.field)
    const type = withoutNull(column.type)
    const wide = field === undefined ? wideType(type) : wideParquet(withoutNull(field), type)
    return wide === undefined ? asItself(column, false) : fromWide(column, wide)
  })
  const [first] = columns
  // The engine leaves the mark of UTF-8 in the first text.
  const isMarked =
    first !== undefined && (format === "CSV" || format === "TabSeparated")
      ? [`NOT startsWith(ifNull(toString(${quoteIdentifier(first.field)}), ''), '${mark}')`]
      : []
  return {
    structure: read.map(({ structure }) => structure).join(", "),
    select: read.map(({ select }) => select).join(", "),
    exact: every([...isMarked, ...read.map(({ exact }) => exact)])
  }
}
