import {
  type DataType,
  dataTypeOf,
  dateTime,
  dateTime64,
  isFloat,
  isInteger,
  isNumber,
  isText,
  isTime,
  notNullable,
  nothing,
  nullable,
  plain,
  text,
  typeText,
  wrap
} from "../value/DataType.ts"
import { parseDecimal, parseFloatText, parseWhole, toFloat, toWhole } from "../value/numbers.ts"
import { notInMemory, refuse } from "../value/refuse.ts"
import { valueText } from "../value/texts.ts"
import { parseDate, parseTime } from "../value/timeTexts.ts"
import { defaultOf } from "../value/readValue.ts"
import { flag, floorDivide, listOf, powerOf10, textOf, type Value, whole } from "../value/Value.ts"
import { offsetAt } from "../value/zones.ts"
import { at, constantOf, type Evaluated, literalText, type MemoryFunction, strict } from "./Evaluated.ts"
import { zoneFrom } from "./intervals.ts"

/** The value of a text; `undefined` for what is none of the type. */
const parseText = (written: string, to: DataType): Value | undefined => {
  if (isText(to)) return written
  if (to.name === "Bool") return { true: 1n, false: 0n, "1": 1n, "0": 0n }[written]
  if (isInteger(to)) {
    const value = parseWhole(written)
    return value !== undefined && wrap(value, to) === value ? value : undefined
  }
  if (isFloat(to)) {
    const value = parseFloatText(written)
    return value !== undefined && to.name === "Float32" ? Math.fround(value) : value
  }
  if (to.name === "Decimal") return parseDecimal(written, to.scale ?? 0)
  if (to.name === "Date") return parseDate(written)
  return isTime(to) ? parseTime(written, to.scale ?? 0, to.zone) : notInMemory(`a text as ${typeText(to)}`)
}

/** A literal text as a value of the type that it stands beside. */
export const literalAs = (literal: Evaluated, type: DataType): Evaluated => {
  const written = literalText(literal)
  const to = notNullable(type)
  if (written === undefined) {
    return constantOf(to, convertValue(literal.constant?.value ?? null, literal.type, to))
  }
  if (to.name === "Nothing") return literal
  // A number that does not fit is a number all the same: it is compared, and equals nothing.
  const whole = isInteger(to) && /^-?(?:0|[1-9]\d*)$/.test(written) ? parseWhole(written) : undefined
  if (whole !== undefined) return constantOf(to, whole)
  const value = isInteger(to) && to.name !== "Bool" ? undefined : parseText(written, to)
  return value === undefined ? refuse(`'${written}' is no value of the type ${typeText(to)}`) : constantOf(to, value)
}

const toTime = (value: Value, from: DataType, to: DataType): bigint | undefined => {
  const scale = to.scale ?? 0
  if (from.name === "Date") {
    const midnight = whole(value) * 86_400n
    return (midnight - offsetAt(to.zone, midnight)) * powerOf10(scale)
  }
  if (isTime(from)) {
    const own = from.scale ?? 0
    const moved =
      scale >= own ? whole(value) * powerOf10(scale - own) : floorDivide(whole(value), powerOf10(own - scale))
    return to.name === "DateTime" ? BigInt.asUintN(32, moved) : moved
  }
  const number = toFloat(value, from)
  if (!Number.isFinite(number)) return undefined
  if (to.name === "DateTime64") {
    return typeof value === "bigint" ? value * powerOf10(scale) : BigInt(Math.trunc(number * 10 ** scale))
  }
  return BigInt(Math.trunc(Math.min(Math.max(number, 0), 0xff_ff_ff_ff)))
}

const toDay = (value: Value, from: DataType): bigint | undefined => {
  if (isTime(from)) {
    const seconds = floorDivide(whole(value), powerOf10(from.scale ?? 0))
    return floorDivide(seconds + offsetAt(from.zone, seconds), 86_400n)
  }
  const number = toWhole(value, from)
  // Large numbers are seconds.
  return number !== undefined && number > 65_535n ? number / 86_400n : number
}

const toNumber = (value: Value, from: DataType, to: DataType): Value | undefined => {
  const scaled: DataType =
    isTime(from) || from.name === "Date" ? { ...from, name: "Decimal", scale: from.scale ?? 0 } : from
  if (isFloat(to)) return to.name === "Float32" ? Math.fround(toFloat(value, scaled)) : toFloat(value, scaled)
  if (to.name === "Bool") return flag(toFloat(value, scaled) !== 0)
  if (to.name === "Decimal") {
    if (typeof value === "number")
      return Number.isFinite(value) ? BigInt(Math.trunc(value * 10 ** (to.scale ?? 0))) : undefined
    const [own, wanted] = [scaled.scale ?? 0, to.scale ?? 0]
    return wanted >= own ? whole(value) * powerOf10(wanted - own) : whole(value) / powerOf10(own - wanted)
  }
  const number = toWhole(value, scaled)
  return number === undefined ? undefined : wrap(number, to)
}

const convert = (value: Value, from: DataType, to: DataType): Value | undefined => {
  if (isText(to)) return valueText(value, from)
  if (isText(from)) return parseText(textOf(value), to)
  if (typeText(notNullable(from)) === typeText(notNullable(to))) return value
  if (isTime(to)) return toTime(value, from, to)
  if (to.name === "Date") return toDay(value, from)
  if (isNumber(to)) return toNumber(value, from, to)
  const [element] = to.elements
  const [own] = from.elements
  if (to.name === "Array" && element !== undefined && own !== undefined) {
    return listOf(value).map((item) => convertValue(item, own, element))
  }
  return notInMemory(`${typeText(from)} as ${typeText(to)}`)
}

/** A value as one of another type. */
export const convertValue = (value: Value, from: DataType, to: DataType): Value => {
  if (value === null) return null
  const converted = convert(value, from, to)
  return converted === undefined
    ? refuse(`${valueText(value, from)} is no value of the type ${typeText(to)}`)
    : converted
}

/** `CAST`, and functions such as `toFloat64`: `orElse` is for what is no value of the type. */
const to =
  (type: (args: ReadonlyArray<Evaluated>) => DataType, orElse?: "NULL" | "default"): MemoryFunction =>
  (args, name) => {
    const argument = at(args, 0)
    const result = type(args)
    if (orElse !== undefined && !isText(argument.type) && argument.type.name !== "Nothing") {
      return refuse(`${name} wants a text`)
    }
    const instead = orElse === "NULL" ? null : defaultOf(result)
    const run = (value: Value) =>
      orElse === undefined ? convertValue(value, argument.type, result) : (parseText(textOf(value), result) ?? instead)
    const converted = strict([argument], result, (a = null) => run(a))
    return orElse === "NULL" ? { ...converted, type: nullable(converted.type) } : converted
  }

/** `CAST`: unlike a function, it refuses NULL where the type has none. */
export const cast = (argument: Evaluated, written: string): Evaluated => {
  const type = dataTypeOf(written)
  return {
    type,
    of: (row) => {
      const value = argument.of(row)
      if (value === null) return type.isNullable ? null : refuse(`NULL is no value of the type ${written}`)
      return convertValue(value, argument.type, type)
    }
  }
}

const ofName = (name: string): MemoryFunction => to(() => plain(name))

const fromMillis: MemoryFunction = (args) => {
  const zone = args[1] === undefined ? undefined : zoneFrom(args[1], nothing)
  return strict(args.slice(0, 1), dateTime64(3, zone), (a = null) => whole(a))
}

const toUnixUnits =
  (scale: number): MemoryFunction =>
  (args, name) => {
    const { type } = at(args, 0)
    if (type.scale === undefined && type.name !== "Nothing") return refuse(`${name} wants a DateTime64`)
    const own = type.scale ?? 0
    return strict(args, plain("Int64"), (a = null) =>
      own > scale ? whole(a) / powerOf10(own - scale) : whole(a) * powerOf10(scale - own)
    )
  }

const toUnixTimestamp: MemoryFunction = (args, name) => {
  const argument = at(args, 0)
  const time = isText(argument.type) ? ofTime(args, name) : argument
  return strict([time], plain("UInt32"), (a = null) =>
    BigInt.asUintN(32, floorDivide(whole(a), powerOf10(time.type.scale ?? 0)))
  )
}

const ofTime: MemoryFunction = to((args) => dateTime(zoneFrom(args[1], at(args, 0).type)))
const scaleFrom = (argument: Evaluated | undefined): number =>
  argument === undefined ? 3 : Number(whole(argument.of([])))

const toDate: MemoryFunction = (args, name) => {
  const argument = at(args, 0)
  const { type } = argument
  const zone = zoneFrom(args[1], type)
  const moved = isTime(type) && zone !== undefined ? { ...argument, type: { ...type, zone } } : argument
  return ofName("Date")([moved], name)
}

const sized = ["Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64"]
/** The types of functions such as `toInt64OrNull`. */
const parsed = ["Int64", "UInt64", "Float64"]

/** Functions that give a value as one of another type. */
export const conversion: Readonly<Record<string, MemoryFunction>> = {
  ...Object.fromEntries(sized.map((name) => [`to${name}`, ofName(name)])),
  ...Object.fromEntries(["Int32", ...parsed].map((name) => [`to${name}OrNull`, to(() => plain(name), "NULL")])),
  ...Object.fromEntries(parsed.map((name) => [`to${name}OrZero`, to(() => plain(name), "default")])),
  toString: to(() => text),
  toDateTime: ofTime,
  toDateTime64: to((args) => dateTime64(scaleFrom(args[1]), zoneFrom(args[2], at(args, 0).type))),
  toDate,
  toUnixTimestamp,
  fromUnixTimestamp64Milli: fromMillis,
  toUnixTimestamp64Milli: toUnixUnits(3),
  toUnixTimestamp64Micro: toUnixUnits(6),
  toUnixTimestamp64Nano: toUnixUnits(9),
  parseDateTime64BestEffort: to((args) =>
    dateTime64(scaleFrom(args[1]), args[2] === undefined ? undefined : zoneFrom(args[2], nothing))
  ),
  parseDateTimeBestEffort: ofTime,
  assumeNotNull: (args) => {
    const argument = at(args, 0)
    const type = notNullable(argument.type)
    return { type, of: (row) => argument.of(row) ?? defaultOf(type) }
  },
  toNullable: (args) => ({ ...at(args, 0), type: nullable(at(args, 0).type) })
}
