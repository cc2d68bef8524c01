import {
  arrayOf,
  commonType,
  type DataType,
  isInteger,
  isText,
  notNullable,
  nullable,
  plain,
  typeText,
  uint64,
  uint8
} from "../value/DataType.ts"
import { compareOf } from "../value/compare.ts"
import { notInMemory, refuse } from "../value/refuse.ts"
import { defaultOf } from "../value/readValue.ts"
import { entryOf, flag, listOf, type Row, textOf, type Value, whole } from "../value/Value.ts"
import { convertValue, literalAs } from "./conversion.ts"
import { at, type Evaluated, literalText, type MemoryFunction, strict } from "./Evaluated.ts"
import { byteLength } from "./textFunctions.ts"

const constantItems = (
  items: ReadonlyArray<Evaluated>,
  convert: (value: Value, from: DataType, index: number) => Value
) =>
  items.every(({ constant }) => constant !== undefined)
    ? { constant: { value: items.map(({ constant, type }, index) => convert(constant?.value ?? null, type, index)) } }
    : undefined

const tuple: MemoryFunction = (items) => ({
  type: { ...plain("Tuple"), elements: items.map(({ type }) => type) },
  of: (row) => items.map((item) => item.of(row)),
  items,
  ...constantItems(items, (value) => value)
})

const array: MemoryFunction = (items) => {
  const types = items.map(({ type }) => type)
  const element = commonType(types) ?? notInMemory(`an array of the types ${types.map(typeText).join(" and ")}`)
  return {
    type: arrayOf(element),
    of: (row) => items.map((item) => convertValue(item.of(row), item.type, element)),
    items,
    ...constantItems(items, (value, from) => convertValue(value, from, element))
  }
}

/** The two types of a map, or the one of an array. */
const insideOf = ({ type }: Evaluated, name: string): readonly [DataType, DataType] => {
  const [first, second] = type.elements
  if ((type.name !== "Array" && type.name !== "Map") || first === undefined) {
    return refuse(`${name} does not take values of the type ${typeText(type)}`)
  }
  return [first, second ?? first]
}

/** Whether two values are the same, where NULL is itself. */
const sameAs = (one: DataType, other: DataType): ((a: Value, b: Value) => boolean) => {
  const compare = compareOf(one, other)
  return (a, b) => (a === null || b === null ? a === b : compare(a, b) === 0)
}

const beside = (value: Evaluated, type: DataType): Evaluated =>
  literalText(value) !== undefined && !isText(type) ? literalAs(value, type) : value

const arrayElement: MemoryFunction = (args, name) => {
  const [list, place] = [at(args, 0), at(args, 1)]
  const [element, held] = insideOf(list, name)
  if (list.type.name === "Map") {
    const key = beside(place, element)
    const isSame = sameAs(element, key.type)
    const found = (entries: Value, wanted: Value) =>
      listOf(entries)
        .map(entryOf)
        .find(([own]) => isSame(own, wanted))
    return strictBut(held, [list, key], (entries, wanted) => found(entries, wanted)?.[1])
  }
  if (!isInteger(place.type)) return refuse(`${name} wants a whole number as the place in an array`)
  return strictBut(element, [list, place], (items, index) => {
    const number = Number(whole(index))
    return number === 0 ? undefined : listOf(items).at(number > 0 ? number - 1 : number)
  })
}

/** NULL where an argument is, and the default of the type where nothing was found. */
const strictBut = (
  type: DataType,
  args: readonly [Evaluated, Evaluated],
  find: (list: Value, wanted: Value) => Value | undefined
): Evaluated => {
  const instead = defaultOf(type)
  const result = args.some((argument) => argument.type.isNullable) ? nullable(type) : type
  return {
    type: result,
    of: (row) => {
      const [list, wanted] = [args[0].of(row), args[1].of(row)]
      if (list === null || wanted === null) return null
      const found = find(list, wanted)
      return found === undefined ? instead : found
    }
  }
}

const tupleElement: MemoryFunction = (args, name) => {
  const [list, place] = [at(args, 0), at(args, 1)]
  const index = Number(whole(place.constant?.value ?? refuse(`${name} wants a literal as its place`))) - 1
  const type = list.type.name === "Tuple" ? list.type.elements[index] : undefined
  if (type === undefined) return refuse(`the tuple has no element ${index + 1}`)
  return { type, of: (row) => listOf(list.of(row))[index] ?? null }
}

const has: MemoryFunction = (args, name) => {
  const [list, wanted] = [at(args, 0), at(args, 1)]
  const [element] = insideOf(list, name)
  const value = beside(wanted, element)
  if (value.type.name === "Nothing") {
    return { type: uint8, of: (row) => flag(listOf(list.of(row)).includes(null)) }
  }
  const isSame = sameAs(element, value.type)
  const isMap = list.type.name === "Map"
  return strict([list, value], uint8, (items = null, b = null) =>
    flag(listOf(items).some((item) => isSame(isMap ? entryOf(item)[0] : item, b)))
  )
}

const lengthOf = (value: Value, type: DataType): bigint =>
  isText(type) ? byteLength(textOf(value)) : BigInt(listOf(value).length)

const sized =
  (result: DataType, run: (length: bigint) => bigint): MemoryFunction =>
  (args, name) => {
    const { type } = at(args, 0)
    if (!isText(type) && type.name !== "Nothing") insideOf(at(args, 0), name)
    return strict(args, result, (value = null) => run(lengthOf(value, type)))
  }

const entries =
  (index: 0 | 1): MemoryFunction =>
  (args, name) => {
    const types = insideOf(at(args, 0), name)
    return strict(args, arrayOf(types[index]), (value = null) => listOf(value).map((entry) => entryOf(entry)[index]))
  }

/** The functions of arrays, maps and tuples. */
export const collections: Readonly<Record<string, MemoryFunction>> = {
  tuple,
  array,
  arrayElement,
  tupleElement,
  has,
  mapContains: has,
  mapKeys: entries(0),
  mapValues: entries(1),
  length: sized(uint64, (length) => length),
  empty: sized(uint8, (length) => flag(length === 0n)),
  notEmpty: sized(uint8, (length) => flag(length > 0n))
}

/** A lambda over arrays: for each element, the value of its body. */
export interface ElementFunction {
  readonly type: DataType
  /** `elements`: those of the arrays at one place. */
  readonly of: (row: Row, elements: ReadonlyArray<Value>) => Value
}

type LambdaFunction = (
  lambda: ElementFunction,
  arrays: ReadonlyArray<Evaluated>,
  holds: (value: Value) => boolean
) => Evaluated

const overElements =
  (
    type: (lambda: ElementFunction, array: Evaluated) => DataType,
    run: (values: ReadonlyArray<Value>, items: ReadonlyArray<Value>, holds: (value: Value) => boolean) => Value
  ): LambdaFunction =>
  (lambda, arrays, holds) => {
    const [first] = arrays
    if (first === undefined) return refuse("a function with a lambda wants an array")
    return {
      type: type(lambda, first),
      of: (row) => {
        const lists = arrays.map((array) => listOf(array.of(row)))
        const items = lists[0] ?? []
        const values = items.map((_, index) =>
          lambda.of(
            row,
            lists.map((list) => list[index] ?? null)
          )
        )
        return run(values, items, holds)
      }
    }
  }

/** Functions whose first argument is a lambda. */
export const lambdaFunctions: Readonly<Record<string, LambdaFunction>> = {
  arrayExists: overElements(
    () => uint8,
    (values, _, holds) => flag(values.some(holds))
  ),
  arrayAll: overElements(
    () => uint8,
    (values, _, holds) => flag(values.every(holds))
  ),
  arrayCount: overElements(
    () => plain("UInt32"),
    (values, _, holds) => BigInt(values.filter(holds).length)
  ),
  arrayMap: overElements(
    ({ type }) => arrayOf(type),
    (values) => values
  ),
  arrayFilter: overElements(
    (_, { type }) => notNullable(type),
    (values, items, holds) => items.filter((_, index) => holds(values[index] ?? null))
  )
}
