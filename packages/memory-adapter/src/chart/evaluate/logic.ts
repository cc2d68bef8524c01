import {
  bool,
  commonType,
  type DataType,
  isFloat,
  isNumber,
  isText,
  notNullable,
  nothing,
  nullable,
  typeText,
  uint8
} from "../value/DataType.ts"
import { compareOf } from "../value/compare.ts"
import { toFloat } from "../value/numbers.ts"
import { notInMemory, refuse } from "../value/refuse.ts"
import { flag, type Value } from "../value/Value.ts"
import { convertValue, literalAs } from "./conversion.ts"
import { at, type Evaluated, literalText, type MemoryFunction, strict } from "./Evaluated.ts"

/** A literal text beside another type is a value of that type. */
const alike = (args: ReadonlyArray<Evaluated>): readonly [Evaluated, Evaluated] => {
  const [one, other] = [at(args, 0), at(args, 1)]
  if (literalText(other) !== undefined && !isText(one.type)) return [one, literalAs(other, one.type)]
  if (literalText(one) !== undefined && !isText(other.type)) return [literalAs(one, other.type), other]
  return [one, other]
}

const comparison =
  (holds: (compared: number) => boolean): MemoryFunction =>
  (args) => {
    const [one, other] = alike(args)
    const compare = compareOf(one.type, other.type)
    return strict([one, other], uint8, (a = null, b = null) => flag(holds(compare(a, b))))
  }

/** Whether a condition holds: not for NULL and 0. */
export const holds = (value: Value): boolean => value !== null && value !== 0n && value !== 0

const checkCondition = (argument: Evaluated, name: string): void => {
  if (!isNumber(argument.type) && argument.type.name !== "Nothing") {
    refuse(`${name} does not take a value of the type ${typeText(argument.type)} as a condition`)
  }
}

const conditionType = (args: ReadonlyArray<Evaluated>): DataType =>
  args.some(({ type }) => type.name === "Bool") ? bool : uint8

/** `and`, `or`: `deciding` decides alone, also beside NULL. */
const junction =
  (deciding: boolean): MemoryFunction =>
  (args, name) => {
    for (const argument of args) checkCondition(argument, name)
    const type = conditionType(args)
    return {
      type: args.some(({ type }) => type.isNullable) ? nullable(type) : type,
      of: (row) => {
        const values = args.map((argument) => argument.of(row))
        if (values.some((value) => value !== null && holds(value) === deciding)) return flag(deciding)
        return values.includes(null) ? null : flag(!deciding)
      }
    }
  }

const not: MemoryFunction = (args, name) => {
  checkCondition(at(args, 0), name)
  return strict(args, conditionType(args), (a = null) => flag(!holds(a)))
}

const membership =
  (isIn: boolean): MemoryFunction =>
  (args, name) => {
    const [value, set] = [at(args, 0), at(args, 1)]
    const items = set.items ?? [set]
    if (items.some(({ constant }) => constant === undefined)) return refuse(`${name} wants literals`)
    const type = notNullable(value.type)
    const known = items.filter(({ constant }) => constant?.value !== null)
    const members = known.map((item) => asMember(item, type))
    return strict([value], uint8, (a = null) => flag(members.some((contains) => contains(a)) === isIn))
  }

/** Whether a value is this literal. Of floats, NaN is itself here, and 0 is not -0; a number that the type does not have is never met. */
const asMember = (item: Evaluated, type: DataType): ((value: Value) => boolean) => {
  const isMixed = (literalText(item) !== undefined) !== isText(type) && type.elements.length === 0
  const member = isMixed ? literalAs(item, type) : item
  const compare = compareOf(type, member.type)
  const wanted = member.constant?.value ?? null
  if (!isFloat(type)) return (value) => compare(value, wanted) === 0
  const number = toFloat(wanted, member.type)
  return (value) => Object.is(value, number)
}

const choiceType = (branches: ReadonlyArray<Evaluated>, name: string): DataType =>
  commonType(branches.map(({ type }) => type)) ??
  notInMemory(`${name} of the types ${branches.map(({ type }) => typeText(type)).join(" and ")}`)

const converted = (branches: ReadonlyArray<Evaluated>, type: DataType): ReadonlyArray<Evaluated> =>
  branches.map((branch) => ({ type, of: (row) => convertValue(branch.of(row), branch.type, type) }))

/** `if` and `multiIf`: pairs of a condition and a value, and a value for the rest. */
const multiIf: MemoryFunction = (args, name) => {
  if (args.length % 2 === 0) return refuse(`${name} wants conditions, each with a value, and a value for the rest`)
  const conditions = args.filter((_, index) => index % 2 === 0 && index < args.length - 1)
  const values = args.filter((_, index) => index % 2 === 1 || index === args.length - 1)
  for (const condition of conditions) checkCondition(condition, name)
  const type = choiceType(values, name)
  const branches = converted(values, type)
  return {
    type,
    of: (row) => {
      const found = conditions.findIndex((condition) => holds(condition.of(row)))
      return at(branches, found < 0 ? branches.length - 1 : found).of(row)
    }
  }
}

const coalesce: MemoryFunction = (args, name) => {
  const end = args.findIndex(({ type }) => !type.isNullable)
  const known = (end < 0 ? args : args.slice(0, end + 1)).filter(({ type }) => type.name !== "Nothing")
  if (known.length === 0) return { type: nothing, of: () => null }
  const found = choiceType(known, name)
  const type = end < 0 ? found : notNullable(found)
  const branches = converted(known, type)
  return {
    type,
    of: (row) => {
      for (const branch of branches) {
        const value = branch.of(row)
        if (value !== null) return value
      }
      return null
    }
  }
}

const nullIf: MemoryFunction = (args) => {
  const [one, other] = alike(args)
  if (other.type.name === "Nothing" || one.type.name === "Nothing") {
    return { type: nullable(one.type), of: one.of }
  }
  const compare = compareOf(one.type, other.type)
  return {
    type: nullable(one.type),
    of: (row) => {
      const [a, b] = [one.of(row), other.of(row)]
      return a !== null && b !== null && compare(a, b) === 0 ? null : a
    }
  }
}

/** `greatest` and `least`: NULL is left out, and of two that cannot be ordered the second one stays. */
const extreme =
  (isBetter: (compared: number) => boolean): MemoryFunction =>
  (args, name) => {
    const known = args.filter(({ type }) => type.name !== "Nothing")
    const found = choiceType(args, name)
    const compare = compareOf(found, found)
    const branches = converted(known, found)
    return {
      type: found,
      of: (row) => {
        const values = branches.map((branch) => branch.of(row)).filter((value) => value !== null)
        return values.length === 0
          ? null
          : values.reduce((best, value) => (isBetter(compare(best, value)) ? best : value))
      }
    }
  }

/** Comparisons, conditions and choices. */
export const logic: Readonly<Record<string, MemoryFunction>> = {
  equals: comparison((compared) => compared === 0),
  notEquals: comparison((compared) => compared !== 0),
  less: comparison((compared) => compared < 0),
  lessOrEquals: comparison((compared) => compared <= 0),
  greater: comparison((compared) => compared > 0),
  greaterOrEquals: comparison((compared) => compared >= 0),
  and: junction(false),
  or: junction(true),
  not,
  in: membership(true),
  notIn: membership(false),
  isNull: (args) => ({ type: uint8, of: (row) => flag(at(args, 0).of(row) === null) }),
  isNotNull: (args) => ({ type: uint8, of: (row) => flag(at(args, 0).of(row) !== null) }),
  if: multiIf,
  multiIf,
  coalesce,
  ifNull: coalesce,
  nullIf,
  greatest: extreme((compared) => compared > 0),
  least: extreme((compared) => compared < 0),
  toBool: (args) => strict(args, bool, (a = null) => flag(holds(a)))
}
