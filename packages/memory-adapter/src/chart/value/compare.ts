import { type DataType, isFloat, isInteger, isNumber, isText, isTime, typeText } from "./DataType.ts"
import { refuse } from "./refuse.ts"
import { listOf, powerOf10, textOf, type Value, whole } from "./Value.ts"
import { offsetAt } from "./zones.ts"

/** Less than 0, 0, or more than 0; NaN where one is NaN or the two cannot be ordered. */
export type Compare = (one: Value, other: Value) => number

const order = <A>(one: A, other: A): number => (one < other ? -1 : one > other ? 1 : 0)

/** By code points, which is the order of the bytes. */
const compareTexts = (one: string, other: string): number => {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at += 1) {
    if (one[at] === other[at]) continue
    return order(one.codePointAt(at) ?? 0, other.codePointAt(at) ?? 0)
  }
  return order(one.length, other.length)
}

/** The digits after the point of a type whose values are bigints; `undefined` for a float. */
const scaleOf = (type: DataType): number | undefined => (isFloat(type) ? undefined : (type.scale ?? 0))

/** Numbers and times of all types: exact, also of a bigint and a float. */
const compareNumbers = (one: DataType, other: DataType): Compare => {
  const [first, second] = [scaleOf(one), scaleOf(other)]
  if (first !== undefined && second !== undefined) {
    const [up, down] = [powerOf10(Math.max(second - first, 0)), powerOf10(Math.max(first - second, 0))]
    return (a, b) => order(whole(a) * up, whole(b) * down)
  }
  return (a, b) => {
    const left = comparable(a, first)
    const right = comparable(b, second)
    return left < right ? -1 : left > right ? 1 : left == right ? 0 : Number.NaN
  }
}

const comparable = (value: Value, scale: number | undefined): number | bigint => {
  if (typeof value === "number") return value
  return scale === undefined || scale === 0 ? whole(value) : Number(whole(value)) / 10 ** scale
}

/** Dates as the midnights of the zone of the other side. */
const toSeconds = (zone: string | undefined) => (value: Value) => {
  const midnight = whole(value) * 86_400n
  return midnight - offsetAt(zone, midnight)
}

const compareLists = (one: DataType, other: DataType): Compare => {
  const isTuple = one.name === "Tuple"
  const compareAt = isTuple
    ? one.elements.map((element, index) => compareNulls(compareOf(element, other.elements[index] ?? element)))
    : [compareNulls(compareElements(one, other))]
  return (a, b) => {
    const [left, right] = [listOf(a), listOf(b)]
    const length = Math.min(left.length, right.length)
    for (let at = 0; at < length; at += 1) {
      const compared = compareAt[isTuple ? at : 0]?.(left[at] ?? null, right[at] ?? null) ?? 0
      if (compared !== 0) return compared
    }
    return order(left.length, right.length)
  }
}

/** An entry of a map is a list of its key and its value. */
const compareElements = (one: DataType, other: DataType): Compare => {
  const [first, second] = [one.elements, other.elements]
  if (one.name !== "Map") return compareOf(first[0] ?? one, second[0] ?? first[0] ?? one)
  return compareLists({ ...one, name: "Tuple" }, { ...other, name: "Tuple" })
}

/** NULL after everything, and equal to itself: inside of lists. */
const compareNulls =
  (compare: Compare): Compare =>
  (one, other) =>
    one === null || other === null ? order(Number(one === null), Number(other === null)) : compare(one, other)

/** How values of two types are compared, which are not NULL. */
export const compareOf = (one: DataType, other: DataType): Compare => {
  if (one.name === "Nothing" || other.name === "Nothing") return () => 0
  if (isText(one) && isText(other)) return (a, b) => compareTexts(textOf(a), textOf(b))
  if (isNumber(one) && isNumber(other)) return compareNumbers(one, other)
  if (one.elements.length > 0 && one.name === other.name) return compareLists(one, other)
  return (
    compareTimes(one, other) ?? refuse(`values of the types ${typeText(one)} and ${typeText(other)} cannot be compared`)
  )
}

const isDate = ({ name }: DataType): boolean => name === "Date"

/** Times with times, dates and numbers. */
const compareTimes = (one: DataType, other: DataType): Compare | undefined => {
  const isOrdered = (type: DataType) => isTime(type) || isInteger(type) || isFloat(type)
  if ([one, other].every(isDate) || ([one, other].some(isTime) && [one, other].every(isOrdered))) {
    return compareNumbers(one, other)
  }
  if (isDate(one) && isTime(other)) {
    const compare = compareNumbers({ ...one, name: "DateTime" }, other)
    const seconds = toSeconds(other.zone)
    return (a, b) => compare(seconds(a), b)
  }
  if (!isTime(one) || !isDate(other)) return undefined
  const compare = compareTimes(other, one)
  return compare === undefined ? undefined : (a, b) => -compare(b, a)
}

/** The order of rows: NaN after every number, and NULL after NaN, also where the order is descending. */
export const compareRows = (type: DataType, isDescending: boolean): Compare => {
  const compare = compareOf(type, type)
  const rank = (value: Value): number => (value === null ? 2 : typeof value === "number" && Number.isNaN(value) ? 1 : 0)
  return (one, other) => {
    const [first, second] = [rank(one), rank(other)]
    if (first !== 0 || second !== 0) return first - second
    return isDescending ? compare(other, one) : compare(one, other)
  }
}

/** The same text for values of a type that are the same to `GROUP BY` and `uniqExact`: 0 and -0 differ, NaN is one value. */
export const keyOf = (value: Value): string => {
  if (typeof value === "number") return Object.is(value, -0) ? "-0." : `${value}.`
  if (typeof value === "string") return JSON.stringify(value)
  return typeof value === "object" && value !== null ? `[${value.map(keyOf).join()}]` : String(value)
}
