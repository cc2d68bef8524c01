import { type ColumnType, holdsNull, type LeafType, withoutNull } from "../row/ColumnType.ts"
import {
  anyValue,
  elementText,
  type WideType,
  wideArray,
  wideMap,
  wideNullable,
  wideText,
  wideTuple
} from "./WideType.ts"

const bitsOf = (name: string) => {
  const [, unsigned, bits] = /^(U?)Int(\d+)$/.exec(name) ?? []
  return bits === undefined ? undefined : { bits: Number(bits), isSigned: unsigned === "" }
}

/** Whether a file holds values of a type as those of another one, for it has no type of its own for them. */
const isMeant = (from: LeafType, to: LeafType): boolean =>
  (from.name === "UInt32" && to.name === "IPv4") ||
  (from.name === "FixedString" && /^(U?Int(128|256)|IPv6|UUID)$/.test(to.name))

const wideWholeNumber = (from: LeafType, to: LeafType): WideType | undefined => {
  const [whole, part] = [bitsOf(to.name), bitsOf(from.name)]
  if (whole === undefined || part === undefined) return undefined
  const fits = part.isSigned === whole.isSigned ? part.bits <= whole.bits : whole.isSigned && part.bits < whole.bits
  if (fits) return anyValue(from.text)
  return { type: from.text, isExact: (value) => `isNotNull(accurateCastOrNull(${value}, '${to.name}'))` }
}

const wideDecimal = (from: LeafType, to: LeafType): WideType | undefined => {
  const [precision = 0, scale = 0] = from.parameters.map(Number)
  const [most = 0, places = 0] = to.parameters.map(Number)
  return scale <= places && precision - scale <= most - places ? anyValue(from.text) : undefined
}

const wideTime = (from: LeafType, to: LeafType): WideType | undefined => {
  const [read = 0, kept = 0] = [from, to].map(({ parameters }) => Number(parameters[0] ?? 0))
  if (read > kept) return undefined
  // The engine keeps the ticks of any year. Those at the edges are looked at one by one.
  const isExact = (value: string) =>
    `${value} BETWEEN toDateTime64('1901-01-01 00:00:00', 3, 'UTC') AND toDateTime64('2261-01-01 00:00:00', 3, 'UTC')`
  return { type: from.text, isExact }
}

/** A leaf of a file whose type the column's type covers, or nearly; `undefined` where its text is looked at. */
const wideLeaf = (from: LeafType, to: LeafType): WideType | undefined => {
  const number = wideWholeNumber(from, to)
  if (number !== undefined) return number
  if (from.name === "Decimal" && to.name === "Decimal") return wideDecimal(from, to)
  if (from.name === "DateTime64" && to.name === "DateTime64") return wideTime(from, to)
  if (isMeant(from, to)) return anyValue(to.text)
  const isSame = from.name === to.name && ["String", "Bool", "UUID", "Float32", "Float64"].includes(from.name)
  return isSame || (from.name === "Float32" && to.name === "Float64") ? anyValue(from.text) : undefined
}

const never: WideType = { type: "String", isExact: () => "false" }

/** How the elements of a container are read; `undefined` if the file has none such. */
const wideContainer = (from: ColumnType, to: ColumnType): WideType | undefined => {
  if (to._tag === "Array" && from._tag === "Array") {
    const of = wideParquet(from.of, to.of)
    return of === undefined ? undefined : wideArray(of)
  }
  if (to._tag === "Map" && from._tag === "Map") {
    const [key, value] = [wideParquet(from.key, to.key), wideParquet(from.value, to.value)]
    return key === undefined || value === undefined ? undefined : wideMap(key, value)
  }
  if (to._tag !== "Tuple" || from._tag !== "Tuple") return undefined
  const fields = new Map(from.elements.map(({ name, type }) => [name, type]))
  const elements = to.elements.flatMap(({ name, type }) => {
    const field = name === undefined ? undefined : fields.get(name)
    const wide = field === undefined ? undefined : wideParquet(field, type)
    return wide === undefined ? [] : [{ name, ...wide }]
  })
  return elements.length < to.elements.length ? undefined : wideTuple(elements)
}

/** How a value of a Parquet file is read: in the type of the file where that keeps it, or as its text. */
export const wideParquet = (field: ColumnType, type: ColumnType): WideType | undefined => {
  const [from, to] = [withoutNull(field), withoutNull(type)]
  if (to._tag !== "Leaf") return wideContainer(from, to)
  const text = wideText(to)
  if (text === undefined) return undefined
  const value = from._tag === "Leaf" ? (wideLeaf(from, to) ?? text) : to.name === "String" ? text : never
  return holdsNull(field) || holdsNull(type) ? wideNullable(value, holdsNull(type)) : value
}

/**
 * The type in which a field of a file is written as JSON: its own, unless the file has none for that of the column. A Float32 in a column
 * of Float64 is written with the digits that it has there.
 */
export const writtenParquet = (field: ColumnType, type: ColumnType | undefined): string => {
  const to = type === undefined ? undefined : withoutNull(type)
  switch (field._tag) {
    case "LowCardinality":
      return writtenParquet(field.of, type)
    case "Nullable":
      return `Nullable(${writtenParquet(field.of, type)})`
    case "Array":
      return `Array(${writtenParquet(field.of, to?._tag === "Array" ? to.of : undefined)})`
    case "Map": {
      const [key, value] = to?._tag === "Map" ? [to.key, to.value] : []
      return `Map(${writtenParquet(field.key, key)}, ${writtenParquet(field.value, value)})`
    }
    case "Tuple": {
      const types = new Map(to?._tag === "Tuple" ? to.elements.map((one) => [one.name, one.type]) : [])
      const elements = field.elements.map((one) =>
        elementText(one.name, writtenParquet(one.type, one.name === undefined ? undefined : types.get(one.name)))
      )
      return `Tuple(${elements.join(", ")})`
    }
    case "Opaque":
      return field.text
    case "Leaf": {
      if (to?._tag !== "Leaf") return field.text
      return isMeant(field, to) || (field.name === "Float32" && to.name === "Float64") ? to.text : field.text
    }
  }
}
