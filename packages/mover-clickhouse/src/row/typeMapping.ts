import type { Column } from "@headgate/clickhouse"
import { type ColumnType, holdsNull, type LeafType, parseType } from "./ColumnType.ts"
import type { LeafRule } from "./LeafRule.ts"
import { decimal, float, integer } from "./numberRules.ts"
import { bool, enumeration, fixedString, ipv4, ipv6, time, uuid } from "./textRules.ts"
import { date, dateTime } from "./timeRules.ts"

/** Rises when other values are rejected than before. */
export const rulesVersion = 2

const widths = [8, 16, 32, 64, 128, 256]
const intervals = "Nanosecond Microsecond Millisecond Second Minute Hour Day Week Month Quarter Year".split(" ")

/**
 * The one table of types: what a value must be to be kept exactly, in bytes and in SQL. What is not here (String, and what nobody knows) takes all that the
 * engine takes.
 */
const leafTypes: ReadonlyMap<string, (type: LeafType) => LeafRule> = new Map<string, (type: LeafType) => LeafRule>([
  ...widths.flatMap((bits) => [
    [`Int${bits}`, integer(bits, true)] as const,
    [`UInt${bits}`, integer(bits, false)] as const
  ]),
  ...intervals.map((unit) => [`Interval${unit}`, integer(64, true)] as const),
  ["Float64", float((value) => value, "1.7e308")],
  ["Float32", float(Math.fround, "3.4e38")],
  ["BFloat16", float(Math.fround, "3.3e38")],
  ...["Decimal", "Decimal32", "Decimal64", "Decimal128", "Decimal256"].map((name) => [name, decimal] as const),
  ["Date", date({ first: 0, last: 65_535, years: "19[789][0-9]|20[0-9][0-9]|21[0-3][0-9]" })],
  ["Date32", date({ first: -25_567, last: 120_529, years: "19[0-9][0-9]|20[0-9][0-9]|21[0-9][0-9]|22[0-8][0-9]" })],
  ["DateTime", dateTime],
  ["DateTime64", dateTime],
  ["Time", time],
  ["Time64", time],
  ["UUID", uuid],
  ["IPv4", ipv4],
  ["IPv6", ipv6],
  ["Bool", bool],
  ["Enum8", enumeration],
  ["Enum16", enumeration],
  ["FixedString", fixedString]
])

/** The rule of a type; `undefined` for one that takes all that the engine takes. */
export const leafRule = (type: LeafType): LeafRule | undefined => leafTypes.get(type.name)?.(type)

/** What a value of a column must be, in the form in which a row is checked: Nullable and LowCardinality are resolved. */
export type ValueRule =
  | { readonly _tag: "Leaf"; readonly takesNull: boolean; readonly type: LeafType; readonly rule: LeafRule }
  | { readonly _tag: "Any"; readonly takesNull: boolean }
  | { readonly _tag: "Array"; readonly takesNull: boolean; readonly of: ValueRule }
  | { readonly _tag: "Map"; readonly takesNull: boolean; readonly key: LeafRule | undefined; readonly value: ValueRule }
  | {
      readonly _tag: "Tuple"
      readonly takesNull: boolean
      readonly elements: ReadonlyArray<ValueRule>
      /** The place of each element by its name, one character a byte; `undefined` for a tuple without names. */
      readonly places: ReadonlyMap<string, number> | undefined
    }

const bytesOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1")

/** What a value of this type must be. */
const valueRule = (type: ColumnType, takesNull = holdsNull(type)): ValueRule => {
  switch (type._tag) {
    case "Nullable":
    case "LowCardinality":
      return valueRule(type.of, takesNull)
    case "Array":
      return { _tag: "Array", takesNull, of: valueRule(type.of) }
    case "Map": {
      const key = valueRule(type.key)
      return { _tag: "Map", takesNull, key: key._tag === "Leaf" ? key.rule : undefined, value: valueRule(type.value) }
    }
    case "Tuple": {
      const names = type.elements.flatMap(({ name }, place) =>
        name === undefined ? [] : [[bytesOf(name), place] as const]
      )
      const places = names.length === 0 ? undefined : new Map(names)
      return { _tag: "Tuple", takesNull, elements: type.elements.map((element) => valueRule(element.type)), places }
    }
    case "Opaque":
      return { _tag: "Any", takesNull }
    case "Leaf": {
      const rule = leafRule(type)
      return rule === undefined ? { _tag: "Any", takesNull } : { _tag: "Leaf", takesNull, type, rule }
    }
  }
}

/** What the rows must hold for a column. */
export interface ColumnRule {
  readonly name: string
  /** The column takes no null and has no default: the engine would write 0, an empty text or an empty array. */
  readonly isRequired: boolean
  readonly values: ValueRule
}

export const columnRule = ({ hasDefault, name, type }: Column): ColumnRule => {
  const values = valueRule(parseType(type))
  return { name, isRequired: !hasDefault && !values.takesNull, values }
}

/** Whether a type holds a null by itself. */
export const takesNull = (type: string): boolean => holdsNull(parseType(type))
