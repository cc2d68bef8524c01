import { type Column, quoteIdentifier, quoteString } from "@headgate/clickhouse"
import type { ObjectFormat } from "@headgate/mover"
import { type ColumnType, holdsNull, parseType, withoutNull } from "../row/ColumnType.ts"
import { wideParquet } from "./wideParquet.ts"
import { every, wideNullable, wideText, type WideType, wideType } from "./WideType.ts"

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
  return ` DEFAULT if(throwIf(rand() >= 0, ${quoteString(missing(field))}) = 0, ${value}, ${value})`
}

/** How a column is read, what makes its value of that, and whether that value is the same. All three are SQL. */
interface WideColumn {
  readonly structure: string
  readonly select: string
  readonly exact: string
}

/** A column with its type as a tree, and its field as SQL. */
interface TypedColumn {
  readonly read: ReadColumn
  readonly type: ColumnType
  readonly column: string
}

const isContainer = ({ _tag }: ColumnType): boolean => _tag === "Array" || _tag === "Map" || _tag === "Tuple"

/** Whether a null, or a missing value, is one that the column takes. */
const takesNull = ({ read, type }: TypedColumn): boolean => read.hasDefault || holdsNull(type)

/** What makes a value of a column of SQL; of a null the default, if it has one. */
const castTo = ({ read, type }: TypedColumn, value: string): string => {
  const withNull = read.type.startsWith("LowCardinality(")
    ? read.type.replace(/^LowCardinality\(([^]*)\)$/, "LowCardinality(Nullable($1))")
    : `Nullable(${read.type})`
  const to = read.hasDefault && !holdsNull(type) && !isContainer(type) ? withNull : read.type
  return `CAST(${value}, ${quoteString(to)})`
}

/** A column whose values the engine reads as it does in an insert. */
const asItself = (typed: TypedColumn, isText: boolean): WideColumn => {
  const { column, read, type } = typed
  if (holdsNull(type) || isContainer(type) || type._tag === "Opaque" || type._tag === "LowCardinality") {
    const otherwise = isText || holdsNull(type) ? "" : failingDefault(read.field, read.type)
    return { structure: `${column} ${read.type}${otherwise}`, select: column, exact: "true" }
  }
  const exact = takesNull(typed) ? "true" : `isNotNull(${column})`
  return {
    structure: `${column} Nullable(${read.type})`,
    select: read.hasDefault ? column : castTo(typed, column),
    exact
  }
}

/** `mayBeNull`: whether a value may be null, or missing, in what is read. */
const fromWide = (typed: TypedColumn, wide: WideType, mayBeNull = true): WideColumn => {
  const { column, read, type } = typed
  const isWhole = isContainer(type)
  const { isExact, type: wideText } = isWhole || !mayBeNull ? wide : wideNullable(wide, takesNull(typed))
  return {
    structure: `${column} ${wideText}${isWhole ? failingDefault(read.field, wideText) : ""}`,
    select: castTo(typed, column),
    exact: isExact(column, 0)
  }
}

/** Whether the engine makes a value of a text: no map and no tuple. */
const hasTextForm = (type: ColumnType): boolean =>
  type._tag === "Array" ? hasTextForm(type.of) : type._tag !== "Map" && type._tag !== "Tuple"

/**
 * How a column of CSV or TSV is read: as its text. An empty value of CSV is a null where the column takes one and holds no texts.
 * A container must stand there as the engine writes it; the rows of other objects are looked at one by one.
 */
const fromText = (typed: TypedColumn, format: ObjectFormat): WideColumn => {
  const { column, read } = typed
  const type = withoutNull(typed.type)
  const [structure, isCsv] = [`${column} Nullable(String)`, format.startsWith("CSV")]
  if (isContainer(type)) {
    if (!hasTextForm(type)) {
      return { structure, select: `defaultValueOfTypeName(${quoteString(read.type)})`, exact: "false" }
    }
    const value = `assumeNotNull(${column})`
    const select = castTo(typed, `if(${value} = '', '[]', ${value})`)
    return { structure, select, exact: `(isNotNull(${column}) AND (${value} = '' OR toString(${select}) = ${value}))` }
  }
  const wide = type._tag === "Leaf" ? wideText(type) : undefined
  if (type._tag !== "Leaf" || wide === undefined) return asItself(typed, true)
  const whole = fromWide(typed, wide)
  if (type.name.endsWith("String")) {
    // The engine reads a carriage return as a part of a value of TSV.
    return isCsv ? whole : { ...whole, exact: every([whole.exact, `ifNull(position(${column}, '\\r') = 0, true)`]) }
  }
  if (!isCsv || !takesNull(typed)) return whole
  return {
    structure,
    select: castTo(typed, `nullIf(${column}, '')`),
    exact: `(ifNull(${column} = '', false) OR ${whole.exact})`
  }
}

/** How a column of JSON or Parquet is read. `field`: the type that it has in a Parquet file, if that is known. */
const fromTyped = (typed: TypedColumn, field: string | undefined): WideColumn => {
  const type = withoutNull(typed.type)
  if (field !== undefined) {
    const from = parseType(field)
    const wide = wideParquet(withoutNull(from), type)
    return wide === undefined ? asItself(typed, false) : fromWide(typed, wide, holdsNull(from))
  }
  return type._tag === "Opaque" ? asItself(typed, false) : fromWide(typed, wideType(type))
}

const mark = "\\xEF\\xBB\\xBF"

// When the engine has found all fields that are asked for, it looks at no more names of the row, and passes over a field that is there
// twice. So it is asked for one that no row has, of a name that none of the columns has.
const absentField = (columns: ReadonlyArray<ReadColumn>): string => {
  const fields = new Set(columns.map(({ field }) => field))
  let name = "headgate_no_field"
  while (fields.has(name)) name += "_"
  return quoteIdentifier(name)
}

/**
 * How these columns are read from an object of a format: the types that take its values, what makes them values of the columns, and
 * whether those are certainly the same. `fields`: the types that a Parquet file has; without them, all leaves are read as texts.
 */
export const wideColumns = (
  format: ObjectFormat,
  columns: ReadonlyArray<ReadColumn>,
  fields: ReadonlyMap<string, string> = new Map()
) => {
  const wide = columns.map((read) => {
    const typed = { read, type: parseType(read.type), column: quoteIdentifier(read.field) }
    return format === "JSONEachRow" || format === "Parquet"
      ? fromTyped(typed, fields.get(read.field))
      : fromText(typed, format)
  })
  const [first] = columns
  // The engine leaves the mark of UTF-8 in the first text.
  const isMarked =
    first !== undefined && (format === "CSV" || format === "TabSeparated")
      ? [`NOT startsWith(ifNull(toString(${quoteIdentifier(first.field)}), ''), '${mark}')`]
      : []
  const absent = format === "JSONEachRow" ? [absentField(columns)] : []
  return {
    structure: [...wide.map(({ structure }) => structure), ...absent.map((name) => `${name} Nullable(UInt8)`)].join(
      ", "
    ),
    select: wide.map(({ select }) => select).join(", "),
    exact: every([...isMarked, ...wide.map(({ exact }) => exact), ...absent.map((name) => `isNull(${name})`)])
  }
}
