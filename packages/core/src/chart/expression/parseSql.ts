import * as Result from "effect/Result"
import type { Expression } from "./Expression.ts"
import { type ExpressionIssue, issueAt, type Scope } from "./Scope.ts"
import { isListOfLiterals } from "./sqlCall.ts"
import { bounds, refused, SqlReader } from "./SqlReader.ts"
import { readTerm } from "./sqlTerm.ts"
import { tokensOf } from "./tokens.ts"

const readUnary = (reader: SqlReader): Expression =>
  reader.takesSign("-")
    ? reader.nested(() => reader.call("negate", readUnary(reader)), refused)
    : readTerm(reader, readExpression)

/** Operators of one precedence, from the left. */
const readBinary = (
  reader: SqlReader,
  operators: ReadonlyMap<string, string>,
  operand: (reader: SqlReader) => Expression
): Expression => {
  let left = operand(reader)
  for (;;) {
    const { kind, value } = reader.next
    const name = kind === "sign" ? operators.get(value) : undefined
    if (name === undefined) return left
    reader.take()
    left = reader.call(name, left, operand(reader))
  }
}

const products = new Map([
  ["*", "multiply"],
  ["/", "divide"],
  ["%", "modulo"]
])
const sums = new Map([
  ["+", "plus"],
  ["-", "minus"]
])
const comparisons = new Map([
  ["=", "equals"],
  ["==", "equals"],
  ["!=", "notEquals"],
  ["<>", "notEquals"],
  ["<", "less"],
  ["<=", "lessOrEquals"],
  [">", "greater"],
  [">=", "greaterOrEquals"]
])

const readProduct = (reader: SqlReader): Expression => readBinary(reader, products, readUnary)
const readSum = (reader: SqlReader): Expression => readBinary(reader, sums, readProduct)

/** Operands of an operator that takes any number of them. */
const readMany = (
  reader: SqlReader,
  name: string,
  takes: (reader: SqlReader) => boolean,
  operand: (reader: SqlReader) => Expression
): Expression => {
  const first = operand(reader)
  if (!takes(reader)) return first
  const operands = [first]
  do operands.push(operand(reader))
  while (takes(reader))
  return reader.call(name, ...operands)
}

const readConcat = (reader: SqlReader): Expression =>
  readMany(reader, "concat", (reader) => reader.takesSign("||"), readSum)

/** The values after `IN`. */
const readIn = (reader: SqlReader, left: Expression, name: string): Expression => {
  const { position } = reader.next
  if (!reader.isSign("(") && !reader.isSign("["))
    return reader.fail(position, "IN takes a list of literals: write IN (1, 2)")
  const list = readTerm(reader, readExpression)
  if (reader.issue !== undefined) return refused
  // One value in brackets is no tuple. An array is the same list.
  const values =
    list._tag === "Call" && list.name === "array" ? list.arguments : isListOfLiterals(list) ? undefined : [list]
  const tuple = values === undefined ? list : reader.call("tuple", ...values)
  return isListOfLiterals(tuple)
    ? reader.call(name, left, tuple)
    : reader.fail(position, "IN takes only literals: write the values, without columns, functions and queries")
}

const negations = new Map([
  ["like", "notLike"],
  ["ilike", "notILike"],
  ["in", "notIn"]
])

/** The word of a test that follows, also behind `NOT`. */
const nextTest = (reader: SqlReader): { readonly word: string; readonly isNot: boolean } => {
  const isNot = reader.isWord("not")
  const { kind, value } = reader.ahead(isNot ? 1 : 0)
  return { word: kind === "name" ? value.toLowerCase() : "", isNot }
}

const takeTest = (reader: SqlReader, isNot: boolean): void => {
  if (isNot) reader.take()
  reader.take()
}

/** `LIKE`, `ILIKE` and `IN`, if they follow. */
const readPattern = (reader: SqlReader, left: Expression): Expression | undefined => {
  const { isNot, word } = nextTest(reader)
  const negation = negations.get(word)
  if (negation === undefined) return undefined
  takeTest(reader, isNot)
  const name = isNot ? negation : word
  return word === "in" ? readIn(reader, left, name) : reader.call(name, left, readConcat(reader))
}

/** Comparisons behind a value, from the left. */
const readComparisons = (reader: SqlReader, first: Expression): Expression => {
  let left = first
  for (;;) {
    const { kind, value } = reader.next
    const name = kind === "sign" ? comparisons.get(value) : undefined
    if (name !== undefined) reader.take()
    const compared = name === undefined ? readPattern(reader, left) : reader.call(name, left, readConcat(reader))
    if (compared === undefined) return left
    left = compared
  }
}

const readComparison = (reader: SqlReader): Expression => readComparisons(reader, readConcat(reader))

/** `BETWEEN`, if it follows. Comparisons behind it belong to its upper bound, as they do for the engine. */
const readRange = (reader: SqlReader, left: Expression): Expression | undefined => {
  const { isNot, word } = nextTest(reader)
  if (word !== "between") return undefined
  takeTest(reader, isNot)
  const least = readComparison(reader)
  reader.needsWord("and")
  const most = readComparison(reader)
  const range = reader.call("and", reader.call("greaterOrEquals", left, least), reader.call("lessOrEquals", left, most))
  return isNot ? reader.call("not", range) : range
}

/** `IS NULL` and `IS NOT NULL`, if they follow. */
const readNullTest = (reader: SqlReader, left: Expression): Expression | undefined => {
  if (!reader.takesWord("is")) return undefined
  const isNot = reader.takesWord("not")
  reader.needsWord("null")
  return reader.call(isNot ? "isNotNull" : "isNull", left)
}

/** Comparisons and tests, from the left: `a = b IS NULL` tests the comparison. */
const readTest = (reader: SqlReader): Expression => {
  let left = readComparison(reader)
  for (;;) {
    const test = readRange(reader, left) ?? readNullTest(reader, left)
    if (test === undefined) return left
    left = readComparisons(reader, test)
  }
}

const readNot = (reader: SqlReader): Expression =>
  reader.takesWord("not") ? reader.nested(() => reader.call("not", readNot(reader)), refused) : readTest(reader)

const readAnd = (reader: SqlReader): Expression => readMany(reader, "and", (reader) => reader.takesWord("and"), readNot)

function readExpression(reader: SqlReader): Expression {
  return readMany(reader, "or", (reader) => reader.takesWord("or"), readAnd)
}

const readWhole = (reader: SqlReader): Expression => {
  reader.hasAggregate = false
  const { position } = reader.next
  const expression = readExpression(reader)
  if (reader.scope.aggregates === "required" && !reader.hasAggregate)
    return reader.fail(position, "there is no aggregate: write one such as count(), sum(x) or max(x)")
  return expression
}

/** Refuses what stands behind an expression. */
const checkEnd = (reader: SqlReader, what: string): void => {
  const { kind, position } = reader.next
  if (kind === "end") return
  if (reader.isWord("as") || kind === "name" || kind === "quoted" || kind === "text")
    reader.fail(
      position,
      "an expression ends before this, and names for results are not taken: write an operator, or remove it"
    )
  else reader.expected(what)
}

const open = (text: string, scope: Scope): Result.Result<SqlReader, ExpressionIssue> =>
  text.length > bounds.characters
    ? Result.fail(
        issueAt(bounds.characters, `the text has more than ${bounds.characters} characters: write a shorter one`)
      )
    : Result.map(tokensOf(text), (tokens) => new SqlReader(tokens, scope))

/**
 * Reads an expression of SQL: columns, literals, operators and the functions of the function table. Nothing else is taken, and only the
 * tree goes on.
 *
 * @example
 * ```ts
 * import { columnTypeOf, parseSql } from "@headgate/core/adapter"
 * import * as Result from "effect/Result"
 *
 * const columns = new Map([["status", columnTypeOf("UInt16")]])
 * const read = parseSql("status >= 500 OR file('/etc/passwd')", { columns, aggregates: "refused" })
 * if (Result.isFailure(read)) console.log(read.failure.position) // 17
 * ```
 */
export const parseSql = (text: string, scope: Scope): Result.Result<Expression, ExpressionIssue> =>
  Result.flatMap(open(text, scope), (reader) => {
    const expression = readWhole(reader)
    checkEnd(reader, "an operator or the end")
    return reader.issue === undefined ? Result.succeed(expression) : Result.fail(reader.issue)
  })

/** An expression of a list. */
export interface ListedExpression {
  readonly expression: Expression
  /** As it was written. */
  readonly text: string
  /** Whether `DESC` stood behind it. */
  readonly isDescending: boolean
}

/**
 * Reads expressions of SQL with commas between them, each with `ASC` or `DESC` if the caller wrote it. The bounds of one expression hold
 * for the list.
 *
 * @example
 * ```ts
 * import { columnTypeOf, parseSqlList } from "@headgate/core/adapter"
 * import * as Result from "effect/Result"
 *
 * const columns = new Map([["host", columnTypeOf("String")]])
 * const read = parseSqlList("lower(host) DESC, host", { columns, aggregates: "refused" })
 * console.log(Result.isSuccess(read) && read.success.map(({ text }) => text)) // [ 'lower(host)', 'host' ]
 * ```
 */
export const parseSqlList = (
  text: string,
  scope: Scope
): Result.Result<ReadonlyArray<ListedExpression>, ExpressionIssue> =>
  Result.flatMap(open(text, scope), (reader) => {
    const list: Array<ListedExpression> = []
    do {
      const { position } = reader.next
      const expression = readWhole(reader)
      const written = text.slice(position, reader.readTo)
      const isDescending = reader.takesWord("desc")
      if (!isDescending) reader.takesWord("asc")
      list.push({ expression, text: written, isDescending })
    } while (reader.takesSign(","))
    checkEnd(reader, "an operator, a comma or the end")
    return reader.issue === undefined ? Result.succeed(list) : Result.fail(reader.issue)
  })
