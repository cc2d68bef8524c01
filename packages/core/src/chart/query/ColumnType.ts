/** What the values of a column are. `number`: also decimals. `time`: with a time of day. */
export type ColumnKind = "number" | "text" | "boolean" | "time" | "date" | "array" | "map" | "json" | "tuple" | "other"

/** The data type of a column. */
export interface ColumnType {
  /** As the engine writes it. */
  readonly text: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
  /** Of an array: of its elements. Of a map: of its values. */
  readonly element?: ColumnType
}

const wrapper = /^(?:LowCardinality|Nullable)\((.*)\)$/s
const nullable = /^(?:LowCardinality\()?Nullable\(/

/** A type as the engine writes it, without what says that values may be absent or repeated. */
export const innerType = (text: string): string => {
  const inner = wrapper.exec(text)?.[1]
  return inner === undefined ? text : innerType(inner)
}

const kinds: ReadonlyArray<readonly [RegExp, ColumnKind]> = [
  [/^(?:U?Int\d+|BFloat16|Float\d+|Decimal(?:\d+)?(?:\(.*\))?)$/, "number"],
  [/^(?:String|FixedString\(\d+\)|Enum(?:8|16)?\(.*\)|UUID|IPv[46])$/s, "text"],
  [/^Bool$/, "boolean"],
  [/^DateTime(?:64)?(?:\(.*\))?$/, "time"],
  [/^Date(?:32)?$/, "date"],
  [/^Map\(/, "map"],
  [/^Tuple\(/, "tuple"],
  [/^(?:JSON|Object)(?:\(.*\))?$/s, "json"]
]

/** The part after the first comma that is in no bracket and in no text. */
const afterComma = (text: string): string => {
  let depth = 0
  let isText = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === "\\") at += 1
    else if (sign === "'") isText = !isText
    else if (isText) continue
    else if (sign === "(") depth += 1
    else if (sign === ")") depth -= 1
    else if (sign === "," && depth === 0) return text.slice(at + 1).trim()
  }
  return text
}

/** Reads a data type as the engine writes it. */
export const columnTypeOf = (text: string): ColumnType => {
  const inner = innerType(text)
  const isNullable = nullable.test(text)
  if (inner.startsWith("Array(")) {
    return { text, kind: "array", isNullable, element: columnTypeOf(inner.slice("Array(".length, -1)) }
  }
  const kind = kinds.find(([pattern]) => pattern.test(inner))?.[1] ?? "other"
  return kind === "map"
    ? { text, kind, isNullable, element: columnTypeOf(afterComma(inner.slice("Map(".length, -1))) }
    : { text, kind, isNullable }
}
