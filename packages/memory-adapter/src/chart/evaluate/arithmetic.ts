import {
  bitsOf,
  type DataType,
  decimal,
  float64,
  int64,
  integer,
  isFloat,
  isInteger,
  isNumber,
  isSigned,
  isTime,
  notNullable,
  plain,
  typeText,
  wrap
} from "../value/DataType.ts"
import { toFloat } from "../value/numbers.ts"
import { notInMemory, refuse } from "../value/refuse.ts"
import { floorDivide, powerOf10, type Value, whole } from "../value/Value.ts"
import { at, type Evaluated, type MemoryFunction, strict } from "./Evaluated.ts"
import { addInterval } from "./intervals.ts"

type Floats = (one: number, other: number) => number
type Wholes = (one: bigint, other: bigint) => bigint

const nextBits = (bits: number): number => Math.min(bits * 2, 64)
const isNothing = ({ name }: DataType) => name === "Nothing"

const noNumbers = (args: ReadonlyArray<Evaluated>, name: string): never =>
  refuse(`${name} does not take values of the types ${args.map(({ type }) => typeText(type)).join(" and ")}`)

const floats = (args: ReadonlyArray<Evaluated>, run: Floats): Evaluated => {
  const [one, other] = [at(args, 0).type, at(args, 1).type]
  return strict(args, float64, (a = null, b = null) => run(toFloat(a, one), toFloat(b, other)))
}

const wholes = (args: ReadonlyArray<Evaluated>, type: DataType, run: Wholes): Evaluated =>
  strict(args, type, (a = null, b = null) => wrap(run(whole(a), whole(b)), type))

const decimals = (args: ReadonlyArray<Evaluated>, name: string, run: Wholes): Evaluated => {
  const [one, other] = [at(args, 0).type, at(args, 1).type]
  const [first, second] = [one.scale ?? 0, other.scale ?? 0]
  const precision = Math.max(one.precision ?? 0, other.precision ?? 0)
  if (name === "multiply")
    return strict(args, decimal(precision, first + second), (a = null, b = null) => run(whole(a), whole(b)))
  const scale = Math.max(first, second)
  const [up, down] = [powerOf10(scale - first), powerOf10(scale - second)]
  return strict(args, decimal(precision, scale), (a = null, b = null) => run(whole(a) * up, whole(b) * down))
}

const numbers =
  (resultOf: (one: DataType, other: DataType) => DataType, onWholes: Wholes, onFloats: Floats): MemoryFunction =>
  (args, name) => {
    const types = args.map(({ type }) => notNullable(type))
    if (types.some(isNothing)) return strict(args, float64, () => null)
    if (!types.every(isNumber)) return noNumbers(args, name)
    if (types.some(isFloat)) return floats(args, onFloats)
    if (types.some(({ name }) => name === "Decimal")) return decimals(args, name, onWholes)
    return wholes(args, resultOf(at(args, 0).type, at(args, 1).type), onWholes)
  }

const larger = (one: DataType, other: DataType): number => nextBits(Math.max(bitsOf(one), bitsOf(other)))
const either = (one: DataType, other: DataType): boolean => isSigned(one) || isSigned(other)

const add = numbers(
  (one, other) => integer(either(one, other), larger(one, other)),
  (a, b) => a + b,
  (a, b) => a + b
)
const subtract = numbers(
  (one, other) => integer(true, larger(one, other)),
  (a, b) => a - b,
  (a, b) => a - b
)

/** A time or date, and a number of its units or an interval. */
const moved = (time: Evaluated, by: Evaluated, sign: bigint): Evaluated => {
  const { unit } = by
  if (unit !== undefined) return addInterval(time, by, unit, sign)
  if (!isInteger(by.type)) return noNumbers([time, by], "plus")
  const factor = sign * powerOf10(time.type.scale ?? 0)
  return strict([time, by], notNullable(time.type), (a = null, b = null) => whole(a) + whole(b) * factor)
}

const isMoment = ({ type }: Evaluated): boolean => isTime(type) || type.name === "Date"

const plus: MemoryFunction = (args, name) => {
  const [one, other] = [at(args, 0), at(args, 1)]
  if (isMoment(one)) return moved(one, other, 1n)
  return isMoment(other) ? moved(other, one, 1n) : add(args, name)
}

const minus: MemoryFunction = (args, name) => {
  const [one, other] = [at(args, 0), at(args, 1)]
  if (!isMoment(one)) return subtract(args, name)
  if (!isMoment(other)) return moved(one, other, -1n)
  const scale = Math.max(one.type.scale ?? 0, other.type.scale ?? 0)
  if (scale === 0 && one.type.scale === undefined && other.type.scale === undefined) {
    return one.type.name === other.type.name
      ? wholes(args, integer(true, 32), (a, b) => a - b)
      : notInMemory("the difference of a date and a time")
  }
  const as = (type: DataType) => (type.name === "Date" ? refuse("minus does not take a date and a time") : type)
  const [first, second] = [as(one.type), as(other.type)].map((type) => ({ ...decimal(18, type.scale ?? 0) }))
  return decimals(
    [
      { ...one, type: { ...first, name: "Decimal", isNullable: one.type.isNullable, elements: [] } },
      { ...other, type: { ...second, name: "Decimal", isNullable: other.type.isNullable, elements: [] } }
    ],
    name,
    (a, b) => a - b
  )
}

const multiply = numbers(
  (one, other) => integer(either(one, other), larger(one, other)),
  (a, b) => a * b,
  (a, b) => a * b
)

const withoutZero =
  (run: Wholes): Wholes =>
  (a, b) =>
    b === 0n ? refuse("a whole number is divided by zero") : run(a, b)

const divide: MemoryFunction = (args, name) => {
  const types = args.map(({ type }) => type)
  if (types.some(isNothing)) return strict(args, float64, () => null)
  if (!types.every(isNumber)) return noNumbers(args, name)
  if (types.some(isFloat) || types.every(isInteger)) return floats(args, (a, b) => a / b)
  const [one, other] = [at(args, 0).type, at(args, 1).type]
  const [own, scale] = [one.scale ?? 0, one.scale ?? other.scale ?? 0]
  // Cut after the digits of the first one, or of the second one if the first one is no decimal.
  const factor = powerOf10(scale - own + (other.scale ?? 0))
  const type = decimal(Math.max(one.precision ?? 0, other.precision ?? 0), scale)
  return strict(args, type, (a = null, b = null) => withoutZero((c, d) => c / d)(whole(a) * factor, whole(b)))
}

/** The types of C++ for `a % b`: two signs of the same width are both without sign. */
const promoted = (one: DataType, other: DataType): DataType => {
  const [first, second] = [Math.max(bitsOf(one), 32), Math.max(bitsOf(other), 32)]
  const unsigned = (type: DataType, bits: number, rest: number) => !isSigned(type) && bitsOf(type) >= 32 && bits >= rest
  return integer(!(unsigned(one, first, second) || unsigned(other, second, first)), Math.max(first, second))
}

const modulo: MemoryFunction = (args, name) => {
  const [one, other] = [at(args, 0).type, at(args, 1).type]
  return numbers(
    () => integer(isSigned(one), isSigned(one) ? nextBits(bitsOf(other)) : bitsOf(other)),
    withoutZero((a, b) => {
      const type = promoted(one, other)
      return wrap(a, type) % wrap(b, type)
    }),
    (a, b) => a % b
  )(args, name)
}

const intDiv: MemoryFunction = (args, name) => {
  const [one, other] = [at(args, 0).type, at(args, 1).type]
  if ([one, other].some(({ name }) => name === "Decimal")) return notInMemory("intDiv of decimals")
  if (![one, other].some(isFloat) || [one, other].some(isNothing)) {
    const divided = numbers(
      () => integer(isSigned(one) || isSigned(other), bitsOf(one)),
      withoutZero((a, b) => a / b),
      (a, b) => a / b
    )
    return divided(args, name)
  }
  if (![one, other].every(isNumber)) return noNumbers(args, name)
  return strict(args, int64, (a = null, b = null) => {
    const quotient = toFloat(a, one) / toFloat(b, other)
    return Number.isFinite(quotient)
      ? wrap(BigInt(Math.trunc(quotient)), int64)
      : refuse("intDiv of numbers that are not finite, or by zero")
  })
}

/** A function of one number. */
const single =
  (
    resultOf: (type: DataType) => DataType,
    onWhole: (a: bigint) => bigint,
    onFloat: (a: number) => number
  ): MemoryFunction =>
  (args, name) => {
    const { type } = at(args, 0)
    if (isNothing(type)) return strict(args, float64, () => null)
    if (!isNumber(type)) return noNumbers(args, name)
    if (isFloat(type)) return strict(args, notNullable(type), (a) => onFloat(Number(a)))
    const result = type.name === "Decimal" ? notNullable(type) : resultOf(type)
    return strict(args, result, (a = null) =>
      type.name === "Decimal" ? onWhole(whole(a)) : wrap(onWhole(whole(a)), result)
    )
  }

const ofFloat =
  (run: (a: number) => number): MemoryFunction =>
  (args, name) => {
    const { type } = at(args, 0)
    if (!isNumber(type) && !isNothing(type)) return noNumbers(args, name)
    return strict(args, float64, (a = null) => run(toFloat(a, type)))
  }

/** Half to the even one. */
const roundHalfEven = (a: number): number => {
  const down = Math.floor(a)
  const rest = a - down
  if (rest !== 0.5) return Object.is(a, -0) || (a < 0 && a >= -0.5) ? -0 : rest < 0.5 ? down : down + 1
  return down % 2 === 0 ? down : down + 1
}

const rounded =
  (onFloat: (a: number) => number, onWhole: (a: bigint, unit: bigint) => bigint): MemoryFunction =>
  (args, name) => {
    const { type } = at(args, 0)
    const digits = args[1] === undefined ? 0n : whole(args[1].constant?.value ?? args[1].of([]))
    const value = [at(args, 0)]
    if (isNothing(type)) return strict(value, float64, () => null)
    if (!isNumber(type)) return noNumbers(args, name)
    if (isFloat(type)) {
      const factor = 10 ** Math.abs(Number(digits))
      return strict(value, notNullable(type), (a) => {
        if (digits === 0n || !Number.isFinite(a)) return onFloat(Number(a))
        return digits > 0n ? onFloat(Number(a) * factor) / factor : onFloat(Number(a) / factor) * factor
      })
    }
    const places = BigInt(type.scale ?? 0) - digits
    const unit = places > 0n ? 10n ** places : 1n
    return strict(value, notNullable(type), (a = null) => onWhole(whole(a), unit))
  }

const halfUp = (a: bigint, unit: bigint): bigint => {
  const size = a < 0n ? -a : a
  const up = ((size + unit / 2n) / unit) * unit
  return a < 0n ? -up : up
}

const widthBucket: MemoryFunction = (args, name) => {
  const types = args.map(({ type }) => type)
  if (!types.every((type) => isNumber(type) || isNothing(type))) return noNumbers(args, name)
  const type = bitsOf(at(args, 3).type) === 8 ? plain("UInt16") : plain(`UInt${nextBits(bitsOf(at(args, 3).type))}`)
  return strict(args, type, (...values: ReadonlyArray<Value>) => {
    const [value = 0, low = 0, high = 0] = values
      .slice(0, 3)
      .map((item, index) => toFloat(item, types[index] ?? float64))
    const count = whole(values[3] ?? null)
    if ([value, low, high].some(Number.isNaN)) return refuse("widthBucket does not take NaN")
    if (![low, high].every(Number.isFinite)) return refuse("widthBucket wants finite bounds")
    if (low >= high || value < low) return 0n
    return value >= high ? count + 1n : BigInt(Math.floor((Number(count) * (value - low)) / (high - low))) + 1n
  })
}

/** The functions of numbers. */
export const arithmetic: Readonly<Record<string, MemoryFunction>> = {
  plus,
  minus,
  multiply,
  divide,
  modulo,
  intDiv,
  negate: single(
    (type) => integer(true, isSigned(type) ? bitsOf(type) : nextBits(bitsOf(type))),
    (a) => -a,
    (a) => -a
  ),
  abs: single(
    (type) => integer(false, bitsOf(type)),
    (a) => (a < 0n ? -a : a),
    Math.abs
  ),
  floor: rounded(Math.floor, (a, unit) => floorDivide(a, unit) * unit),
  ceil: rounded(Math.ceil, (a, unit) => -floorDivide(-a, unit) * unit),
  round: rounded(roundHalfEven, halfUp),
  log: ofFloat(Math.log),
  exp: ofFloat(Math.exp),
  sqrt: ofFloat(Math.sqrt),
  widthBucket
}
