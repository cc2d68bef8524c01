import { quoteIdentifier } from "@headgate/clickhouse"
import type { ColumnType, LeafType } from "../row/ColumnType.ts"
import { leafRule } from "../row/typeMapping.ts"

/** How a type is read, so that no value changes, and whether a value is one of the column's type. Both are SQL. */
export interface WideType {
  readonly type: string
  /** `value`: SQL for what was read. `depth`: how many lambdas surround it. */
  readonly isExact: (value: string, depth: number) => string
}

export const wideArray = ({ isExact, type }: WideType): WideType => ({
  type: `Array(${type})`,
  isExact: (value, depth) => {
    const exact = isExact(`e${depth}`, depth + 1)
    return exact === "true" ? exact : `arrayAll(e${depth} -> ${exact}, ${value})`
  }
})

/** All of these, as SQL. */
export const every = (conditions: ReadonlyArray<string>): string => {
  const open = conditions.filter((condition) => condition !== "true")
  return open.length === 0 ? "true" : `(${open.join(" AND ")})`
}

export const wideMap = (key: WideType, value: WideType): WideType => {
  const keys = wideArray(key)
  const values = wideArray(value)
  return {
    type: `Map(${key.type}, ${value.type})`,
    isExact: (map, depth) => every([keys.isExact(`mapKeys(${map})`, depth), values.isExact(`mapValues(${map})`, depth)])
  }
}

/** An element of a tuple as SQL. */
export const elementText = (name: string | undefined, type: string): string =>
  name === undefined ? type : `${quoteIdentifier(name)} ${type}`

export const wideTuple = (elements: ReadonlyArray<WideType & { readonly name: string | undefined }>): WideType => ({
  type: `Tuple(${elements.map(({ name, type }) => elementText(name, type)).join(", ")})`,
  isExact: (value, depth) =>
    every(elements.map(({ isExact }, index) => isExact(`tupleElement(${value}, ${index + 1})`, depth)))
})

export const wideNullable = ({ isExact, type }: WideType, takesNull: boolean): WideType => ({
  type: `Nullable(${type})`,
  isExact: (value, depth) => {
    const exact = isExact(`assumeNotNull(${value})`, depth)
    if (takesNull) return exact === "true" ? exact : `(isNull(${value}) OR ${exact})`
    return every([`isNotNull(${value})`, exact])
  }
})

/** A type whose values are taken as the engine reads them. */
export const anyValue = (type: string): WideType => ({ type, isExact: () => "true" })

/** The texts of a leaf; `undefined` for a type that has no rule. */
export const wideText = (type: LeafType): WideType | undefined => {
  const rule = leafRule(type)
  if (rule !== undefined) return { type: "String", isExact: rule.exactText }
  return type.name === "String" ? anyValue("String") : undefined
}

/** How a type is read from JSON: its leaves as the texts that stand there, or as themselves, where the engine changes none. */
export const wideType = (type: ColumnType): WideType => {
  switch (type._tag) {
    case "LowCardinality":
      return wideType(type.of)
    case "Nullable":
      return wideNullable(wideType(type.of), true)
    case "Array":
      return wideArray(wideType(type.of))
    case "Map":
      return wideMap(wideType(type.key), wideType(type.value))
    case "Tuple":
      return wideTuple(type.elements.map((element) => ({ name: element.name, ...wideType(element.type) })))
    case "Opaque":
      return anyValue(type.text)
    case "Leaf":
      return leafRule(type)?.isReadExactly === true ? anyValue(type.text) : (wideText(type) ?? anyValue(type.text))
  }
}
