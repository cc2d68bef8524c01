import { nearestField, shortName } from "../../error/knownFields.ts"
import type { Expression, NumberText } from "./Expression.ts"
import { type ChartFunction, findFunction, functionTable } from "./functionTable.ts"
import { refused, type SqlReader } from "./SqlReader.ts"
import type { Token } from "./tokens.ts"

/** Reads one expression. */
export type ReadExpression = (reader: SqlReader) => Expression

const unknownFunction = (name: string): string => {
  // Names of another length are not near, and to compare three hundred takes long.
  const similar = functionTable.filter((entry) => Math.abs(entry.name.length - name.length) < 3)
  const near = nearestField(
    name,
    similar.map((entry) => entry.name)
  )
  const advice = near === undefined ? "docs/expressions.md lists those that are" : `did you mean ${near}?`
  return `${shortName(name)} is no function that expressions may call: ${advice}`
}

/** The names of the parameters of a lambda, if one begins here: `x ->` or `(x, y) ->`. */
const lambdaParameters = (reader: SqlReader): ReadonlyArray<string> | undefined => {
  if (reader.next.kind === "name" && reader.isSign("->", 1)) return [reader.next.value]
  if (!reader.isSign("(")) return undefined
  const names: Array<string> = []
  for (let at = 1; reader.ahead(at).kind === "name"; at += 2) {
    names.push(reader.ahead(at).value)
    if (reader.isSign(")", at + 1)) return reader.isSign("->", at + 2) ? names : undefined
    if (!reader.isSign(",", at + 1)) return undefined
  }
  return undefined
}

const readLambda = (reader: SqlReader, parameters: ReadonlyArray<string>, expression: ReadExpression): Expression => {
  const { position } = reader.next
  while (!reader.takesSign("->")) reader.take()
  if (new Set(parameters).size < parameters.length)
    return reader.fail(position, "two parameters of a lambda have the same name: rename one")
  const body = reader.withParameters(parameters, () => expression(reader))
  return reader.node({ _tag: "Lambda", parameters, body }, [body])
}

const readArgument = (
  reader: SqlReader,
  entry: ChartFunction,
  index: number,
  expression: ReadExpression
): Expression => {
  const parameters = lambdaParameters(reader)
  const { position } = reader.next
  if (parameters === undefined)
    return index === 0 && entry.lambda === "required"
      ? reader.fail(position, `${entry.name} takes a function first: write ${entry.name}(x -> ..., array)`)
      : expression(reader)
  return index === 0 && entry.lambda !== undefined
    ? reader.nested(() => readLambda(reader, parameters, expression), refused)
    : reader.fail(position, `${entry.name} takes no lambda here: write a value`)
}

/** Reads up to the closing bracket. */
const readArguments = (
  reader: SqlReader,
  entry: ChartFunction,
  expression: ReadExpression
): ReadonlyArray<Expression> => {
  const args: Array<Expression> = []
  if (reader.takesSign(")")) return args
  do {
    if (reader.isWord("distinct"))
      reader.fail(reader.next.position, "DISTINCT is taken only in count(DISTINCT x): write uniqExact(x)")
    if (reader.isSign("*"))
      reader.fail(reader.next.position, `* is no argument: write ${entry.name}${entry.name === "count" ? "()" : "(x)"}`)
    args.push(readArgument(reader, entry, args.length, expression))
  } while (reader.takesSign(","))
  reader.needsSign(")", " or ,")
  return args
}

const levels = /^(?:quantile|median)/

/** Reads the numbers before the arguments, if there are any: `(0.95)` of `quantile(0.95)(x)`. */
const readParameters = (reader: SqlReader, entry: ChartFunction): ReadonlyArray<NumberText> => {
  let at = 1
  while (reader.ahead(at).kind === "number" && reader.isSign(",", at + 1)) at += 2
  const isParameters = reader.ahead(at).kind === "number" && reader.isSign(")", at + 1) && reader.isSign("(", at + 2)
  if (!isParameters) return []
  const { position } = reader.next
  // Up to the closing bracket.
  const tokens = Array.from({ length: at + 2 }, () => reader.take())
  const numbers = tokens.filter(({ kind }) => kind === "number")
  const high = levels.test(entry.name) ? numbers.find(({ value }) => Number(value) > 1) : undefined
  if (high !== undefined)
    reader.fail(high.position, `the level ${high.value} is not between 0 and 1: write 0.95 for 95 %`)
  if (numbers.length > entry.mostParameters) {
    const most = entry.mostParameters === 0 ? "no numbers" : `at most ${entry.mostParameters}`
    reader.fail(position, `${entry.name} takes ${most} before its arguments: write ${entry.name}(x)`)
  }
  return numbers.map(({ value }) => ({ _tag: "NumberText", text: value }))
}

const isConstant = (expression: Expression): boolean =>
  expression._tag === "Literal" ||
  (expression._tag === "Call" &&
    ["negate", "tuple", "array"].includes(expression.name) &&
    expression.arguments.every(isConstant))

/**
 * Whether these are values that `IN` may have: literals only, since the engine would take a name for a table.
 *
 * @example
 * ```ts
 * import { call, column, isListOfLiterals, literal } from "@headgate/core/adapter"
 *
 * console.log(isListOfLiterals(call("tuple", literal("api"))), isListOfLiterals(column("users"))) // true false
 * ```
 */
export const isListOfLiterals = (expression: Expression | undefined): boolean =>
  expression?._tag === "Call" &&
  (expression.name === "tuple" || expression.name === "array") &&
  expression.arguments.length > 0 &&
  isConstant(expression)

const many = (count: number): string => (count === 1 ? "1 argument" : `${count} arguments`)

/** What is wrong with the number of arguments. */
const checkArguments = (entry: ChartFunction, args: ReadonlyArray<Expression>): string | undefined => {
  const { leastArguments: least, mostArguments: most, name } = entry
  if ((name === "in" || name === "notIn") && !isListOfLiterals(args[1]))
    return `${name} takes a list of literals: write ${name}(x, (1, 2))`
  if (args.length >= least && args.length <= most) return undefined
  const expected =
    least === most ? many(least) : args.length < least ? `at least ${many(least)}` : `at most ${many(most)}`
  return `${name} takes ${expected}, got ${args.length}`
}

/** Says why an aggregate may not stand here. */
const checkAggregate = (reader: SqlReader, { name }: ChartFunction): string | undefined => {
  if (reader.scope.aggregates === "refused")
    return `the aggregate ${name} is not taken here: write an expression over the columns of one row`
  if (reader.isInAggregate) return `the aggregate ${name} stands in another aggregate: write one of the two`
  return reader.isInLambda ? `the aggregate ${name} stands in a lambda: write it outside` : undefined
}

const readAggregate = (reader: SqlReader, entry: ChartFunction, position: number, expression: ReadExpression) => {
  const problem = checkAggregate(reader, entry)
  if (problem !== undefined) reader.fail(position, problem)
  reader.hasAggregate = true
  reader.isInAggregate = true
  const isDistinct = entry.name === "count" && reader.takesWord("distinct")
  const read = isDistinct ? (findFunction("uniqExact") ?? entry) : entry
  const args = readArguments(reader, read, expression)
  reader.isInAggregate = false
  return { read, args }
}

/** Reads a call after its name. */
export const readCall = (reader: SqlReader, { position, value }: Token, expression: ReadExpression): Expression => {
  const found = findFunction(value)
  if (found === undefined) return reader.fail(position, unknownFunction(value))
  const parameters = readParameters(reader, found)
  reader.needsSign("(")
  const { args, read } =
    found.kind === "aggregate"
      ? readAggregate(reader, found, position, expression)
      : { args: readArguments(reader, found, expression), read: found }
  const problem = reader.issue === undefined ? checkArguments(read, args) : undefined
  if (problem !== undefined) return reader.fail(position, problem)
  return reader.node(
    { _tag: "Call", name: read.name, ...(parameters.length === 0 ? {} : { parameters }), arguments: args },
    args
  )
}
