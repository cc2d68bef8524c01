import { type DataType, isFloat, isInteger, isText, isTime, typeText, wrap } from "./DataType.ts"
import { parseDecimal, parseFloatText, parseWhole } from "./numbers.ts"
import { refuse } from "./refuse.ts"
import { parseDate, parseTime } from "./timeTexts.ts"
import { flag, floorDivide, powerOf10, type Value } from "./Value.ts"

/** The value of a type without an argument: what a column without a value holds, and an aggregate over no rows. */
export const defaultOf = (type: DataType): Value => {
  if (type.isNullable) return null
  if (isText(type)) return ""
  if (isFloat(type)) return 0
  if (type.name === "Tuple") return type.elements.map(defaultOf)
  return type.elements.length > 0 ? [] : 0n
}

const readWhole = (value: unknown, type: DataType): bigint | undefined => {
  if (typeof value === "bigint") return wrap(value, type)
  if (typeof value === "number") return Number.isInteger(value) ? wrap(BigInt(value), type) : undefined
  const read = typeof value === "string" ? parseWhole(value) : undefined
  return read === undefined ? undefined : wrap(read, type)
}

const readTime = (value: unknown, type: DataType): bigint | undefined => {
  const scale = type.scale ?? 0
  if (value instanceof Date) return floorDivide(BigInt(value.getTime()) * powerOf10(scale), 1000n)
  if (typeof value === "number") return BigInt(Math.floor(value * 10 ** scale))
  if (typeof value === "bigint") return value * powerOf10(scale)
  return typeof value === "string" ? parseTime(value, scale, type.zone) : undefined
}

const readDate = (value: unknown): bigint | undefined => {
  if (value instanceof Date) return floorDivide(BigInt(value.getTime()), 86_400_000n)
  return typeof value === "string" ? parseDate(value) : undefined
}

const readFloat = (value: unknown, { name }: DataType): number | undefined => {
  const read = typeof value === "string" ? parseFloatText(value) : typeof value === "boolean" ? undefined : value
  if (typeof read !== "number" && typeof read !== "bigint") return undefined
  return name === "Float32" ? Math.fround(Number(read)) : Number(read)
}

const readList = (value: unknown, type: DataType): Value | undefined => {
  const { elements, name } = type
  const [first, second] = elements
  if (first === undefined) return Array.isArray(value) ? [] : undefined
  if (name === "Map") {
    if (typeof value !== "object" || value === null) return undefined
    const entries: ReadonlyArray<readonly [unknown, unknown]> =
      value instanceof Map ? [...value] : Object.entries(value)
    return entries.map(([key, held]) => [readValue(key, first), readValue(held, second ?? first)])
  }
  if (!Array.isArray(value)) return undefined
  return value.map((item, at) => readValue(item, (name === "Tuple" ? elements[at] : undefined) ?? first))
}

const read = (value: unknown, type: DataType): Value | undefined => {
  if (isText(type)) return typeof value === "string" ? value : undefined
  if (type.name === "Bool") return typeof value === "boolean" ? flag(value) : readWhole(value, type)
  if (isInteger(type)) return readWhole(value, type)
  if (isFloat(type)) return readFloat(value, type)
  if (type.name === "Decimal") return parseDecimal(String(value), type.scale ?? 0)
  if (isTime(type)) return readTime(value, type)
  return type.name === "Date" ? readDate(value) : readList(value, type)
}

/** Reads a JavaScript value as a value of a type: as JSON has it, with bigints, dates and maps where JavaScript has them. */
export const readValue = (value: unknown, type: DataType): Value => {
  if (value === undefined) return defaultOf(type)
  if (value === null) return type.isNullable ? null : refuse(`NULL is no value of the type ${typeText(type)}`)
  const found = read(value, type)
  return found === undefined ? refuse(`${String(value)} is no value of the type ${typeText(type)}`) : found
}
