import * as Predicate from "effect/Predicate"
import { innerType } from "../query/ColumnType.ts"

const wide = /^U?Int(?:64|128|256)$/

const wholeNumber = (value: unknown): unknown => {
  if (!Predicate.isString(value)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

const millisOf = (value: unknown): unknown => {
  if (!Predicate.isString(value)) return value
  const millis = Date.parse(value)
  return Number.isNaN(millis) ? null : millis
}

const finite = (value: unknown): unknown => (Predicate.isNumber(value) && !Number.isFinite(value) ? null : value)

/** What makes a value of a chart of one of the database: by its type. */
export const valueReader = (type: string): ((value: unknown) => unknown) => {
  const inner = innerType(type)
  if (wide.test(inner)) return wholeNumber
  return inner.startsWith("DateTime") ? millisOf : finite
}
