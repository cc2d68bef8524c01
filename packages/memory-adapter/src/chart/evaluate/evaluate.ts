import type { Expression, NumberText } from "@headgate/core/adapter"
import { bool, type DataType, float64, integer, nothing, text } from "../value/DataType.ts"
import { notInMemory, refuse } from "../value/refuse.ts"
import { flag, type Row, type Value } from "../value/Value.ts"
import { type Aggregate, aggregates } from "./aggregates.ts"
import { arithmetic } from "./arithmetic.ts"
import { collections, lambdaFunctions } from "./collections.ts"
import { cast, conversion } from "./conversion.ts"
import { constantOf, type Evaluated, type MemoryFunction } from "./Evaluated.ts"
import { intervals } from "./intervals.ts"
import { holds, logic } from "./logic.ts"
import { textFunctions } from "./textFunctions.ts"

const functions: Readonly<Record<string, MemoryFunction>> = {
  ...arithmetic,
  ...collections,
  ...conversion,
  ...intervals,
  ...logic,
  ...textFunctions
}

/** The names of the functions that are evaluated in memory. */
export const evaluatedFunctions: ReadonlyArray<string> = [
  ...Object.keys(functions),
  ...Object.keys(lambdaFunctions),
  ...Object.keys(aggregates)
]

/** The columns that an expression may name, by the place of their values in a row. */
export type EvaluatedColumns = ReadonlyMap<string, { readonly type: DataType; readonly index: number }>

export const columnsOf = (types: Iterable<readonly [string, DataType]>): EvaluatedColumns =>
  new Map(Array.from(types, ([name, type], index) => [name, { type, index }]))

const numberLiteral = ({ text: written }: NumberText): Evaluated => {
  const value = /^\d+$/.test(written) ? BigInt(written) : undefined
  const bits = value === undefined ? undefined : [8, 16, 32, 64].find((bits) => value < 1n << BigInt(bits))
  if (bits !== undefined && value !== undefined) return constantOf(integer(false, bits), value)
  const float = Number(written)
  return Number.isFinite(float) ? constantOf(float64, float) : refuse(`the number ${written} is too large`)
}

const literalOf = (value: Extract<Expression, { readonly _tag: "Literal" }>["value"]): Evaluated => {
  if (value === null) return constantOf(nothing, null)
  if (typeof value === "string") return constantOf(text, value)
  return typeof value === "boolean" ? constantOf(bool, flag(value)) : numberLiteral(value)
}

type Call = Extract<Expression, { readonly _tag: "Call" }>
type CallOf = (call: Call) => Evaluated | undefined

const lambdaCall = (
  { arguments: args, name }: Call,
  columns: EvaluatedColumns,
  special: CallOf
): Evaluated | undefined => {
  const [lambda, ...lists] = args
  if (lambda?._tag !== "Lambda") return undefined
  const make = lambdaFunctions[name] ?? notInMemory(name)
  const arrays = lists.map((list) => evaluate(list, columns, special))
  // The elements stand behind the values of the row.
  const inside = lambda.parameters.map((parameter, index) => {
    const type = arrays[index]?.type.elements[0] ?? refuse(`${name} wants an array for ${parameter}`)
    return [parameter, { type, index: columns.size + index }] as const
  })
  const body = evaluate(lambda.body, new Map([...columns, ...inside]), special)
  const filled = (row: Row): ReadonlyArray<Value> =>
    row.length < columns.size ? [...row, ...Array.from({ length: columns.size - row.length }, () => null)] : row
  return make({ type: body.type, of: (row, elements) => body.of([...filled(row), ...elements]) }, arrays, holds)
}

/** A call of constants is a constant. */
const folded = (args: ReadonlyArray<Evaluated>, run: (args: ReadonlyArray<Evaluated>) => Evaluated): Evaluated => {
  const found = run(args)
  return found.constant === undefined && args.every(({ constant }) => constant !== undefined)
    ? { ...found, constant: { value: found.of([]) } }
    : found
}

/** An expression over rows. `special` evaluates calls in its own way. */
export const evaluate = (
  expression: Expression,
  columns: EvaluatedColumns,
  special: CallOf = () => undefined
): Evaluated => {
  switch (expression._tag) {
    case "Literal":
      return literalOf(expression.value)
    case "Column": {
      const found = columns.get(expression.name) ?? refuse(`there is no column "${expression.name}"`)
      return { type: found.type, of: (row) => row[found.index] ?? null }
    }
    case "Cast":
      return cast(evaluate(expression.argument, columns, special), expression.type)
    case "Lambda":
      return refuse("a lambda stands only in a function of arrays")
    case "Call": {
      const found = special(expression) ?? lambdaCall(expression, columns, special)
      if (found !== undefined) return found
      const { arguments: args, name } = expression
      const run = Object.hasOwn(functions, name) ? functions[name] : undefined
      if (run === undefined) {
        return Object.hasOwn(aggregates, name) ? refuse(`the aggregate ${name} may not stand here`) : notInMemory(name)
      }
      return folded(
        args.map((argument) => evaluate(argument, columns, special)),
        (values) => run(values, name)
      )
    }
  }
}

/** An expression with aggregates: its type, and its value over the rows of a group. */
export const evaluateAggregates = (expression: Expression, columns: EvaluatedColumns): Aggregate => {
  const found: Array<Aggregate> = []
  // The outer part is evaluated over a row of the values of the aggregates.
  const outer = evaluate(expression, new Map(), ({ arguments: args, name, parameters = [] }) => {
    const make = Object.hasOwn(aggregates, name) ? aggregates[name] : undefined
    if (make === undefined) return undefined
    const levels = parameters.map(({ text: written }) => Number(written))
    const aggregate = make(
      args.map((argument) => evaluate(argument, columns)),
      levels,
      name
    )
    const index = found.push(aggregate) - 1
    return { type: aggregate.type, of: (row) => row[index] ?? null }
  })
  return { type: outer.type, over: (rows) => outer.of(found.map(({ over }) => over(rows))) }
}
