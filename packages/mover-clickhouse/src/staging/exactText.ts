import { quoteString } from "../sql/quote.ts"

/** A type as the engine writes it, with what stands in its brackets. */
export interface ParsedType {
  readonly name: string
  readonly arguments: ReadonlyArray<string>
}

/** The texts between commas that stand in no brackets and no quotes. */
const splitArguments = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let [depth, from] = [0, 0]
  for (const { 0: found, index } of text.matchAll(/'(?:[^'\\]|\\[^])*'|`(?:[^`\\]|\\[^])*`|[(),]/gu)) {
    if (found === "(") depth += 1
    else if (found === ")") depth -= 1
    else if (found === "," && depth === 0) {
      parts.push(text.slice(from, index).trim())
      from = index + 1
    }
  }
  return [...parts, text.slice(from).trim()]
}

export const parseType = (type: string): ParsedType => {
  const [, name = type, inner] = /^(\w+)\(([^]*)\)$/u.exec(type.trim()) ?? []
  return { name, arguments: inner === undefined ? [] : splitArguments(inner) }
}

/** What stands in `LowCardinality` and `Nullable`. */
export const withoutNull = (type: string): string => {
  const { arguments: inner, name } = parseType(type)
  return name === "LowCardinality" || name === "Nullable" ? withoutNull(inner[0] ?? "") : type
}

/** The name of an element of a tuple, as SQL, and its type. An element without a name has none. */
export const tupleElement = (argument: string): { readonly name: string; readonly type: string } => {
  const [, name = "", type = argument] = /^(`(?:[^`\\]|\\[^])*`|\w+)\s+([^]+)$/u.exec(argument) ?? []
  return { name, type }
}

// Whole decades: the years at the edges of a type are looked at one by one.
const years = {
  Date: "19[789][0-9]|20[0-9][0-9]|21[0-3][0-9]",
  Date32: "19[0-9][0-9]|20[0-9][0-9]|21[0-9][0-9]|22[0-8][0-9]",
  DateTime: "19[89][0-9]|20[0-9][0-9]",
  DateTime64: "19[1-9][0-9]|20[0-9][0-9]|21[0-9][0-9]|22[0-5][0-9]"
}

const day = "((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-9])|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)"
const time = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
const zone = "(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])?"

/** A text that has the form of a day that exists. Of February 29 the engine says it. */
const matches = (value: string, pattern: string): string =>
  `(match(${value}, ${quoteString(`^${pattern}$`)}) AND (substring(${value}, 6, 5) != '02-29' OR ifNull(toString(toDate32OrNull(substring(${value}, 1, 10))) = substring(${value}, 1, 10), false)))`

const decimal = (precision: number, scale: number): string => {
  const places = precision - scale
  const whole = places > 1 ? `(0|[1-9][0-9]{0,${places - 1}})` : places === 1 ? "[0-9]" : "0"
  return `-?${whole}${scale === 0 ? "([.]0+)?" : `([.][0-9]{1,${scale}}0*)?`}`
}

/** The names of an enumeration. */
const enumNames = (parsed: ParsedType): ReadonlyArray<string> =>
  parsed.arguments.flatMap((argument) => /^('(?:[^'\\]|\\[^])*')/u.exec(argument)?.[1] ?? [])

const roundTrips = (value: string, read: string, like = value): string => `ifNull(toString(${read}) = ${like}, false)`

/**
 * Whether the engine certainly reads a text as exactly the value that it says, as SQL; `undefined` for a type whose texts are not known
 * here. It holds for the usual spelling of a value, and may not for another one that the engine reads as well: the rows of such an object are
 * looked at one by one. `value` is SQL for a text without null.
 */
export const exactText = (type: string, value: string): string | undefined => {
  const parsed = parseType(type)
  const [first = "", second = ""] = parsed.arguments
  switch (parsed.name) {
    case "String":
      return "true"
    case "FixedString":
      return `length(${value}) <= ${Number(first)}`
    case "Bool":
      return `${value} IN ('true', 'false')`
    case "Float32":
    case "Float64":
      return `(isFinite(ifNull(to${parsed.name}OrNull(${value}), inf)) AND match(${value}, '^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$'))`
    case "Decimal":
      return `match(${value}, ${quoteString(`^${decimal(Number(first), Number(second))}$`)})`
    case "UUID":
      return roundTrips(value, `toUUIDOrNull(${value})`, `lower(${value})`)
    case "IPv4":
    case "IPv6":
      return roundTrips(value, `to${parsed.name}OrNull(${value})`)
    case "Enum8":
    case "Enum16":
      return `${value} IN (${enumNames(parsed).join(", ")})`
    case "Date":
    case "Date32":
      return matches(value, `(${years[parsed.name]})-${day}`)
    case "DateTime":
      return matches(value, `(${years.DateTime})-${day}[ T]${time}([.]0+)?${zone}`)
    case "DateTime64": {
      const fraction = Number(first) === 0 ? "([.]0+)?" : `([.][0-9]{1,${Number(first)}}0*)?`
      return matches(value, `(${years.DateTime64})-${day}[ T]${time}${fraction}${zone}`)
    }
    default:
      return /^U?Int\d+$/.test(parsed.name) ? roundTrips(value, `to${parsed.name}OrNull(${value})`) : undefined
  }
}
