import { takesNull as holdsNull } from "../row/typeMapping.ts"
import { parseType, tupleElement, withoutNull } from "./exactText.ts"
import { type WideType, wideArray, wideMap, wideNullable, wideText, wideTuple } from "./WideType.ts"

const anyValue = (type: string): WideType => ({ type, isExact: () => "true" })

const bitsOf = (name: string) => {
  const [, unsigned, bits] = /^(U?)Int(\d+)$/.exec(name) ?? []
  return bits === undefined ? undefined : { bits: Number(bits), isSigned: unsigned === "" }
}

/** A leaf of a file whose type the column's type covers, or nearly; `undefined` where its text is looked at. */
const wideLeaf = (field: string, type: string): WideType | undefined => {
  const [from, to] = [parseType(field), parseType(type)]
  const [whole, part] = [bitsOf(to.name), bitsOf(from.name)]
  if (whole !== undefined && part !== undefined) {
    const fits = part.isSigned === whole.isSigned ? part.bits <= whole.bits : whole.isSigned && part.bits < whole.bits
    if (fits) return anyValue(field)
    return { type: field, isExact: (value) => `isNotNull(accurateCastOrNull(${value}, '${type}'))` }
  }
  const numbers = [...from.arguments, ...to.arguments].map(Number)
  const [precision = 0, scale = 0, most = 0, places = 0] = numbers
  if (from.name === "Decimal" && to.name === "Decimal") {
    return scale <= places && precision - scale <= most - places ? anyValue(field) : undefined
  }
  if (from.name === "DateTime64" && to.name === "DateTime64") {
    const [read, kept] = [Number(from.arguments[0]), Number(to.arguments[0])]
    if (read > kept) return undefined
    // The engine keeps the ticks of any year. Those at the edges are looked at one by one.
    const isExact = (value: string) =>
      `${value} BETWEEN toDateTime64('1901-01-01 00:00:00', 3, 'UTC') AND toDateTime64('2261-01-01 00:00:00', 3, 'UTC')`
    return { type: field, isExact }
  }
  if (from.name === "UInt32" && to.name === "IPv4") return anyValue(type)
  if (from.name === "FixedString" && /^(U?Int(128|256)|IPv6|UUID)$/.test(to.name)) return anyValue(type)
  const isSame = from.name === to.name && ["String", "Bool", "UUID", "Float32", "Float64"].includes(from.name)
  return isSame || (from.name === "Float32" && to.name === "Float64") ? anyValue(field) : undefined
}

const never: WideType = { type: "String", isExact: () => "false" }

/** How a value of a Parquet file is read: in the type of the file where that keeps it, or as its text. */
export const wideParquet = (field: string, type: string): WideType | undefined => {
  const [from, to] = [parseType(withoutNull(field)), parseType(withoutNull(type))]
  const value = ((): WideType | undefined => {
    const [first = "", second = ""] = to.arguments
    const [firstField = "", secondField = ""] = from.arguments
    if (to.name === "Array" || to.name === "Map") {
      if (from.name !== to.name) return undefined
      const key = wideParquet(firstField, first)
      const inner = to.name === "Array" ? key : wideParquet(secondField, second)
      if (key === undefined || inner === undefined) return undefined
      return to.name === "Array" ? wideArray(inner) : wideMap(key, inner)
    }
    if (to.name === "Tuple") {
      const fields = new Map(from.arguments.map(tupleElement).map((one) => [one.name, one.type]))
      const elements = to.arguments.map(tupleElement).flatMap(({ name, type }) => {
        const wide = name === "" ? undefined : wideParquet(fields.get(name) ?? "", type)
        return wide === undefined ? [] : [{ name, ...wide }]
      })
      return elements.length === 0 || elements.length < to.arguments.length ? undefined : wideTuple(elements)
    }
    if (wideText(withoutNull(type)) === undefined) return undefined
    if (/^(Array|Map|Tuple)$/.test(from.name)) return to.name === "String" ? wideText("String") : never
    return wideLeaf(withoutNull(field), withoutNull(type)) ?? wideText(withoutNull(type))
  })()
  if (value === undefined || /^(Array|Map|Tuple)$/.test(to.name)) return value
  const isNullable = field.startsWith("Nullable(") || field.startsWith("LowCardinality(Nullable(")
  return isNullable || holdsNull(type) ? wideNullable(value, holdsNull(type)) : value
}

/**
 * The type in which a field of a file is written as JSON: its own, unless the file has none for that of the column. A Float32 in a column
 * of Float64 is written with the digits that it has there.
 */
export const writtenParquet = (field: string, type: string | undefined): string => {
  const from = parseType(field)
  const [inner = ""] = from.arguments
  if (from.name === "LowCardinality") return writtenParquet(inner, type)
  if (from.name === "Nullable") return `Nullable(${writtenParquet(inner, type)})`
  const to = parseType(withoutNull(type ?? ""))
  if (from.name === "Tuple") {
    const types = new Map(
      (to.name === "Tuple" ? to.arguments : []).map(tupleElement).map((one) => [one.name, one.type])
    )
    const elements = from.arguments
      .map(tupleElement)
      .map((one) => `${one.name} ${writtenParquet(one.type, one.name === "" ? undefined : types.get(one.name))}`)
    return `Tuple(${elements.join(", ")})`
  }
  if (from.name === "Array" || from.name === "Map") {
    const types = to.name === from.name ? to.arguments : []
    return `${from.name}(${from.arguments.map((one, index) => writtenParquet(one, types[index])).join(", ")})`
  }
  const isMeant =
    (from.name === "UInt32" && to.name === "IPv4") ||
    (from.name === "Float32" && to.name === "Float64") ||
    (from.name === "FixedString" && /^(U?Int(128|256)|IPv6|UUID)$/.test(to.name))
  return isMeant ? to.name : field
}
