import {
  type DataType,
  decimal,
  float64,
  int64,
  isFloat,
  isInteger,
  isNumber,
  isSigned,
  isTime,
  notNullable,
  nullable,
  typeText,
  uint64,
  wrap
} from "../value/DataType.ts"
import { compareRows, keyOf } from "../value/compare.ts"
import { toFloat } from "../value/numbers.ts"
import { refuse } from "../value/refuse.ts"
import { defaultOf } from "../value/readValue.ts"
import { listOf, type Row, type Value, whole } from "../value/Value.ts"
import { at, type Evaluated } from "./Evaluated.ts"
import { holds } from "./logic.ts"

/** An aggregate: the type of its value, and its value over the rows of a group. */
export interface Aggregate {
  readonly type: DataType
  readonly over: (rows: ReadonlyArray<Row>) => Value
}

type MakeAggregate = (args: ReadonlyArray<Evaluated>, parameters: ReadonlyArray<number>, name: string) => Aggregate

/** An aggregate of the values of its first argument that are not NULL. Over none it is NULL if the argument may be, else `empty`. */
const ofValues =
  (
    resultOf: (type: DataType, name: string) => DataType,
    run: (values: ReadonlyArray<Value>, type: DataType, parameters: ReadonlyArray<number>) => Value,
    empty: (result: DataType) => Value = defaultOf
  ): MakeAggregate =>
  (args, parameters, name) => {
    const argument = at(args, 0)
    const inner = notNullable(argument.type)
    const result = resultOf(inner, name)
    const type = argument.type.isNullable ? nullable(result) : result
    return {
      type,
      over: (rows) => {
        const values = rows.map(argument.of).filter((value) => value !== null)
        if (values.length > 0) return run(values, inner, parameters)
        return type.isNullable ? null : empty(type)
      }
    }
  }

const wantNumber = (type: DataType, name: string): DataType =>
  isNumber(type) || type.name === "Nothing"
    ? type
    : refuse(`${name} does not take values of the type ${typeText(type)}`)

const sumType = (type: DataType, name: string): DataType => {
  wantNumber(type, name)
  if (type.name === "Decimal") return decimal(Math.max(type.precision ?? 0, 38), type.scale ?? 0)
  if (isFloat(type)) return float64
  return isSigned(type) ? int64 : uint64
}

const sum: MakeAggregate = ofValues(sumType, (values, type) => {
  if (isFloat(type)) return values.reduce<number>((all, value) => all + Number(value), 0)
  const total = values.reduce<bigint>((all, value) => all + whole(value), 0n)
  return type.name === "Decimal" ? total : wrap(total, sumType(type, "sum"))
})

const avg: MakeAggregate = ofValues(
  (type, name) => (wantNumber(type, name), float64),
  (values, type) => {
    const exact = { ...type, name: isInteger(type) ? sumType(type, "avg").name : type.name }
    if (isFloat(type)) return values.reduce<number>((all, value) => all + Number(value), 0) / values.length
    const total = values.reduce<bigint>((all, value) => all + whole(value), 0n)
    return toFloat(type.name === "Decimal" ? total : wrap(total, exact), exact) / values.length
  },
  () => Number.NaN
)

/** The first of the values in the order of rows: NaN is the least, and the largest, only of NaN alone. */
const extreme = (isLargest: boolean): MakeAggregate =>
  ofValues(
    (type) => type,
    (values, type) => {
      const compare = compareRows(type, isLargest)
      return values.reduce((best, value) => (compare(value, best) < 0 ? value : best))
    }
  )

const numberOf = (value: Value): number => (typeof value === "number" ? value : Number(whole(value)))

/** Linear between the two neighbours, as the engine does it for at most 8,192 values. */
const quantile: MakeAggregate = ofValues(
  (type, name) => {
    if (isTime(type) || type.name === "Date" || type.name === "Decimal") return type
    wantNumber(type, name)
    return float64
  },
  (values, type, [level = 0.5]) => {
    const numbers = values
      .map(numberOf)
      .filter((value) => !Number.isNaN(value))
      .toSorted((one, other) => one - other || 0)
    const place = level * (numbers.length - 1)
    const left = Math.floor(place)
    const [low = Number.NaN, high] = [numbers[left], numbers[left + 1]]
    const found = high === undefined ? low : low * (left + 1 - place) + high * (place - left)
    return isInteger(type) || isFloat(type) ? found : BigInt(Math.trunc(found))
  },
  (type) => (isNumber(type) && type.name !== "Decimal" ? Number.NaN : defaultOf(type))
)

const any: MakeAggregate = ofValues(
  (type) => type,
  (values) => values[0] ?? null
)

/** The first argument at the extreme of the second one. Rows in which one of the two is NULL are left out. */
const argExtreme =
  (isLargest: boolean): MakeAggregate =>
  (args) => {
    const [value, by] = [at(args, 0), at(args, 1)]
    const compare = compareRows(by.type, isLargest)
    const type = by.type.isNullable ? nullable(value.type) : value.type
    return {
      type,
      over: (rows) => {
        const pairs = rows
          .map((row) => [value.of(row), by.of(row)] as const)
          .filter((pair) => pair[0] !== null && pair[1] !== null)
        const [first, ...rest] = pairs
        if (first === undefined) return type.isNullable ? null : defaultOf(type)
        return rest.reduce((best, pair) => (compare(pair[1], best[1]) < 0 ? pair : best), first)[0]
      }
    }
  }

const count: MakeAggregate = ([argument]) => ({
  type: uint64,
  over: (rows) => BigInt(argument === undefined ? rows.length : rows.filter((row) => argument.of(row) !== null).length)
})

const uniqExact: MakeAggregate = (args) => ({
  type: uint64,
  over: (rows) => {
    const values = rows.map((row) => args.map((argument) => argument.of(row)))
    const known = values.filter((list) => !list.includes(null))
    return BigInt(new Set(known.map((list) => keyOf(list))).size)
  }
})

const plainAggregates: Readonly<Record<string, MakeAggregate>> = {
  count,
  sum,
  avg,
  min: extreme(false),
  max: extreme(true),
  quantile,
  uniqExact,
  any,
  argMax: argExtreme(true),
  argMin: argExtreme(false)
}

/** Over the rows for which the last argument holds. */
const withCondition =
  (make: MakeAggregate): MakeAggregate =>
  (args, parameters, name) => {
    const condition = args.at(-1)
    if (condition === undefined || !["UInt8", "Bool", "Nothing"].includes(condition.type.name)) {
      return refuse(`${name} wants a condition as its last argument`)
    }
    const { over, type } = make(args.slice(0, -1), parameters, name)
    return { type, over: (rows) => over(rows.filter((row) => holds(condition.of(row)))) }
  }

/** Every aggregate that is evaluated, by its name. */
export const aggregates: Readonly<Record<string, MakeAggregate>> = {
  ...plainAggregates,
  ...Object.fromEntries(Object.entries(plainAggregates).map(([name, make]) => [`${name}If`, withCondition(make)]))
}

/** The same text for rows of the same group. */
export const groupKey = (values: ReadonlyArray<Value>): string => keyOf(listOf(values))
