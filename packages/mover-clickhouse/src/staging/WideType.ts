import { exactText, parseType, tupleElement } from "./exactText.ts"

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

export const wideTuple = (elements: ReadonlyArray<WideType & { readonly name: string }>): WideType => ({
  type: `Tuple(${elements.map(({ name, type }) => `${name} ${type}`.trim()).join(", ")})`,
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

/** The texts of a leaf; `undefined` for a type that is not known here. */
export const wideText = (type: string): WideType | undefined =>
  exactText(type, "x") === undefined
    ? undefined
    : { type: "String", isExact: (value) => exactText(type, value) ?? "true" }

/** How a type is read from JSON: its leaves as the texts that stand there. `undefined`: as itself, for it holds any value. */
export const wideType = (type: string): WideType | undefined => {
  const parsed = parseType(type)
  const [first = "", second = ""] = parsed.arguments
  if (parsed.name === "LowCardinality") return wideType(first)
  if (parsed.name === "Nullable") {
    const inner = wideType(first)
    return inner === undefined ? undefined : wideNullable(inner, true)
  }
  if (parsed.name === "Array") {
    const inner = wideType(first)
    return inner === undefined ? undefined : wideArray(inner)
  }
  if (parsed.name === "Map") {
    const [key, value] = [wideType(first), wideType(second)]
    return key === undefined || value === undefined ? undefined : wideMap(key, value)
  }
  if (parsed.name === "Tuple") {
    const elements = parsed.arguments.flatMap((argument) => {
      const { name, type } = tupleElement(argument)
      const wide = wideType(type)
      return wide === undefined ? [] : [{ name, ...wide }]
    })
    return elements.length === 0 || elements.length < parsed.arguments.length ? undefined : wideTuple(elements)
  }
  return wideText(type)
}
