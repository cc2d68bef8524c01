import { splitList } from "@headgate/clickhouse"

/** A type that holds one value: its name and what stands in its brackets. */
export interface LeafType {
  readonly _tag: "Leaf"
  /** The whole type, as the engine writes it. */
  readonly text: string
  readonly name: string
  readonly parameters: ReadonlyArray<string>
}

/** An element of a Tuple. Those of a tuple without names have none. */
export interface TupleElement {
  readonly name: string | undefined
  readonly type: ColumnType
}

/**
 * The type of a column as a tree. `Opaque`: the engine chooses how it keeps a value (Variant, Dynamic, JSON), or it is a state of a
 * function. Nothing is known of what is in it.
 */
export type ColumnType =
  | LeafType
  | { readonly _tag: "Nullable"; readonly of: ColumnType }
  | { readonly _tag: "LowCardinality"; readonly of: ColumnType }
  | { readonly _tag: "Array"; readonly of: ColumnType }
  | { readonly _tag: "Map"; readonly key: ColumnType; readonly value: ColumnType }
  | { readonly _tag: "Tuple"; readonly elements: ReadonlyArray<TupleElement> }
  | { readonly _tag: "Opaque"; readonly text: string }

const quotes = new Set(["'", "`", '"'])

/** A quoted text of a type without its quotes and escapes. */
export const unquote = (text: string): string => {
  const quote = text.charAt(0)
  if (!quotes.has(quote)) return text
  const [tab, newline] = ["\t", "\n"]
  return text
    .slice(1, -1)
    .replaceAll(quote + quote, quote)
    .replaceAll(/\\(.)/gs, (_, escaped: string) => (escaped === "n" ? newline : escaped === "t" ? tab : escaped))
}

// `a Int8`, and not `Array(Int8)` or `DateTime64(3, 'UTC')`.
const namedElement = /^(`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|\w+)\s+(\w[^]*)$/

const parseElement = (text: string): TupleElement => {
  const [, name, type] = namedElement.exec(text) ?? []
  return name === undefined || type === undefined
    ? { name: undefined, type: parseType(text) }
    : { name: unquote(name), type: parseType(type) }
}

const point = "Tuple(Float64, Float64)"

/** The types that are names of others. */
const aliases: Readonly<Record<string, string>> = {
  Point: point,
  Ring: `Array(${point})`,
  LineString: `Array(${point})`,
  MultiLineString: `Array(Array(${point}))`,
  Polygon: `Array(Array(${point}))`,
  MultiPolygon: `Array(Array(Array(${point})))`
}

const opaque = new Set(["Variant", "Dynamic", "JSON", "Object", "AggregateFunction", "Geometry", "QBit"])

/** Parses the type of a column as the engine writes it. A type that is not known is a leaf without a check. */
export const parseType = (text: string): ColumnType => {
  const trimmed = text.trim()
  const [, name = trimmed, list] = /^(\w+)(?:\(([^]*)\))?$/.exec(trimmed) ?? []
  if (opaque.has(name)) return { _tag: "Opaque", text: trimmed }
  const alias = aliases[name]
  if (alias !== undefined) return parseType(alias)
  const parameters = list === undefined ? [] : splitList(list)
  const [first = "", second = ""] = parameters
  switch (name) {
    case "Nullable":
    case "LowCardinality":
    case "Array":
      return { _tag: name, of: parseType(first) }
    case "Map":
      return { _tag: "Map", key: parseType(first), value: parseType(second) }
    case "Tuple":
      return { _tag: "Tuple", elements: parameters.map(parseElement) }
    case "Nested":
      return { _tag: "Array", of: { _tag: "Tuple", elements: parameters.map(parseElement) } }
    case "SimpleAggregateFunction":
      return parseType(second)
    default:
      return { _tag: "Leaf", text: trimmed, name, parameters }
  }
}

/** Whether a type holds a null by itself. */
export const holdsNull = (type: ColumnType): boolean => {
  if (type._tag === "Nullable") return true
  if (type._tag === "LowCardinality") return holdsNull(type.of)
  if (type._tag === "Opaque") return /^(?:Dynamic|Variant)/.test(type.text)
  return type._tag === "Leaf" && type.name === "Nothing"
}

/** What stands in `LowCardinality` and `Nullable`. */
export const withoutNull = (type: ColumnType): ColumnType =>
  type._tag === "Nullable" || type._tag === "LowCardinality" ? withoutNull(type.of) : type
