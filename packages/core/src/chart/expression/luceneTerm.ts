import { nearestField, shortName } from "../../error/knownFields.ts"
import type { ColumnKind, ColumnType } from "../query/ColumnType.ts"
import { call, column, type Expression, literal } from "./Expression.ts"
import type { Comparison, LuceneValue } from "./luceneTokens.ts"

/** What a term is compared with. */
interface Field {
  readonly name: string
  readonly value: Expression
  readonly kind: ColumnKind
  /** Whether the functions of texts take it as it is. */
  readonly isString: boolean
  readonly element?: ColumnType | undefined
  /** For comparisons with numbers, where the value itself is a text. */
  readonly asNumber?: Expression
}

/** A condition, or what is wrong with a term. */
export type Condition = { readonly condition: Expression } | { readonly problem: string }

/** Whether functions of texts take values of a type. They do not take enums, UUIDs, addresses and texts of a fixed length. */
export const isString = ({ text }: ColumnType): boolean => /^(?:LowCardinality\(|Nullable\()*String\)*$/.test(text)

const asText = (value: Expression): Expression => call("toString", value)

const fieldOfType = (name: string, value: Expression, type: ColumnType | undefined): Field => ({
  name,
  value,
  kind: type?.kind ?? "other",
  isString: type !== undefined && isString(type),
  element: type?.element
})

/** A value within a column: a key of a map, a path of JSON. */
const within = (name: string, type: ColumnType, path: string): Field | undefined => {
  const of = column(name)
  const full = `${name}.${path}`
  if (type.kind === "map") {
    return fieldOfType(full, call("arrayElement", of, literal(path)), type.element)
  }
  if (type.kind === "json") {
    const value = asText(call("getSubcolumn", of, literal(path)))
    return { name: full, value, kind: "text", isString: true, asNumber: call("toFloat64OrNull", value) }
  }
  if (type.kind !== "text") return undefined
  const keys = path.split(".").map(literal)
  const number = call("JSONExtractFloat", of, ...keys)
  return {
    name: full,
    value: call("JSONExtractString", of, ...keys),
    kind: "text",
    isString: true,
    // Without the key it would be 0.
    asNumber: call("if", call("JSONHas", of, ...keys), number, literal(null))
  }
}

/** The field of a name: a column, or a value in the column with the longest name that the name begins with. */
export const fieldOf = (name: string, columns: ReadonlyMap<string, ColumnType>): Field | undefined => {
  const type = columns.get(name)
  if (type !== undefined) return fieldOfType(name, column(name), type)
  for (let at = name.lastIndexOf("."); at > 0; at = name.lastIndexOf(".", at - 1)) {
    const outer = columns.get(name.slice(0, at))
    if (outer !== undefined) return within(name.slice(0, at), outer, name.slice(at + 1))
  }
  return undefined
}

/** Says that there is no such field, and which column was probably meant. */
export const unknownField = (name: string, columns: ReadonlyMap<string, ColumnType>): string => {
  const near = nearestField(name, Array.from(columns.keys()))
  const advice = near === undefined ? "write text with a colon in double quotes" : `did you mean "${near}"?`
  return `there is no column "${shortName(name)}": ${advice}`
}

// hasToken knows ASCII letters and digits, and everything beyond ASCII, as parts of a word.
const separators = /[^A-Za-z0-9\u0080-\uffff]+/

// As `lower` of the engine, which changes only ASCII.
const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** A text as a part of a pattern for LIKE that matches only itself. */
const likeText = (text: string): string => text.replace(/[\\%_]/g, "\\$&")

/** The words of a text that have no separators in them. */
export const wordsOf = (text: string): ReadonlyArray<string> => text.split(separators).filter((word) => word !== "")

/** A search for words in the columns that are searched without a field. */
export const bareCondition = (value: LuceneValue, implicit: Expression): Expression => {
  const text = call("lower", implicit)
  if (value._tag === "Word" && value.parts.length > 1) {
    return value.parts.every((part) => part === "")
      ? literal(true)
      : call("like", text, literal(value.parts.map((part) => likeText(lower(part))).join("%")))
  }
  const searched = value._tag === "Word" ? value.parts.join("") : value._tag === "Phrase" ? value.text : ""
  const words = wordsOf(searched)
  const conditions = words.map((word) => call("hasToken", text, literal(lower(word))))
  if (words[0] !== searched) conditions.push(call("like", text, literal(`%${likeText(lower(searched))}%`)))
  return conditions.length === 1 ? (conditions[0] ?? literal(true)) : call("and", ...conditions)
}

const decimal = /^(-?)(\d{1,60}(?:\.\d{1,60})?(?:[eE][+-]?\d{1,3})?)$/

const numberOf = (text: string): Expression | undefined => {
  const [, sign, digits] = decimal.exec(text) ?? []
  if (digits === undefined) return undefined
  const value: Expression = { _tag: "Literal", value: { _tag: "NumberText", text: digits } }
  return sign === "-" ? call("negate", value) : value
}

const truth = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false]
])

/** The value that a column of a kind is compared with, or how to write one. */
const operandOf = (kind: ColumnKind, text: string): Expression | { readonly write: string } => {
  switch (kind) {
    case "number":
      return numberOf(text) ?? { write: "a number, such as 5 or 0.25" }
    case "boolean": {
      const value = truth.get(text.toLowerCase())
      return value === undefined ? { write: "true or false" } : literal(value)
    }
    case "time":
      return /^\d{4}-\d\d-\d\d/.test(text)
        ? call(
            "parseDateTime64BestEffort",
            literal(text),
            { _tag: "Literal", value: { _tag: "NumberText", text: "9" } },
            literal("UTC")
          )
        : { write: 'a time, such as "2026-11-23T10:00:00Z"' }
    case "date":
      return /^\d{4}-\d\d-\d\d$/.test(text) ? call("toDate", literal(text)) : { write: "a date, such as 2026-11-23" }
    default:
      return literal(text)
  }
}

const isTextual = (kind: ColumnKind): boolean => !["number", "boolean", "time", "date"].includes(kind)

const textOf = ({ isString, value }: Field): Expression => (isString ? value : asText(value))

const compare = (name: Comparison | "equals", field: Field, text: string): Condition => {
  const number = isTextual(field.kind) && name !== "equals" ? numberOf(text) : undefined
  if (number !== undefined)
    return { condition: call(name, field.asNumber ?? call("toFloat64OrNull", textOf(field)), number) }
  const operand = operandOf(field.kind, text)
  if ("write" in operand)
    return {
      problem: `"${shortName(text)}" does not fit the column "${shortName(field.name)}": write ${operand.write}`
    }
  return { condition: call(name, isTextual(field.kind) ? textOf(field) : field.value, operand) }
}

const isThere = (field: Field): Expression => {
  if (field.kind === "text") return call("notEmpty", textOf(field))
  return call(field.kind === "array" || field.kind === "map" ? "notEmpty" : "isNotNull", field.value)
}

/** One element of an array for which a value holds. */
const inArray = (field: Field, value: LuceneValue): Condition => {
  const name = "element"
  const inner = fieldCondition(fieldOfType(field.name, column(name), field.element), value)
  return "problem" in inner
    ? inner
    : { condition: call("arrayExists", { _tag: "Lambda", parameters: [name], body: inner.condition }, field.value) }
}

const both = (conditions: ReadonlyArray<Condition>): Condition => {
  const trees: Array<Expression> = []
  for (const one of conditions) {
    if ("problem" in one) return one
    trees.push(one.condition)
  }
  const [first] = trees
  return { condition: first !== undefined && trees.length === 1 ? first : call("and", ...trees) }
}

/** What holds for a field with a value. */
export function fieldCondition(field: Field, value: LuceneValue): Condition {
  const isAny =
    (value._tag === "Word" && value.parts.length > 1 && value.parts.every((part) => part === "")) ||
    (value._tag === "Range" && value.least === undefined && value.most === undefined)
  if (isAny) return { condition: isThere(field) }
  if (field.kind === "map")
    return { problem: `"${shortName(field.name)}" is a map: write a key, as in ${shortName(field.name)}.key:value` }
  if (field.kind === "array") return inArray(field, value)
  switch (value._tag) {
    case "Comparison":
      return compare(value.name, field, value.text)
    case "Range":
      return both(
        [value.least, value.most].flatMap((bound) =>
          bound === undefined ? [] : [compare(bound.name, field, bound.text)]
        )
      )
    case "Phrase":
      return compare("equals", field, value.text)
    case "Word": {
      if (!isTextual(field.kind)) return compare("equals", field, value.parts.join("*"))
      const pattern = value.parts.map(likeText).join("%")
      return { condition: call("ilike", textOf(field), literal(value.parts.length > 1 ? pattern : `%${pattern}%`)) }
    }
  }
}
