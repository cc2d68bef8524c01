import { type ColumnType, holdsNull, type LeafType, parseType } from "./ColumnType.ts"
import type { LeafRule, LeafRules } from "./LeafRule.ts"
import { decimal, float, integer } from "./numberRules.ts"
import { bool, enumeration, fixedString, ipv4, ipv6, time, uuid } from "./textRules.ts"
import { date, dateTime } from "./timeRules.ts"

/** A column that a pipe writes to, as the engine describes it. */
export interface Column {
  readonly name: string
  /** The type as the engine writes it. */
  readonly type: string
  /** Whether the table says what it holds when a row does not. */
  readonly hasDefault: boolean
}

/** Rises when other values are rejected than before. */
export const rulesVersion = 1

const widths = [8, 16, 32, 64, 128, 256]
const intervals = "Nanosecond Microsecond Millisecond Second Minute Hour Day Week Month Quarter Year".split(" ")

/**
 * The one table of types: what a value must be to be kept exactly. What is not here (String, and what nobody knows) takes all that the
 * engine takes.
 */
const leafTypes: ReadonlyMap<string, LeafRules> = new Map<string, LeafRules>([
  ...widths.flatMap((bits) => [
    [`Int${bits}`, { bytes: integer(bits, true) }] as const,
    [`UInt${bits}`, { bytes: integer(bits, false) }] as const
  ]),
  ...intervals.map((unit) => [`Interval${unit}`, { bytes: integer(64, true) }] as const),
  ["Float64", { bytes: float((value) => value) }],
  ["Float32", { bytes: float(Math.fround) }],
  ["BFloat16", { bytes: float(Math.fround) }],
  ...["Decimal", "Decimal32", "Decimal64", "Decimal128", "Decimal256"].map(
    (name) => [name, { bytes: decimal }] as const
  ),
  ["Date", { bytes: date({ first: 0, last: 65_535 }) }],
  ["Date32", { bytes: date({ first: -25_567, last: 120_529 }) }],
  ["DateTime", { bytes: dateTime }],
  ["DateTime64", { bytes: dateTime }],
  ["Time", { bytes: time }],
  ["Time64", { bytes: time }],
  ["UUID", { bytes: uuid }],
  ["IPv4", { bytes: ipv4 }],
  ["IPv6", { bytes: ipv6 }],
  ["Bool", { bytes: bool }],
  ["Enum8", { bytes: enumeration }],
  ["Enum16", { bytes: enumeration }],
  ["FixedString", { bytes: fixedString }]
])

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
      const rules = leafTypes.get(type.name)
      return rules === undefined
        ? { _tag: "Any", takesNull }
        : { _tag: "Leaf", takesNull, type, rule: rules.bytes(type) }
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
