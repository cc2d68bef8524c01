import { type DataType, isFloat, isInteger, isText, isTime } from "./DataType.ts"
import { decimalText, floatText } from "./numbers.ts"
import { dateText, isoText, localText } from "./timeTexts.ts"
import { entryOf, listOf, textOf, type Value, whole } from "./Value.ts"

/** A value as `toString` writes it. */
export const valueText = (value: Value, type: DataType): string => {
  if (value === null) return "NULL"
  if (isText(type)) return textOf(value)
  if (type.name === "Bool") return value === 0n ? "false" : "true"
  if (isInteger(type)) return String(value)
  if (isFloat(type)) return floatText(Number(value), type)
  if (type.name === "Decimal") return decimalText(whole(value), type)
  if (type.name === "Date") return dateText(whole(value))
  if (isTime(type)) return localText(type, whole(value))
  return listText(value, type)
}

const quoted = (value: Value, type: DataType): string =>
  value !== null && (isText(type) || isTime(type) || type.name === "Date")
    ? `'${valueText(value, type).replace(/[\\']/g, String.raw`\$&`)}'`
    : valueText(value, type)

const listText = (value: Value, { elements, name }: DataType): string => {
  const [first, second] = elements
  if (first === undefined) return "()"
  if (name === "Array")
    return `[${listOf(value)
      .map((item) => quoted(item, first))
      .join()}]`
  if (name === "Tuple")
    return `(${listOf(value)
      .map((item, at) => quoted(item, elements[at] ?? first))
      .join()})`
  const entries = listOf(value).map(entryOf)
  return `{${entries.map(([key, held]) => `${quoted(key, first)}:${quoted(held, second ?? first)}`).join()}}`
}

/** A value as answers have it: see `QueryAnswer`. */
export const answerValue = (value: Value, type: DataType): unknown => {
  if (value === null || isText(type)) return value
  if (type.name === "Bool") return value !== 0n
  if (isInteger(type)) return /64|128|256/.test(type.name) ? String(value) : Number(value)
  if (isFloat(type)) return Number.isFinite(value) ? Number(floatText(Number(value), type)) : null
  if (type.name === "Decimal") return decimalText(whole(value), type)
  if (type.name === "Date") return dateText(whole(value))
  if (isTime(type)) return isoText(type, whole(value))
  return listAnswer(value, type)
}

const listAnswer = (value: Value, { elements, name }: DataType): unknown => {
  const [first, second] = elements
  if (first === undefined) return []
  if (name !== "Map") {
    return listOf(value).map((item, at) => answerValue(item, (name === "Tuple" ? elements[at] : undefined) ?? first))
  }
  const entries = listOf(value).map(entryOf)
  return Object.fromEntries(entries.map(([key, held]) => [valueText(key, first), answerValue(held, second ?? first)]))
}
